/** Where an element is in the page, through every frame around it, and whether a press there would reach it. */
import type { Frame } from "playwright";
import { delay } from "../../abort.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { askRef } from "../find/ask_ref.ts";
import { holderOf } from "../frames/frame_holder.ts";
import type { ActOperations, Expected, ProbeParams, Ready } from "../page/act/protocol.ts";
import type { Box, ElementId, Point } from "../page/protocol.ts";
import { ask } from "../reader.ts";
import { labelOf, type Ref } from "../ref_table.ts";
import { coveredError, refused } from "./refusal.ts";

/** How long a moving element is waited for. */
const MAX_MOVING_MS = 2000;
/** Between two looks at something that moves: a frame and a half at 60 Hz. */
const LOOK_AGAIN_MS = 25;

export interface HitTargetOptions {
  position?: Point | undefined;
  /** Arms the guards of the element's document and of those around it. */
  arm: boolean;
  anyHit?: boolean;
  /** Where it was seen before, when nothing is to be taken on trust: it stands still once two looks agree. */
  seenAt?: Box | undefined;
  signal: AbortSignal;
}

export interface HitTarget {
  /** In page coordinates. */
  point: Point;
  ready: Ready;
  /** The documents around the element's own, from the inside out. */
  way: readonly Step[];
  /** Something had to be scrolled for it. */
  scrolled: boolean;
}

/** A document on the way to the page. */
interface Step {
  frame: Frame;
  /** Its element that holds the next document inside. */
  holder: ElementId;
  /** In the viewport of the document inside. */
  from: Point;
  /** The same in this document's viewport. */
  to: Point;
  scrolled: boolean;
}

export function expectedOf({ doc, n, role, name }: Ref): Expected {
  return { doc, n, role, name };
}

/** Looks until the element stands still. `option`: it is an option of a native list, which has no place to press. */
export async function findHitTarget(tab: Tab, ref: Ref, options: HitTargetOptions): Promise<HitTarget | "option"> {
  const first = await lookUntilStill(tab, ref, options);
  if (first) return first;
  // A page that is still being laid out may have moved it away right after it was scrolled into view.
  await delay(LOOK_AGAIN_MS, options.signal);
  const second = await lookUntilStill(tab, ref, options);
  if (second) return second;
  throw refused(tab, ref, { state: "outside" });
}

/** Undefined when no scrolling brings it into view. */
async function lookUntilStill(
  tab: Tab,
  ref: Ref,
  options: HitTargetOptions,
): Promise<HitTarget | "option" | undefined> {
  const until = performance.now() + MAX_MOVING_MS;
  let before = options.seenAt;
  for (;;) {
    const ready = await probe(tab, ref, options);
    if (!ready || ready === "option") return ready;
    const isStill = before ? isSameBox(before, ready.box) : !ready.moving;
    // What never stands still is pressed all the same: the guard lets nothing but the element have it.
    if (isStill || performance.now() > until) {
      const way = await climb(tab, ref, ready.point, options);
      return way && sightOf(ref, ready, way);
    }
    before = ready.box;
    await delay(LOOK_AGAIN_MS, options.signal);
  }
}

async function probe(tab: Tab, ref: Ref, options: HitTargetOptions): Promise<Ready | "option" | undefined> {
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

/**
 * The same once more, asked of all documents at once since it is known where to look; one after the other when anything
 * is not where it was.
 */
export async function findHitTargetAgain(
  tab: Tab,
  ref: Ref,
  seen: HitTarget,
  options: HitTargetOptions,
): Promise<HitTarget | "option"> {
  const around = Promise.all(seen.way.map((step) => leadsThere(step, options)));
  // The element's own refusal says more than that of a document around it.
  around.catch(() => undefined);
  const ready = await probe(tab, ref, options);
  const isHere = typeof ready === "object" && !ready.moving && isSamePoint(ready.point, seen.ready.point);
  const isThere = (await around).every(Boolean);
  if (!isHere || !isThere) return await findHitTarget(tab, ref, options);
  return sightOf(ref, ready, seen.way);
}

async function leadsThere(step: Step, options: HitTargetOptions): Promise<boolean> {
  const answer = await through(step, options);
  return answer.state === "ready" && isSamePoint(answer.point, step.to);
}

/** From the element's frame to the page; each document on the way has its say and guards itself. */
async function climb(tab: Tab, ref: Ref, start: Point, options: HitTargetOptions): Promise<Step[] | undefined> {
  const way: Step[] = [];
  let from = start;
  for (let inner = ref.frame; ; ) {
    const frame = inner.parentFrame();
    if (!frame) return way;
    const holder = await holderOf(inner, options.signal);
    const answer = await through({ frame, holder, from }, options);
    if (answer.state === "covered") throw coveredError(tab, ref, answer.by, { frame, doc: holder.doc });
    if (answer.state === "hidden") {
      throw new BrowseError("not_visible", `${labelOf(ref)} is not visible: the frame it is in is hidden`);
    }
    if (answer.state === "outside") return undefined;
    if (answer.state !== "ready") throw refused(tab, ref, answer);
    way.push({ frame, holder, from, to: answer.point, scrolled: answer.scrolled });
    from = answer.point;
    inner = frame;
  }
}

async function through(
  { frame, holder, from }: Pick<Step, "frame" | "holder" | "from">,
  { arm, anyHit, signal }: HitTargetOptions,
): Promise<ActOperations["through"]["answer"]> {
  return await ask(frame, "through", { ...holder, point: from, arm, ...(anyHit && { anyHit }) }, { signal });
}

function sightOf(ref: Ref, ready: Ready, way: readonly Step[]): HitTarget {
  // In its document, or beside it in one around.
  const hasFrames = ready.hasFrames || ref.frame.parentFrame() !== null;
  const scrolled = ready.scrolled || way.some((step) => step.scrolled);
  return { point: way.at(-1)?.to ?? ready.point, ready: { ...ready, hasFrames }, way, scrolled };
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.5;
}

function isSamePoint(a: Point, b: Point): boolean {
  return isNear(a.x, b.x) && isNear(a.y, b.y);
}

function isSameBox(a: Box, b: Box): boolean {
  return isSamePoint(a, b) && isNear(a.width, b.width) && isNear(a.height, b.height);
}
