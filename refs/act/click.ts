/** Pressing one element, and never another. */
import type { Frame } from "playwright";
import { abortable, delay } from "../../abort.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { untilBlocked, untilLeaving } from "../effects/interruptions.ts";
import { noteTouched } from "../effects/touched_frames.ts";
import { detachedFrameRef } from "../find/stale.ts";
import type { ActOperations, GuardReport } from "../page/act/protocol.ts";
import type { Box, Point } from "../page/protocol.ts";
import { ask } from "../reader.ts";
import { labelOf, type Ref, refsOf } from "../ref_table.ts";
import { hitReportsOf } from "./hit_reports.ts";
import { findHitTarget, findHitTargetAgain, type HitTarget } from "./hit_target.ts";
import { Mouse, type MousePress } from "./mouse.ts";
import { chooseOption } from "./native_list.ts";
import { coveredError } from "./refusal.ts";

/** Looks and presses before the element is given up on. */
const MAX_ATTEMPTS = 3;
/**
 * Before another attempt, for what came in between to pass, and for whether the element stands still to show. Three
 * attempts stay within the tenth of a second that a refusal may take.
 */
const RETRY_MS = 25;
/**
 * A frame and a half at 60 Hz: the browser finds the frame that the mouse is over by what was drawn last, which may be
 * the page before it was scrolled.
 */
const FRAME_MS = 25;
/** How long a document may take to say what its guard saw. */
const MAX_REPORT_MS = 15_000;
/** The same for one that is about to be left. */
const MAX_LAST_WORDS_MS = 250;

export interface ClickOptions extends Partial<MousePress> {
  /** From the top left of the element; its middle when absent. */
  position?: Point;
  signal: AbortSignal;
}

/**
 * Presses the element: looks at it through every frame around it, arms their guards, sends the mouse, and asks what
 * was hit. An option of a native list is selected instead. `down` when the element went or hid as the mouse came down
 * on it: it has acted by then, but has not been clicked. Throws `not_visible`, `disabled`, `covered`, `stale_ref` or
 * `detached`; whatever is thrown, nothing has been clicked, and nothing but the element has been pressed.
 */
export async function clickElement(tab: Tab, ref: Ref, options: ClickOptions): Promise<"clicked" | "down"> {
  noteTouched(tab, ref.frame);
  try {
    return await pressUntilReached(tab, ref, options);
  } finally {
    hitReportsOf(tab).end();
  }
}

async function pressUntilReached(tab: Tab, ref: Ref, options: ClickOptions): Promise<"clicked" | "down"> {
  const { position, signal, ...how } = options;
  const mouse = new Mouse(tab, how);
  let blockedBy: GuardReport["blockedBy"];
  let seenAt: Box | undefined;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if (attempt > 1) await delay(RETRY_MS, signal);
    await abortable(hitReportsOf(tab).begin(ref), signal);
    const hitTarget = await aim(tab, ref, mouse, { position, arm: true, seenAt, signal });
    if (hitTarget === "option") {
      await chooseOption(tab, ref, { signal });
      return "clicked";
    }
    const report = await pressAt(tab, ref, () => mouse.click(hitTarget.point), signal);
    if (!report || report.press === "element") return howReached(tab, ref, report);
    blockedBy = report.blockedBy;
    seenAt = hitTarget.ready.box;
    // What nobody saw may have gone to a frame, and is not repeated.
    if (report.press === "none" && hitTarget.ready.hasFrames) break;
  }
  throw coveredError(tab, ref, blockedBy);
}

/** Moves the mouse onto the element. */
export async function hover(tab: Tab, ref: Ref, { signal }: { signal: AbortSignal }): Promise<void> {
  noteTouched(tab, ref.frame);
  const hitTarget = await findHitTarget(tab, ref, { arm: false, signal });
  if (hitTarget === "option") return;
  await abortable(untilBlocked(tab, new Mouse(tab).move(hitTarget.point)), signal);
}

/** Where to press. A frame that comes to lie over it would take the press unseen: there the mouse goes first. */
async function aim(
  tab: Tab,
  ref: Ref,
  mouse: Mouse,
  options: Parameters<typeof findHitTarget>[2],
): Promise<HitTarget | "option"> {
  const hitTarget = await findHitTarget(tab, ref, options);
  if (hitTarget === "option" || !hitTarget.ready.hasFrames) return hitTarget;
  if (hitTarget.scrolled) await delay(FRAME_MS, options.signal);
  await abortable(untilBlocked(tab, mouse.move(hitTarget.point)), options.signal);
  return await findHitTargetAgain(tab, ref, hitTarget, options);
}

