import * as v from "valibot";
import type { Emulation } from "../../../browser/emulation/emulation.ts";
import { PLAIN_SCREEN, type Size, setViewport } from "../../../browser/emulation/viewport.ts";
import { BrowseError } from "../../../errors.ts";
import { defineCommand } from "../../command.ts";
import { deviceNamed } from "./_devices.ts";

/** Larger than any display; beyond it Chromium's compositor runs out of texture. */
const MAX_SIDE = 10_000;

const Params = v.strictObject({
  size: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,5}x\d{1,5}$/i, "must be WIDTHxHEIGHT, such as 1280x720"),
      v.description("Width and height in CSS pixels: 1280x720; shown when absent"),
    ),
  ),
  scale: v.exactOptional(
    v.pipe(
      v.number(),
      v.minValue(1),
      v.maxValue(3),
      v.description("Device pixels per CSS pixel, for the whole session"),
    ),
  ),
  device: v.exactOptional(
    v.pipe(v.string(), v.minLength(1, "must not be empty"), v.description('A device by name, such as "iPhone 15"')),
  ),
  reset: v.exactOptional(v.pipe(v.boolean(), v.description("Go back to a plain screen of 1280x720"))),
});

type ViewportParams = v.InferOutput<typeof Params>;

const DEFAULT_SIZE: Size = { width: 1280, height: 720 };

export default defineCommand({
  name: "viewport",
  category: "interact",
  summary: "Show or set the size of the tab's viewport, and the screen or device of the session",
  description:
    "The size is the tab's own. A scale or a device (size, scale, touch, mobile layout and user agent) is for all tabs of " +
    "the session, also later ones. Pages are not loaded again, so refs stay valid.",
  scope: "write",
  effect: "browser",
  needs: "tab",
  reach: "session",
  output: "plain",
  fromPage: "nothing",
  params: Params,
  cli: { positional: ["size"] },
  result: v.strictObject({
    width: v.number(),
    height: v.number(),
    scale: v.pipe(v.number(), v.description("Device pixels per CSS pixel")),
    device: v.exactOptional(v.string()),
  }),
  examples: [
    "browse viewport",
    "browse viewport 1280x800",
    "browse viewport --scale 2",
    "browse viewport --device 'iPhone 15'",
    "browse viewport --reset",
  ],
  async run({ tab, session, signal }, params) {
    assertFitting(params);
    const size = params.reset ? DEFAULT_SIZE : params.size === undefined ? undefined : parseSize(params.size);
    if (params.reset || params.scale !== undefined || params.device !== undefined) {
      await session.emulation.change((now) => wantedEmulation(now, params), signal);
    }
    if (size) await setViewport(tab, { size });
    const now = tab.page.viewportSize();
    if (!now) throw new BrowseError("unsupported", "This tab's window sets its own size");
    const { device } = session.emulation.settings;
    return { ...now, scale: tab.metrics.scale, ...(device !== undefined && { device }) };
  },
  render({ width, height, scale, device }) {
    return `${width}x${height}${scale === 1 ? "" : ` at scale ${scale}`}${device === undefined ? "" : ` as ${device}`}`;
  },
});

function assertFitting({ size, scale, device, reset }: ViewportParams): void {
  if (device !== undefined && size !== undefined) {
    throw new BrowseError("invalid_params", '"viewport" takes a size or --device, not both');
  }
  if (reset && (size !== undefined || scale !== undefined || device !== undefined)) {
    throw new BrowseError("invalid_params", "--reset cannot be combined with other flags");
  }
}

async function wantedEmulation(now: Emulation, { scale, device, reset }: ViewportParams): Promise<Emulation> {
  if (reset) return await withoutDevice(now);
  const chosen = device === undefined ? now : { ...now, ...(await deviceNamed(device)) };
  return scale === undefined ? chosen : { ...chosen, metrics: { ...(chosen.metrics ?? PLAIN_SCREEN), scale } };
}

/** A user agent that was set after the device stays. */
async function withoutDevice({ device, metrics: _, size: __, userAgent, ...others }: Emulation): Promise<Emulation> {
  const isDevices = device !== undefined && (await deviceNamed(device)).userAgent === userAgent;
  return { ...others, ...(userAgent !== undefined && !isDevices && { userAgent }) };
}

function parseSize(size: string): Size {
  const [width = 0, height = 0] = size.toLowerCase().split("x").map(Number);
  if (width >= 1 && height >= 1 && width <= MAX_SIDE && height <= MAX_SIDE) return { width, height };
  throw new BrowseError("invalid_params", `Cannot set the viewport to ${size}: each side takes 1 to ${MAX_SIDE}`);
}
