/** Leaves out of a recording what did not lead to its read: failures, looks, and ways that were given up. */
import type { ActedOn } from "../../rpc/events/journal.ts";
import type { RecordedCall, Recording } from "./recording.ts";
import { OPENS, takenBy } from "./taken.ts";

export interface DroppedCall {
  id: string;
  command: string;
  why: string;
}

const NOTHING_USED = "nothing used what it answered";

export interface Pruned {
  kept: RecordedCall[];
  dropped: DroppedCall[];
}

/** Put the page, or a field, into another state. */
const FIELD_INPUT: ReadonlySet<string> = new Set(["fill", "type", "select", "check", "uncheck", "fill-form", "focus"]);
/** Actions that are worth repeating although nothing was seen to come of them. */
const QUIET: ReadonlySet<string> = new Set([...FIELD_INPUT, ...OPENS, "reload", "back", "forward"]);
/** With nothing of their own to answer. */
const KEPT_LOOKS: ReadonlySet<string> = new Set(["wait", "frame"]);

/** `isAction`: does the command touch the page or where it is? */
export function pruned({ calls, read }: Recording, isAction: (call: RecordedCall) => boolean): Pruned {
  const list = new PruneList(calls);
  for (const call of calls) if (call.outcome !== "ok") list.drop(call, "it failed");
  for (const call of list.kept) {
    if (isAction(call) && call.effect?.nothing && !QUIET.has(call.command)) list.drop(call, "nothing came of it");
  }
  dropUndone(list);
  dropReplaced(list, isAction);
  dropFilledAgain(list);
  // From the end: a read that only another one used goes with it.
  for (const call of list.kept.toReversed()) {
    if (call === read || isAction(call) || KEPT_LOOKS.has(call.command) || usedReads(list.kept).has(call.id)) continue;
    list.drop(call, NOTHING_USED);
  }
  dropIdleWaits(list);
  return { kept: list.kept, dropped: list.dropped };
}

class PruneList {
  kept: RecordedCall[];
  readonly dropped: DroppedCall[] = [];

  constructor(calls: readonly RecordedCall[]) {
    this.kept = [...calls];
  }

  drop(call: RecordedCall, why: string): void {
    if (!this.kept.includes(call)) return;
    this.kept = this.kept.filter((other) => other !== call);
    this.dropped.push({ id: call.id, command: call.command, why });
  }

  /** From one index to before another, of those that are kept now. */
  dropRange(from: number, to: number, why: string): void {
    for (const call of this.kept.slice(from, to)) this.drop(call, why);
  }
}

/** `back` undoes what led away, as long as nothing lasting was done there; so does `uncheck` a `check`. */
function dropUndone(list: PruneList): void {
  for (const call of list.kept) {
    const next = list.kept[list.kept.indexOf(call) + 1];
    if (call.command !== "back" || next?.command !== "forward") continue;
    for (const each of [call, next]) list.drop(each, "it was undone at once");
  }
  for (let at = 0; at < list.kept.length; at++) {
    const call = list.kept[at];
    if (call?.command !== "back") continue;
    const left = list.kept.slice(0, at).findLastIndex((earlier) => leadsAway(earlier));
    const way = left < 0 ? [] : list.kept.slice(left, at);
    if (left < 0 || !way.every(isPassing)) continue;
    list.dropRange(left, at + 1, "it was taken back");
    at = left - 1;
  }
  for (const call of list.kept) {
    const index = list.kept.indexOf(call);
    const next = list.kept[index + 1];
    const isPair = next && new Set([call.command, next.command]).isSupersetOf(new Set(["check", "uncheck"]));
    if (isPair && isSameElement(call, next)) list.drop(call, "it was undone at once");
  }
}

/** A page that was opened, and nothing lasting done there, before another was opened. */
function dropReplaced(list: PruneList, isAction: (call: RecordedCall) => boolean): void {
  for (let at = list.kept.length - 1; at > 0; at--) {
    const call = list.kept[at];
    if (!call || !OPENS.has(call.command)) continue;
    const opened = list.kept.slice(0, at).findLastIndex(({ command }) => OPENS.has(command));
    const begin = Math.max(opened, 0);
    const way = list.kept.slice(begin, at);
    const used = usedReads(list.kept.slice(at));
    if (way.some(({ id }) => used.has(id)) || !way.every((each) => !isAction(each) || isPassing(each))) continue;
    list.dropRange(begin, at, "another page was opened before anything came of it");
    at = begin + 1;
  }
}

/** A field that is filled once more, with nothing lasting in between: the first try is not needed to get there. */
function dropFilledAgain(list: PruneList): void {
  for (let at = list.kept.length - 1; at > 0; at--) {
    const call = list.kept[at];
    if (!call || (call.command !== "fill" && call.command !== "select")) continue;
    const before = list.kept
      .slice(0, at)
      .findLastIndex((other) => other.command === call.command && isSameElement(other, call));
    const way = before < 0 ? [] : list.kept.slice(before, at);
    if (before < 0 || !way.every(isPassing)) continue;
    const hasLeft = way.some(leadsAway);
    list.dropRange(before, hasLeft ? at : before + 1, "the same field was filled again");
    at = before;
  }
}

/** A wait with nothing between it and the opening of the next page waits for nothing. */
function dropIdleWaits(list: PruneList): void {
  for (const call of list.kept) {
    const { what } = call.params;
    // Of a ref nothing is known that would be there the next time.
    const isOfRef = typeof what === "string" && (what.startsWith("@") || /^[\d.]+(ms|s|m)?$/.test(what));
    if (call.command === "wait" && isOfRef) list.drop(call, "each step waits for what it needs");
  }
}

function usedReads(calls: readonly RecordedCall[]): Set<string> {
  return new Set(calls.flatMap(takenBy).map(({ call }) => call));
}

/** Does it go to another document? */
export function leadsAway({ command, effect }: RecordedCall): boolean {
  return OPENS.has(command) || command === "back" || command === "forward" || effect?.navigated !== undefined;
}

/** Leaves nothing behind that could matter after another page is opened: input that was not sent, a link, a search. */
function isPassing(call: RecordedCall): boolean {
  const { command, effect, elements = [] } = call;
  if (OPENS.has(command) || FIELD_INPUT.has(command) || command === "back" || command === "reload") return true;
  if (effect === undefined || command === "scroll" || command === "hover") return true;
  const isLink = elements.at(-1)?.role === "link";
  const isQuery = effect.navigated?.includes("?") === true;
  return effect.navigated !== undefined && (isLink || isQuery);
}

function isSameElement(a: RecordedCall, b: RecordedCall): boolean {
  const [one, other] = [a, b].map(({ elements = [] }) => elements[0]);
  return one !== undefined && other !== undefined && nameOf(one) === nameOf(other);
}

function nameOf({ locators, role, name, frame = "" }: ActedOn): string {
  return `${frame} ${locators[0] ?? `${role} ${name}`}`;
}
