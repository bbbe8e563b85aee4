/** A video of a tab: the images that the browser draws anyway, taken as they change, encoded as they come. */
import type { CDPSession } from "playwright";
import { abortable } from "../../../abort.ts";
import { BrowseError } from "../../../errors.ts";
import { imageSize } from "../../tabs/image_size.ts";
import type { Tab } from "../../tabs/tab.ts";
import { FrameEncoder, type VideoPacket } from "./frame_encoder.ts";
import { webmOf } from "./webm.ts";

export interface Video {
  /** WebM. */
  data: Buffer;
  width: number;
  height: number;
  durationMs: number;
  /** Frames that differ from the one before. */
  frames: number;
  /** Why it ended before it was asked to. */
  ended?: string;
}

/** A video is kept in memory until it is asked for. */
const MAX_BYTES = 100_000_000;
const MAX_MS = 30 * 60_000;
/** Longest side in pixels. */
const MAX_SIDE = 1_920;
/** Text in a JPEG of this quality is not smeared. */
const JPEG_QUALITY = 85;
/** Images that follow one another faster are left out: 25 a second. */
const MIN_GAP_US = 40_000;
/** A page that hangs is not waited for any longer. */
const MAX_LOOK_MS = 3_000;
/** Until the browser has sent the first image of a tab; it draws one for us at once. */
const MAX_FIRST_MS = 10_000;

interface Image {
  jpegBase64: string;
  timeUs: number;
}

export class Recording {
  readonly tab: Tab;
  /** When the first image came; ms on the clock of `performance`. */
  #startedAt: number | undefined;
  readonly #packets: VideoPacket[] = [];
  readonly #first = Promise.withResolvers<void>();
  readonly #timer: NodeJS.Timeout;
  #encoder: Promise<FrameEncoder> | undefined;
  /** What is done with images, one after the other. */
  #work: Promise<void> = Promise.resolve();
  /** The image that shows now: it is encoded once it is known how long it lasts. */
  #held: Image | undefined;
  #lastTimeUs = Number.NEGATIVE_INFINITY;
  #bytes = 0;
  #images = 0;
  /** When it took its last image, and why no more. */
  #endUs: number | undefined;
  #ended: string | undefined;
  #failure: unknown;
  #video: Promise<Video> | undefined;
  #cdp: CDPSession | undefined;

  private constructor(tab: Tab) {
    this.tab = tab;
    this.#timer = setTimeout(() => this.#end(`after ${MAX_MS / 60_000} minutes, the most it takes`), MAX_MS);
    this.#timer.unref();
  }

