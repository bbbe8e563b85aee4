import type { Frame } from "playwright";
import * as v from "valibot";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { cutUrl } from "../../security/secrets/redact.ts";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";
import { frameHeldBy, frameLike } from "./_frame_of.ts";

const Params = v.strictObject({
  target: v.exactOptional(v.pipe(Target, v.description("The element that holds the frame, or main"))),
  name: v.exactOptional(v.pipe(v.string(), v.minLength(1, "must not be empty"), v.description("Its name attribute"))),
  url: v.exactOptional(
    v.pipe(v.string(), v.minLength(1, "must not be empty"), v.maxLength(10_000), v.description("Part of its address")),
  ),
});

export default defineCommand({
  name: "frame",
  category: "navigate",
  summary: "Scope later selectors to a frame, or back to the main frame",
  description:
    "Refs of all frames work without it. When the frame leaves the page, the next command says so, and selectors apply to " +
    "the main frame again.",
  scope: "meta",
  effect: "none",
  needs: "tab",
  output: "page",
  fromPage: "parts",
  params: Params,
  cli: { positional: ["target"] },
  result: v.strictObject({ url: v.string(), name: v.exactOptional(v.string()), main: v.boolean() }),
  examples: ["browse frame", "browse frame main"],
  async run({ tab, signal }, params) {
    const frame = await chosenFrame(tab, params, signal);
    tab.scopeTo(frame === tab.page.mainFrame() ? undefined : frame);
    const name = frame.name();
    return { url: cutUrl(frame.url()), ...(name && { name }), main: frame === tab.page.mainFrame() };
  },
  render: ({ url, name, main }) =>
    main ? `In the main frame: ${url}` : `In the frame ${name ? `"${name}" ` : ""}${url}`,
});

async function chosenFrame(tab: Tab, params: v.InferOutput<typeof Params>, signal: AbortSignal): Promise<Frame> {
  const { target, ...like } = params;
  const isLike = Object.keys(like).length > 0;
  if (target !== undefined && isLike) {
    throw new BrowseError("invalid_params", '"frame" takes an element, or --name and --url, not both');
  }
  if (isLike) return frameLike(tab, like);
  if (target === undefined) return tab.frame;
  return target === "main" ? tab.page.mainFrame() : await frameHeldBy(tab, target, { signal });
}
