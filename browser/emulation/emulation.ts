/**
 * What a session pretends to be: user agent, locale, time zone, media, network… Every item is a CDP override or a
 * driver setting that Chromium takes while a page is open, so nothing is loaded again and refs stay valid.
 */
import type { CDPSession, Page } from "playwright";
import { childFramesOf } from "./child_frames.ts";
import { type DeviceMetrics, isSame, PLAIN_SCREEN, type ScreenTarget, type Size, setViewport } from "./viewport.ts";

/** Absent members are as the browser has them. */
export interface Emulation {
  /** Name in the driver's list of devices. */
  device?: string;
  /** What the tabs' screens are like. */
  metrics?: DeviceMetrics;
  /** Of tabs opened from now on. */
  size?: Size;
  userAgent?: string;
  /** BCP 47. */
  locale?: string;
  /** IANA name. */
  timezone?: string;
  media?: "screen" | "print";
  colorScheme?: "light" | "dark" | "no-preference";
  reducedMotion?: "reduce" | "no-preference";
  contrast?: "more" | "no-preference";
  forcedColors?: "active" | "none";
  geolocation?: Geolocation;
  offline?: boolean;
  /** How many times slower the processor seems. */
  cpu?: number;
  network?: NetworkConditions;
}

export interface Geolocation {
  latitude: number;
  longitude: number;
  /** Metres. */
  accuracy?: number;
}

export interface NetworkConditions {
  /** Kilobits per second. */
  downKbps: number;
  upKbps: number;
  latencyMs: number;
}

export interface EmulationTarget extends ScreenTarget {
  readonly page: Page;
}

export type CdpCommand = [method: string, params: Record<string, unknown>];

/** Members whose change a page or a frame has to be told of by CDP. */
const IDENTITY = ["userAgent", "locale"] as const;
const MEDIA = ["media", "colorScheme", "reducedMotion", "contrast", "forcedColors"] as const;
const NETWORK = ["offline", "network"] as const;

/** Bits per byte; CDP counts bytes per second. */
const BYTES_PER_KBPS = 1000 / 8;

/** Changes one tab, or a page that is to become one, from one emulation to another. Throws what the driver throws. */
export async function emulateOn(target: EmulationTarget, wanted: Emulation, before: Emulation): Promise<void> {
  const cdp = await target.cdp();
  const changes = frameCommands(wanted, before);
  await Promise.all(changes.map((command) => sendTo(cdp, command)));
  if (changes.length > 0) await childFramesOf(cdp).tell(changes, frameCommands(wanted, {}));
  if (differs(wanted, before, MEDIA)) await target.page.emulateMedia(mediaOf(wanted));
  const metrics = wanted.metrics ?? PLAIN_SCREEN;
  const { size } = wanted;
  const isResized = size !== undefined && (size.width !== before.size?.width || size.height !== before.size?.height);
  if (isResized || !isSame(metrics, target.metrics)) await setViewport(target, { metrics, ...(isResized && { size }) });
}

/** What the page, and each frame in a process of its own, has to be told. */
function frameCommands(wanted: Emulation, before: Emulation): CdpCommand[] {
  const commands: CdpCommand[] = [];
  if (differs(wanted, before, IDENTITY)) {
    const { userAgent = "", locale = "" } = wanted;
    commands.push(["Emulation.setUserAgentOverride", { userAgent, acceptLanguage: locale }]);
  }
  if (differs(wanted, before, ["locale"])) {
    commands.push(["Emulation.setLocaleOverride", wanted.locale === undefined ? {} : { locale: wanted.locale }]);
  }
  if (differs(wanted, before, ["timezone"])) {
    commands.push(["Emulation.setTimezoneOverride", { timezoneId: wanted.timezone ?? "" }]);
  }
  if (differs(wanted, before, NETWORK)) commands.push(["Network.emulateNetworkConditions", conditionsOf(wanted)]);
  if (differs(wanted, before, ["cpu"])) commands.push(["Emulation.setCPUThrottlingRate", { rate: wanted.cpu ?? 1 }]);
  return commands;
}

/** Locale and time zone belong to a whole process: another tab of the session that shares it has set them already. */
function isAlreadyInEffect(error: unknown): boolean {
  return error instanceof Error && /override is already in effect/.test(error.message);
}

async function sendTo(cdp: CDPSession, [method, params]: CdpCommand): Promise<void> {
  try {
    await cdp.send(method as "Emulation.setCPUThrottlingRate", params as { rate: number });
  } catch (error) {
    if (!isAlreadyInEffect(error)) throw error;
  }
}

function conditionsOf({ offline = false, network }: Emulation): Record<string, unknown> {
  return {
    offline,
    latency: network?.latencyMs ?? 0,
    downloadThroughput: network ? network.downKbps * BYTES_PER_KBPS : -1,
    uploadThroughput: network ? network.upKbps * BYTES_PER_KBPS : -1,
  };
}

/** Null takes an override away. */
function mediaOf({ media, colorScheme, reducedMotion, contrast, forcedColors }: Emulation) {
  return {
    media: media ?? null,
    colorScheme: colorScheme ?? null,
    reducedMotion: reducedMotion ?? null,
    contrast: contrast ?? null,
    forcedColors: forcedColors ?? null,
  };
}

function differs(a: Emulation, b: Emulation, members: readonly (keyof Emulation)[]): boolean {
  return members.some((member) => JSON.stringify(a[member]) !== JSON.stringify(b[member]));
}