  /** Resolves when the first image is there. Throws `unsupported` where the browser cannot encode, or sends none. */
  static async start(tab: Tab, signal: AbortSignal): Promise<Recording> {
    const recording = new Recording(tab);
    try {
      await recording.#listen();
      await recording.#untilFirst(signal);
      await abortable(recording.#work, signal);
      if (recording.#failure) throw recording.#failure;
      return recording;
    } catch (error) {
      await recording.discard();
      throw error;
    }
  }

  /** Ends it, and gives the video; the same one however often it is asked. */
  finish(): Promise<Video> {
    this.#video ??= this.#finish();
    return this.#video;
  }

  /** Nobody wants the video any more. */
  async discard(): Promise<void> {
    this.#end("discarded");
    const encoder = await this.#encoder?.catch(() => undefined);
    await encoder?.close();
  }

  get #nowUs(): number {
    this.#startedAt ??= performance.now();
    return Math.round((performance.now() - this.#startedAt) * 1_000);
  }

  async #listen(): Promise<void> {
    const { events } = this.tab;
    events.once("closed", () => this.#end("when the tab was closed"));
    events.once("crashed", () => this.#end("when the tab crashed"));
    events.on("moved", this.#onMoved);
    await this.#watch();
  }

  readonly #onMoved = (): void => {
    void this.#watch().catch(() => this.#end("when the tab was built anew"));
  };

  async #watch(): Promise<void> {
    const cdp = await this.tab.page.context().newCDPSession(this.tab.page);
    this.#cdp = cdp;
    cdp.on("Page.screencastFrame", ({ data, sessionId }) => {
      if (this.#endUs !== undefined) return;
      const image = { jpegBase64: data, timeUs: this.#nowUs };
      this.#first.resolve();
      // The browser sends the next one when this one has been dealt with: what is too much for us is never made.
      this.#work = this.#work.then(async () => {
        await this.#take(image);
        await cdp.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
      });
    });
    await cdp.send("Page.startScreencast", {
      format: "jpeg",
      quality: JPEG_QUALITY,
      maxWidth: MAX_SIDE,
      maxHeight: MAX_SIDE,
    });
  }

  async #untilFirst(signal: AbortSignal): Promise<void> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const fail = () =>
      reject(
        signal.aborted ? signal.reason : new BrowseError("unsupported", "The browser sends no frames of this tab"),
      );
    const timer = setTimeout(fail, MAX_FIRST_MS);
    signal.addEventListener("abort", fail, { once: true });
    try {
      await Promise.race([this.#first.promise, late]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", fail);
    }
  }

  /** Never rejects: what fails ends the video. */
  async #take(image: Image): Promise<void> {
    if (this.#failure !== undefined || this.#bytes > MAX_BYTES) return;
    try {
      this.#encoder ??= this.#open(image);
      await this.#encoder;
      if (this.#held && image.timeUs - this.#lastTimeUs >= MIN_GAP_US) await this.#encode(this.#held);
      this.#held = image;
    } catch (error) {
      this.#failure ??= error;
      this.#end("when it could not be encoded any further");
    }
  }

  /** The page as it is when the video ends: what was drawn last may not have been sent yet. */
  async #lookOnce(): Promise<Image | undefined> {
    const { dialogs, events } = this.tab;
    const { promise: noLook, resolve } = Promise.withResolvers<undefined>();
    const giveUp = () => resolve(undefined);
    const timer = setTimeout(giveUp, MAX_LOOK_MS);
    events.once("dialog", giveUp);
    if (dialogs.open) giveUp();
    try {
      return await Promise.race([this.#look(), noLook]);
    } finally {
      clearTimeout(timer);
      events.off("dialog", giveUp);
    }
  }

  async #look(): Promise<Image | undefined> {
    const cdp = await this.tab.cdp();
    const look = cdp.send("Page.captureScreenshot", { format: "jpeg", quality: JPEG_QUALITY });
    // What cannot be looked at is left as it was seen last.
    return await look.then(({ data }) => ({ jpegBase64: data, timeUs: this.#nowUs })).catch(() => undefined);
  }

  async #open({ jpegBase64 }: Image): Promise<FrameEncoder> {
    const browser = this.tab.page.context().browser();
    if (!browser) throw new BrowseError("unsupported", "This browser cannot open a page to encode in");
    return await FrameEncoder.open(browser, imageSize(Buffer.from(jpegBase64, "base64")));
  }

  async #encode({ jpegBase64, timeUs }: Image): Promise<void> {
    const encoder = await this.#encoder;
    this.#lastTimeUs = timeUs;
    this.#images += 1;
    this.#keep((await encoder?.add(jpegBase64, timeUs)) ?? []);
  }

  #keep(packets: readonly VideoPacket[]): void {
    for (const packet of packets) {
      this.#packets.push(packet);
      this.#bytes += packet.data.byteLength;
    }
    if (this.#bytes > MAX_BYTES) this.#end(`at ${MAX_BYTES / 1_000_000} MB, the most it takes`);
  }

  /** Takes no more images; those it has are still dealt with. */
  #end(reason: string): void {
    if (this.#endUs !== undefined) return;
    this.#endUs = this.#nowUs;
    this.#ended = reason;
    clearTimeout(this.#timer);
    this.tab.events.off("moved", this.#onMoved);
    // The session goes with the tab, if it has not gone yet.
    void this.#cdp?.detach().catch(() => undefined);
  }

  async #finish(): Promise<Video> {
    const ended = this.#ended;
    const last = ended === undefined ? await this.#lookOnce() : undefined;
    this.#end("finished");
    if (last) this.#work = this.#work.then(async () => await this.#take(last));
    await this.#work;
    const encoder = await this.#encoder;
    if (!encoder) throw new BrowseError("unsupported", "The browser has sent no frames of this tab");
    await this.#drain(encoder);
    const why = encoder.hasDied ? "when the page that made the video died" : ended;
    const endUs = this.#lengthUs;
    const data = await webmOf(this.#packets, encoder.size, endUs);
    const durationMs = Math.round(endUs / 1_000);
    return { data, ...encoder.size, durationMs, frames: this.#images, ...(why !== undefined && { ended: why }) };
  }

  /** Takes what the encoder still has. Throws when nothing was ever got from it. */
  async #drain(encoder: FrameEncoder): Promise<void> {
    try {
      if (this.#held) await this.#encode(this.#held);
      this.#keep(await encoder.finish());
    } catch (error) {
      this.#failure ??= error;
    } finally {
      await encoder.close();
    }
    if (this.#failure === undefined || this.#packets.length > 0) return;
    throw encoder.hasDied ? lostVideo(this.tab, this.#failure) : this.#failure;
  }

  /** The last image stays for as long as any has to; nothing is claimed of what could not be encoded. */
  get #lengthUs(): number {
    const lastUs = this.#failure === undefined ? this.#held?.timeUs : this.#packets.at(-1)?.timeUs;
    const shownUs = (lastUs ?? 0) + MIN_GAP_US;
    return this.#failure === undefined ? Math.max(this.#endUs ?? 0, shownUs) : shownUs;
  }
}

function lostVideo(tab: Tab, cause: unknown): BrowseError {
  return new BrowseError("browser_gone", `The recording of tab ${tab.id} is lost: the page that made the video died`, {
    hint: `Begin again with \`browse record start --tab ${tab.id}\``,
    cause,
  });
}
