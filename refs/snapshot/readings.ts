/** What the readers of a page's frames say, and where each frame hangs. */
import { setTimeout as delay } from "node:timers/promises";
import type { Frame } from "playwright";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { staleRef } from "../find/stale.ts";
import { framesUnder, ownerOf } from "../frames/frames.ts";
import type { ElementNumber, Operations, ReadAnswer, ReadOptions } from "../page/protocol.ts";
import { ask } from "../reader.ts";
import type { Ref } from "../ref_table.ts";
import { openClosedRoots } from "./closed_roots.ts";
import { tellListeners } from "./dom_listeners.ts";

export interface Reading {
  answer?: ReadAnswer;
  /** Why there is none. */
  failure?: string;
  /** The element in the parent's document that holds the frame. */
  owner?: ElementNumber;
}

export type Readings = Map<Frame, Reading>;

export interface FrameScope {
  frame: Frame;
  /** The element to read below. */
  scope?: Ref | undefined;
  options: ReadOptions;
  signal: AbortSignal;
}

/** How long frames may keep those that have answered waiting, since the last of them did: many take turns in one process. */
const CHILD_FRAME_MS = 5000;
/** Frames that are asked at a time: the first ones of many have answered before the last ones are asked. */
const AT_A_TIME = 8;
/** How long one that does not answer has its turn. */
const TURN_MS = 500;
/** For one that kept silent last time, with the same document: it need not keep every reading waiting. */
const SILENT_MS = 500;
/** Closed shadow roots in closed shadow roots, frames in frames that came while others were read: deeper ones are left alone. */
const MAX_ROUNDS = 3;

/** Every frame under `frame`, read at once. Throws `stale_ref`, `frame_gone`, and what `ask` throws. */
export async function readFrames(tab: Tab, asked: FrameScope): Promise<Readings> {
  let readings = await readOnce(tab, asked);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const unopened = [...readings].filter(([, { answer }]) => answer?.unopened).map(([at]) => at);
    if (unopened.length === 0 || (await openClosedRoots(tab, unopened)) === 0) break;
    readings = await readOnce(tab, asked);
  }
  await findOwners(readings);
  return readings;
}

async function readOnce(tab: Tab, asked: FrameScope): Promise<Readings> {
  const { frame, scope, options, signal } = asked;
  const { modal: _, ...inside } = options;
  const readings: Readings = new Map();
  const first = readOne(tab, frame, scope ? { ...options, root: scope.n } : options, signal);
  // What of a frame is in view is known when its parent has been read.
  const unread = () => (options.viewport ? [] : framesUnder(frame).filter((at) => at !== frame && !readings.has(at)));
  using patience = new Patience();
  const read = async (children: readonly Frame[]) =>
    await inTurns(children, async (child) => {
      readings.set(child, await readChild(child, inside, { tab, signal, patience }));
      patience.renew();
    });
  // All are awaited, also when the first one fails: a rejection that nobody awaits would be the daemon's.
  const [answer] = await Promise.all([first, read(unread())]);
  // The browser tells of a frame before its parent's reader has seen it: those that came meanwhile are known by now.
  for (let round = 0; round < MAX_ROUNDS && unread().length > 0; round++) await read(unread());
  if ("state" in answer)
    throw scope ? staleRef(scope, answer) : new BrowseError("frame_gone", "The frame has left the page");
  if (scope && answer.doc !== scope.doc) throw staleRef(scope, { state: "gone", why: "document", doc: answer.doc });
  readings.set(frame, { answer });
  if (options.viewport) await readSeen(frame, answer, { tab, options: inside, readings, signal });
  return readings;
}

/** With what only the debugger knows, where that is wanted. */
async function readOne(
  tab: Tab,
  frame: Frame,
  options: ReadOptions,
  signal: AbortSignal,
): Promise<Operations["read"]["answer"]> {
  if (options.clickable) await tellListeners(tab, frame, signal);
  return await ask(frame, "read", options, { signal });
}