/** Undefined when nobody is left to ask: the press opened a dialog, left the page or closed the tab. */
async function pressAt(
  tab: Tab,
  ref: Ref,
  send: () => Promise<void>,
  signal: AbortSignal,
): Promise<GuardReport | undefined> {
  using leaving = untilLeaving(tab);
  let report: Promise<GuardReport | undefined> | undefined;
  try {
    const sent = send();
    if ((await abortable(untilBlocked(tab, sent), signal)) === "blocked") return undefined;
    report = hitReport(ref);
    const silence = leaving.promise.then(() => delay(MAX_LAST_WORDS_MS, signal)).then(() => undefined);
    const answer = await abortable(Promise.race([report, silence]), signal);
    if (answer) noteTouched(tab, ref.frame, answer.changes);
    return answer ?? fromWitness(tab, ref);
  } catch (error) {
    if (error instanceof BrowseError && (error.kind === "stale_ref" || error.kind === "detached")) throw error;
    if (!tab.isOpen || ref.frame.isDetached()) return fromWitness(tab, ref);
    throw error;
  } finally {
    // Whatever ended the wait, the guards are let go; a document that is gone took its own along.
    (report ?? hitReport(ref)).catch(() => undefined);
  }
}

/** What is known of a press whose document has been left, or does not answer. Undefined: it reached the element. */
function fromWitness(tab: Tab, ref: Ref): undefined {
  const seen = hitReportsOf(tab).sawIn(ref.doc);
  if (seen === "element") return undefined;
  if (seen === "blocked") throw coveredError(tab, ref, undefined);
  throw new BrowseError("detached", `The page navigated away before ${labelOf(ref)} was pressed`, {
    hint: "Run `browse snapshot -i`: the page has changed",
  });
}

/**
 * Asks the guards what they saw, and lets them go unless the gesture goes on. Undefined when the element's document is
 * gone and none around it has seen the press. Throws `stale_ref` when its frame had gone before.
 */
export async function hitReport(ref: Ref, keep = false): Promise<GuardReport | undefined> {
  const { doc, n, role, name } = ref;
  const around: Frame[] = [];
  for (let frame = ref.frame.parentFrame(); frame; frame = frame.parentFrame()) around.push(frame);
  const [own, ...others] = await Promise.all([
    lateReport(ref.frame, { doc, n, role, name, keep }),
    ...around.map((frame) => lateReport(frame, { keep })),
  ]);
  if (own && own.press !== "none") return own;
  const isAstray = others.some((report) => report?.press === "blocked");
  if (isAstray && !own) throw detachedFrameRef(ref);
  if (own && isAstray) return { ...own, press: "blocked" };
  return own?.left ? undefined : own;
}

/** Undefined when the frame has gone. */
async function lateReport(
  frame: Frame,
  params: ActOperations["hitReport"]["params"],
): Promise<GuardReport | undefined> {
  try {
    // Not the call's signal: a guard must be let go also when the call is cancelled.
    return await ask(frame, "hitReport", params, { signal: AbortSignal.timeout(MAX_REPORT_MS) });
  } catch (error) {
    if (frame.isDetached()) return undefined;
    throw error;
  }
}

/**
 * The element took the press, and the click with it. One that went or hid when the mouse came down has acted by then;
 * but when it is still there, or its successor is, nothing has been clicked.
 */
function howReached(tab: Tab, ref: Ref, report: GuardReport | undefined): "clicked" | "down" {
  if (!report || report.clicked) return "clicked";
  const label = labelOf(ref);
  const { frame, doc } = ref;
  if (report.replacement) {
    const next = refsOf(tab).giveDescribed(frame, doc, report.replacement, "replacement");
    throw new BrowseError("detached", `${label} was replaced while the mouse was down on it, and was not clicked`, {
      details: { replacement: next.id },
      hint: `The element in its place is ${next.id}`,
    });
  }
  if (report.now === "disabled") {
    throw new BrowseError("disabled", `${label} was disabled when the mouse came down on it, and was not clicked`);
  }
  if (report.now !== "usable") return "down";
  const hint = "The page changed when the mouse came down: try again";
  if (report.released === "element") {
    const message = `${label} was taken out of the page and put back while the mouse was down on it, and was not clicked`;
    throw new BrowseError("detached", message, { hint });
  }
  const cover = report.blockedBy && refsOf(tab).giveDescribed(frame, doc, report.blockedBy, "cover");
  const what = cover ? labelOf(cover) : "something else";
  throw new BrowseError("covered", `${label} was not clicked: ${what} came under the mouse while it was down`, {
    details: cover ? { cover: { ref: cover.id, role: cover.role, name: cover.name } } : {},
    hint,
  });
}
