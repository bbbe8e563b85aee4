/** Dragging one element onto another: with the mouse, and with the browser's own drag and drop where the page starts it. */
import type { CDPSession } from "playwright";
import { abortable, delay } from "../../abort.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { untilBlocked } from "../effects/interruptions.ts";
import { noteTouched } from "../effects/touched_frames.ts";
import type { PlaceAnswer } from "../page/act/protocol.ts";
import type { Point } from "../page/protocol.ts";
import { ask } from "../reader.ts";
import { labelOf, type Ref } from "../ref_table.ts";
import { hitReport } from "./click.ts";
import { expectedOf, findHitTarget, type HitTargetOptions } from "./hit_target.ts";
import { Mouse } from "./mouse.ts";
import { coveredError } from "./refusal.ts";

/** Mouse positions between the two elements; libraries need several to see a drag. */
const STEPS = 8;
/** Beyond what browsers and libraries take for a trembling hand. CSS pixels. */
const FIRST_STEP = 12;
/** Between moves of a mouse that stays over the target: what browsers and libraries look at a drag by. */
const LINGER_MS = 50;
/** Moves in a row that have changed nothing: longer than lists take to make room (150 ms in SortableJS). */
const STILL_MOVES = 4;
/** Moves at most, for pages that never come to rest. */
const MAX_MOVES = 20;
/** The moves of a hand that stays: to every side of the point, which may be the very middle that a list decides by. */
const TREMBLE: readonly Point[] = [
  { x: 1, y: 2 },
  { x: -1, y: -2 },
  { x: 2, y: -1 },
  { x: -2, y: 1 },
];
/** For the page to put the element where it was dropped. */
const MAX_PLACED_MS = 300;
/** From the page's `dragstart` to the browser's word of it. */
const MAX_START_MS = 2000;

/** The `data` of CDP's `Input.dragIntercepted`. */
type DragData = Parameters<CDPSession["send"]>[1] & object;

/** Where the dragged element is among others of its kind, before and after. */
export interface Moved {
  before: PlaceAnswer;
  after: PlaceAnswer;
}

/**
 * Presses on `from`, moves onto `to`, stays there until the page has made room, lets go. Answers with where `from` is
 * now; undefined when it is in another document or cannot be told. Throws what `press` throws, for either element.
 */
export async function drag(
  tab: Tab,
  from: Ref,
  to: Ref,
  { signal }: { signal: AbortSignal },
): Promise<Moved | undefined> {
  noteTouched(tab, from.frame);
  noteTouched(tab, to.frame);
  const before = await placeOf(from, signal);
  // The end is looked at first: looking may scroll, and the start has to be where it was seen.
  await pointOf(tab, to, { arm: false, signal });
  const start = await pointOf(tab, from, { arm: true, signal });
  const mouse = new Mouse(tab);
  const cdp = await tab.cdp();
  using intercepted = untilIntercepted(cdp);
  await cdp.send("Input.setInterceptDrags", { enabled: true });
  try {
    await abortable(untilBlocked(tab, dragBetween(tab, { from, to, start, mouse, cdp, intercepted, signal })), signal);
  } finally {
    await cdp.send("Input.setInterceptDrags", { enabled: false });
  }
  const after = before && (await untilPlaced(from, before, signal));
  return before && after && { before, after };
}

/** Undefined when nobody can tell: the page has left, or has made another element of it. */
async function placeOf(ref: Ref, signal: AbortSignal): Promise<PlaceAnswer | undefined> {
  const answer = await ask(ref.frame, "placeOf", expectedOf(ref), { signal }).catch((error: unknown) => {
    if (error instanceof BrowseError && !signal.aborted) return undefined;
    throw error;
  });
  return answer?.state === "place" ? answer : undefined;
}

