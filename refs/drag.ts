/** Dragging one element onto another: with the mouse, and with the browser's own drag and drop where the page starts it. */
import type { CDPSession } from "playwright";
import type { Tab } from "../browser/tab.ts";
import { untilAborted } from "../browser/tab_lock.ts";
import { BrowseError } from "../rpc/errors.ts";
import { noteTouched } from "./acted.ts";
import { untilBlocked } from "./leaving.ts";
import { type LookOptions, look } from "./look.ts";
import { Mouse } from "./mouse.ts";
import type { Point } from "./page/protocol.ts";
import { landed } from "./press.ts";
import { coveredError } from "./refusal.ts";
import { labelOf, type Ref } from "./table.ts";

/** Mouse positions between the two elements; libraries need several to see a drag. */
const STEPS = 8;
/** Beyond what browsers and libraries take for a trembling hand. CSS pixels. */
const FIRST_STEP = 12;
/** From the page's `dragstart` to the browser's word of it. */
const MAX_START_MS = 2000;

/** The `data` of CDP's `Input.dragIntercepted`. */
type DragData = Parameters<CDPSession["send"]>[1] & object;

/** Presses on `from`, moves onto `to`, lets go. Throws what `press` throws, for either element. */
export async function drag(tab: Tab, from: Ref, to: Ref, { signal }: { signal: AbortSignal }): Promise<void> {
  noteTouched(tab, from.frame);
  noteTouched(tab, to.frame);
  // The end is looked at first: looking may scroll, and the start has to be where it was seen.
  await pointOf(tab, to, { arm: false, signal });
  const start = await pointOf(tab, from, { arm: true, signal });
  const mouse = new Mouse(tab);
  const cdp = await tab.cdp();
  using intercepted = untilIntercepted(cdp);
  await cdp.send("Input.setInterceptDrags", { enabled: true });
  try {
    await untilAborted(
      untilBlocked(tab, dragBetween(tab, { from, to, start, mouse, cdp, intercepted, signal })),
      signal,
    );
  } finally {
    await cdp.send("Input.setInterceptDrags", { enabled: false });
  }
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
    const report = await landed(from, true);
    if (report?.press !== "element") throw coveredError(tab, from, report?.blockedBy);
    const data = report.dragging ? await intercepted.within(MAX_START_MS) : undefined;
    const end = await pointOf(tab, to, { arm: false, anyHit: true, signal });
    if (data) await dropData(cdp, data, steps(at, end));
    else for (const point of steps(at, end)) await mouse.move(point, true);
    at = end;
  } finally {
    // Whatever happened, the button does not stay down, and the guard does not stay armed.
    await landed(from).catch(() => undefined);
    await mouse.up(at);
  }
}

/** The browser's own drag is ours to carry on once it is intercepted. */
async function dropData(cdp: CDPSession, data: DragData, path: Point[]): Promise<void> {
  const last = path.at(-1);
  if (!last) return;
  const send = (type: "dragEnter" | "dragOver" | "drop", { x, y }: Point) =>
    cdp.send("Input.dispatchDragEvent", { type, x, y, data: data as never });
  for (const [index, point] of path.entries()) await send(index === 0 ? "dragEnter" : "dragOver", point);
  await send("dragOver", last);
  await send("drop", last);
}

async function pointOf(tab: Tab, ref: Ref, options: LookOptions): Promise<Point> {
  const sight = await look(tab, ref, options);
  if (sight !== "option") return sight.point;
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
