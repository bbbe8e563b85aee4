/** A list that goes on: the same read of page after page, with a click on the same thing in between. */
import { chosenLocator } from "./locators.ts";
import type { RecordedCall, Recording } from "./recording.ts";
import { OPENS } from "./taken.ts";

/** What leads on is often called so; else it has to have been done twice. */
const NEXT = /\b(next|more|older|weiter|mehr|suivant|siguiente|avanti)\b|[»›→>]\s*$/i;

/** The click that leads to the next page; undefined where the read was of one page. */
export function pagingOf({ calls, read }: Recording): RecordedCall | undefined {
  const done = calls.filter(
    ({ outcome, command }) => outcome === "ok" && (command === read.command || command === "click"),
  );
  let next: RecordedCall | undefined;
  let count = 0;
  for (let at = done.length - 1; at >= 2; at -= 2) {
    const [before, click] = [done[at - 2], done[at - 1]];
    if (!before || click?.command !== "click" || !isSameCall(before, read) || (next && !isSameCall(click, next))) break;
    if (!isOneWay(calls.slice(calls.indexOf(before), calls.indexOf(click)))) break;
    next ??= click;
    count++;
  }
  const isNext = next && (count > 1 || NEXT.test(next.elements?.[0]?.name ?? ""));
  return isNext ? next : undefined;
}

/** From what was read to the click: nothing else was done to the page there, nor another one opened. */
function isOneWay(calls: readonly RecordedCall[]): boolean {
  return calls.every(
    ({ outcome, command, effect }) => outcome !== "ok" || (effect === undefined && !OPENS.has(command)),
  );
}

/** Of the same command, on what can be found in the same way. */
export function isSameCall(a: RecordedCall, b: RecordedCall): boolean {
  return a.command === b.command && wayOf(a) === wayOf(b);
}

function wayOf({ command, params, elements = [] }: RecordedCall): string {
  const { target, ...rest } = params;
  const [element] = elements;
  // What is read says something else on each page.
  const isRead = command !== "click";
  return JSON.stringify([
    rest,
    typeof target === "string" ? (chosenLocator(target, element, isRead) ?? target) : target,
  ]);
}
