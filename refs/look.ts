/** Where an element is in the page, through every frame around it, and whether a press there would reach it. */
import type { Frame } from "playwright";
import type { Tab } from "../browser/tab.ts";
import { BrowseError } from "../rpc/errors.ts";
import { askRef } from "./ask_ref.ts";
import { holderOf } from "./frame_holder.ts";
import type { Expected, ProbeParams, Ready } from "./page/act_protocol.ts";
import type { Box, Point } from "./page/protocol.ts";
import { pause } from "./pause.ts";
import { ask } from "./reader.ts";
import { coveredError, refused } from "./refusal.ts";
import { labelOf, type Ref } from "./table.ts";

/** How long a moving element is waited for. */
const MAX_MOVING_MS = 2000;
/** Between two looks at something that moves: a frame and a half at 60 Hz. */
const LOOK_AGAIN_MS = 25;

export interface LookOptions {
  position?: Point | undefined;
  /** Arms the guards of the element's document and of those around it. */
  arm: boolean;
  anyHit?: boolean;
  /** Where it was seen before, when nothing is to be taken on trust: it stands still once two looks agree. */
  seenAt?: Box | undefined;
  signal: AbortSignal;
}

export interface Sight {
  /** In page coordinates. */
  point: Point;
  ready: Ready;
}

export function expectedOf({ doc, n, role, name }: Ref): Expected {
  return { doc, n, role, name };
}

/** Looks until the element stands still. `option`: it is an option of a native list, which has no place to press. */
export async function look(tab: Tab, ref: Ref, options: LookOptions): Promise<Sight | "option"> {
  const first = await lookUntilStill(tab, ref, options);
  if (first) return first;
  // A page that is still being laid out may have moved it away right after it was scrolled into view.
  await pause(LOOK_AGAIN_MS, options.signal);
  const second = await lookUntilStill(tab, ref, options);
  if (second) return second;
  throw refused(tab, ref, { state: "outside" });
}

/** Undefined when no scrolling brings it into view. */
async function lookUntilStill(tab: Tab, ref: Ref, options: LookOptions): Promise<Sight | "option" | undefined> {
  const until = performance.now() + MAX_MOVING_MS;
  let before = options.seenAt;
  for (;;) {
    const ready = await probe(tab, ref, options);
    if (!ready || ready === "option") return ready;
    const isStill = before ? isSameBox(before, ready.box) : !ready.moving;
    // What never stands still is pressed all the same: the guard lets nothing but the element have it.
    if (isStill || performance.now() > until) {
      const point = await toPage(tab, ref, ready.point, options);
      const hasFrames = ready.hasFrames || ref.frame.parentFrame() !== null;
      return point && { point, ready: { ...ready, hasFrames } };
    }
    before = ready.box;
    await pause(LOOK_AGAIN_MS, options.signal);
  }
}

async function probe(tab: Tab, ref: Ref, options: LookOptions): Promise<Ready | "option" | undefined> {
  const { position, arm, anyHit, signal } = options;
  const params: ProbeParams = { ...expectedOf(ref), arm };
  if (position) params.position = position;
  if (anyHit) params.anyHit = true;
  const answer = await askRef(ref, "probe", params, { signal });
  if (answer.state === "ready") return answer;
  if (answer.state === "option") return "option";
  if (answer.state === "outside") return undefined;
  throw refused(tab, ref, answer);
}

/** Climbs from the element's frame to the page; each document on the way has its say and guards itself. */
async function toPage(
  tab: Tab,
  ref: Ref,
  start: Point,
  { arm, anyHit, signal }: LookOptions,
): Promise<Point | undefined> {
  let point = start;
  for (let frame: Frame = ref.frame; ; ) {
    const parent = frame.parentFrame();
    if (!parent) return point;
    const holder = await holderOf(frame, signal);
    const params = { ...holder, point, arm, ...(anyHit ? { anyHit } : {}) };
    const answer = await ask(parent, "through", params, { signal });
    if (answer.state === "covered") throw coveredError(tab, ref, answer.by, { frame: parent, doc: holder.doc });
    if (answer.state === "hidden") {
      throw new BrowseError("not_visible", `${labelOf(ref)} is not visible: the frame it is in is hidden`);
    }
    if (answer.state === "outside") return undefined;
    if (answer.state !== "ready") throw refused(tab, ref, answer);
    point = answer.point;
    frame = parent;
  }
}

function isSameBox(a: Box, b: Box): boolean {
  const near = (x: number, y: number) => Math.abs(x - y) < 0.5;
  return near(a.x, b.x) && near(a.y, b.y) && near(a.width, b.width) && near(a.height, b.height);
}