interface SeenFrames {
  tab: Tab;
  options: ReadOptions;
  readings: Readings;
  signal: AbortSignal;
}

/** Reads of each child frame what the window shows of it. */
async function readSeen(parent: Frame, { nodes }: ReadAnswer, seen: SeenFrames): Promise<void> {
  const { tab, options, readings, signal } = seen;
  using patience = new Patience();
  const children = parent.childFrames().filter((child) => !child.isDetached());
  await Promise.all(
    children.map(async (child) => {
      const n = await ownerOf(child).catch(() => undefined);
      const window = nodes.find((node) => node.n === n && node.frame)?.seen;
      if (n === undefined || !window) return;
      const reading = await readChild(child, { ...options, window }, { tab, signal, patience });
      patience.renew();
      readings.set(child, reading);
      if (reading.answer) await readSeen(child, reading.answer, seen);
    }),
  );
}

/** Works on some of them at a time, until all are done. */
async function inTurns(frames: readonly Frame[], work: (frame: Frame) => Promise<void>): Promise<void> {
  const left = frames.values();
  const all: Promise<void>[] = [];
  const turns = Array.from({ length: AT_A_TIME }, async () => {
    for (const frame of left) {
      const working = work(frame);
      all.push(working);
      await Promise.race([working, delay(TURN_MS, undefined, { ref: false })]);
    }
  });
  await Promise.all(turns);
  await Promise.all(all);
}

interface ChildLimits {
  tab: Tab;
  signal: AbortSignal;
  patience: Patience;
}

/** Frames that did not answer in time, and the address that they were at. */
const silent = new WeakMap<Frame, string>();

async function readChild(frame: Frame, options: ReadOptions, { tab, signal, patience }: ChildLimits): Promise<Reading> {
  const url = frame.url();
  const wasSilent = silent.get(frame) === url;
  const late = wasSilent ? timeUp(SILENT_MS) : patience.signal;
  try {
    const answer = await readOne(tab, frame, options, AbortSignal.any([signal, late, foundEmpty(frame)]));
    silent.delete(frame);
    return "state" in answer ? { failure: "it is gone" } : { answer };
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) silent.set(frame, url);
    return { failure: error instanceof BrowseError ? error.message : "it does not answer" };
  }
}

/** Ends when it turns out to have no document, nor any under way, as when what it names is refused: no script runs there. */
function foundEmpty(frame: Frame): AbortSignal {
  const over = new AbortController();
  const isBare = () => frame.url() === "";
  if (isBare()) {
    const idle = frame.waitForLoadState("networkidle", { timeout: CHILD_FRAME_MS });
    idle
      .then(() => isBare() && over.abort(new BrowseError("frame_gone", "Nothing was loaded into it")))
      .catch(() => {});
  }
  return over.signal;
}

/** Ends when no frame has answered for a while. */
class Patience implements Disposable {
  readonly #over = new AbortController();
  readonly #timer = setTimeout(() => this.#over.abort(notAnswered(CHILD_FRAME_MS)), CHILD_FRAME_MS);

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  renew(): void {
    this.#timer.refresh();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

/** As `AbortSignal.timeout`, for what the reading tells. */
function timeUp(ms: number): AbortSignal {
  const over = new AbortController();
  setTimeout(() => over.abort(notAnswered(ms)), ms).unref();
  return over.signal;
}

function notAnswered(ms: number): BrowseError {
  return new BrowseError("timeout", `It did not answer within ${ms / 1_000} s`);
}

async function findOwners(readings: Readings): Promise<void> {
  await Promise.all(
    [...readings].map(async ([frame, reading]) => {
      const parent = frame.parentFrame();
      if (!parent || !readings.get(parent)?.answer) return;
      // A frame without an element left while it was read: it has no place in the tree.
      const owner = await ownerOf(frame).catch(() => undefined);
      if (owner !== undefined) reading.owner = owner;
    }),
  );
}
