/**
 * Turns images into VP8, by the encoder that every Chromium has (WebCodecs over libvpx), in a page of its own in a
 * context of its own: no program has to be installed, and the tab never hears of it.
 */
import type { Browser, BrowserContext, Page } from "playwright";
import { BrowseError } from "../../../errors.ts";

/** One encoded image. */
export interface VideoPacket {
  data: Buffer;
  isKey: boolean;
  /** From the beginning. */
  timeUs: number;
}

export interface VideoSize {
  width: number;
  height: number;
}

/** The encoder is given to secure pages only; nothing is loaded from here. */
const PAGE = "https://video.invalid/";
/** Enough for text to stay readable while a page scrolls. Bits per second. */
const BITRATE = 3_000_000;
/** One can jump to these; the others only say what changed. */
const KEY_EVERY_US = 5_000_000;

/** As JSON carries it out of the page. */
interface CarriedPacket {
  base64: string;
  isKey: boolean;
  timeUs: number;
}

export class FrameEncoder {
  readonly #context: BrowserContext;
  readonly #page: Page;
  readonly size: VideoSize;
  #hasDied = false;

  private constructor(context: BrowserContext, page: Page, size: VideoSize) {
    this.#context = context;
    this.#page = page;
    this.size = size;
    page.once("crash", () => {
      this.#hasDied = true;
    });
  }

  /** The page has, and what it had not handed over with it. */
  get hasDied(): boolean {
    return this.#hasDied;
  }

  /** Throws `unsupported` where the browser cannot encode. Odd sides lose a pixel: VP8 stores colors by the square. */
  static async open(browser: Browser, { width, height }: VideoSize): Promise<FrameEncoder> {
    const size = { width: Math.max(2, width - (width % 2)), height: Math.max(2, height - (height % 2)) };
    const context = await browser.newContext({ viewport: { width: 16, height: 16 } });
    try {
      await context.route("**", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
      const page = await context.newPage();
      await page.goto(PAGE);
      const isReady = await page.evaluate(prepare, { ...size, bitrate: BITRATE });
      if (!isReady) throw new BrowseError("unsupported", "This browser cannot encode video");
      return new FrameEncoder(context, page, size);
    } catch (error) {
      await context.close();
      throw error;
    }
  }

  /** Adds a JPEG, drawn into the size of the video, and gives the packets that are ready. */
  async add(jpegBase64: string, timeUs: number): Promise<VideoPacket[]> {
    return received(await this.#page.evaluate(encode, { jpegBase64, timeUs, keyEveryUs: KEY_EVERY_US }));
  }

  /** The packets that are still to come. */
  async finish(): Promise<VideoPacket[]> {
    return received(await this.#page.evaluate(flush));
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}

function received(packets: readonly CarriedPacket[]): VideoPacket[] {
  return packets.map(({ base64, ...packet }) => ({ ...packet, data: Buffer.from(base64, "base64") }));
}

/** What the page keeps between calls. */
interface EncoderPage {
  video?: {
    encoder: VideoEncoder;
    canvas: OffscreenCanvas;
    ready: CarriedPacket[];
    lastKeyUs: number;
    failure?: string;
  };
}

/** In the page. */
async function prepare({ width, height, bitrate }: VideoSize & { bitrate: number }): Promise<boolean> {
  const config: VideoEncoderConfig = { codec: "vp8", width, height, bitrate, latencyMode: "realtime" };
  if (typeof VideoEncoder === "undefined" || !(await VideoEncoder.isConfigSupported(config)).supported) return false;
  const ready: CarriedPacket[] = [];
  const video: NonNullable<EncoderPage["video"]> = {
    ready,
    canvas: new OffscreenCanvas(width, height),
    lastKeyUs: Number.NEGATIVE_INFINITY,
    encoder: new VideoEncoder({
      output(chunk) {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        let text = "";
        // Spread over the stack, so in pieces.
        for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
        ready.push({ base64: btoa(text), isKey: chunk.type === "key", timeUs: chunk.timestamp });
      },
      error(error) {
        video.failure = error.message;
      },
    }),
  };
  video.encoder.configure(config);
  (globalThis as EncoderPage).video = video;
  return true;
}

/** In the page. */
async function encode({
  jpegBase64,
  timeUs,
  keyEveryUs,
}: {
  jpegBase64: string;
  timeUs: number;
  keyEveryUs: number;
}): Promise<CarriedPacket[]> {
  const { video } = globalThis as EncoderPage;
  if (!video || video.failure) throw new Error(video?.failure ?? "There is no encoder");
  const bytes = Uint8Array.from(atob(jpegBase64), (char) => char.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  const { width, height } = video.canvas;
  const scale = Math.min(width / bitmap.width, height / bitmap.height);
  const [drawnWidth, drawnHeight] = [bitmap.width * scale, bitmap.height * scale];
  const drawing = video.canvas.getContext("2d");
  drawing?.clearRect(0, 0, width, height);
  drawing?.drawImage(bitmap, (width - drawnWidth) / 2, (height - drawnHeight) / 2, drawnWidth, drawnHeight);
  bitmap.close();
  const frame = new VideoFrame(video.canvas, { timestamp: timeUs });
  const keyFrame = timeUs - video.lastKeyUs >= keyEveryUs;
  if (keyFrame) video.lastKeyUs = timeUs;
  video.encoder.encode(frame, { keyFrame });
  frame.close();
  return video.ready.splice(0);
}

/** In the page. */
async function flush(): Promise<CarriedPacket[]> {
  const { video } = globalThis as EncoderPage;
  if (!video || video.failure) throw new Error(video?.failure ?? "There is no encoder");
  await video.encoder.flush();
  return video.ready.splice(0);
}