async function untilPlaced(ref: Ref, before: PlaceAnswer, signal: AbortSignal): Promise<PlaceAnswer | undefined> {
  const until = performance.now() + MAX_PLACED_MS;
  for (;;) {
    const after = await placeOf(ref, signal);
    if (!after || !isSamePlace(before, after) || performance.now() > until) return after;
    await delay(LINGER_MS, signal);
  }
}

export function isSamePlace(a: PlaceAnswer, b: PlaceAnswer): boolean {
  return a.position === b.position && a.of === b.of && a.holder?.n === b.holder?.n;
}

interface Drag {
  from: Ref;
  to: Ref;
  start: Point;
  mouse: Mouse;
  cdp: CDPSession;
  intercepted: Interception;
  signal: AbortSignal;
}

async function dragBetween(tab: Tab, { from, to, start, mouse, cdp, intercepted, signal }: Drag): Promise<void> {
  let at = start;
  try {
    await Promise.all([mouse.move(start), mouse.down(start)]);
    at = { x: start.x + FIRST_STEP, y: start.y + FIRST_STEP / 2 };
    await mouse.move(at, true);
    const report = await hitReport(from, true);
    if (report?.press !== "element") throw coveredError(tab, from, report?.blockedBy);
    const data = report.dragging ? await intercepted.within(MAX_START_MS) : undefined;
    const end = await pointOf(tab, to, { arm: false, anyHit: true, signal });
    const over = data ? dragOver(cdp, data) : (point: Point) => mouse.move(point, true);
    for (const point of steps(at, end)) await over(point);
    at = end;
    await linger(from, end, over, signal);
    if (data) await cdp.send("Input.dispatchDragEvent", { type: "drop", ...end, data: data as never });
  } finally {
    // Whatever happened, the button does not stay down, and the guard does not stay armed.
    await hitReport(from).catch(() => undefined);
    await mouse.up(at);
  }
}

/** The browser's own drag is ours to carry on once it is intercepted. */
function dragOver(cdp: CDPSession, data: DragData): (point: Point) => Promise<unknown> {
  let type: "dragEnter" | "dragOver" = "dragEnter";
  return async ({ x, y }) => {
    await cdp.send("Input.dispatchDragEvent", { type, x, y, data: data as never });
    type = "dragOver";
  };
}

/** Stays over the point until the page has made room for what is dragged. */
async function linger(
  from: Ref,
  at: Point,
  over: (point: Point) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  let last = "";
  for (let moves = 0, still = 0; still < STILL_MOVES && moves < MAX_MOVES; moves++) {
    await delay(LINGER_MS, signal);
    const { x, y } = TREMBLE[moves % TREMBLE.length] as Point;
    await over({ x: at.x + x, y: at.y + y });
    const now = JSON.stringify(await placeOf(from, signal));
    still = now === last ? still + 1 : 0;
    last = now;
  }
  await over(at);
}

async function pointOf(tab: Tab, ref: Ref, options: HitTargetOptions): Promise<Point> {
  const hitTarget = await findHitTarget(tab, ref, options);
  if (hitTarget !== "option") return hitTarget.point;
  throw new BrowseError("invalid_params", `${labelOf(ref)} is an option of a native list, which cannot be dragged`, {
    hint: "Use `browse select`",
  });
}

function steps(from: Point, to: Point): Point[] {
  return Array.from({ length: STEPS }, (_, index) => {
    const part = (index + 1) / STEPS;
    return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
  });
}

interface Interception extends Disposable {
  within(ms: number): Promise<DragData | undefined>;
}

function untilIntercepted(cdp: CDPSession): Interception {
  const { promise, resolve } = Promise.withResolvers<DragData | undefined>();
  const onDrag = ({ data }: { data: DragData }) => resolve(data);
  cdp.on("Input.dragIntercepted", onDrag);
  let timer: NodeJS.Timeout | undefined;
  return {
    within(ms) {
      timer = setTimeout(() => resolve(undefined), ms);
      return promise;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      cdp.off("Input.dragIntercepted", onDrag);
    },
  };
}
