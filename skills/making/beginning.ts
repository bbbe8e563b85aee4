/** Where a recording begins when nobody said where: after work that had come to its own end. */
import type { DroppedCall } from "./prune.ts";
import { isAnswer, type RecordedCall, type Recording } from "./recording.ts";
import { OPENS, takenBy } from "./taken.ts";

/** Of the session, and so of whatever is done in it later. */
const LASTING: ReadonlySet<string> = new Set(["viewport", "emulate", "dialog-policy"]);

/** From the last page that was opened by an address after an answer had been read, unless something later needs what was done before. */
export function begun(
  steps: readonly RecordedCall[],
  { calls, read, isOpen }: Recording,
): { kept: RecordedCall[]; dropped: DroppedCall[] } {
  const at = isOpen ? steps.findLastIndex((_, index) => isBeginning(steps, index, calls)) : -1;
  if (at <= 0) return { kept: [...steps], dropped: [] };
  const before = steps.slice(0, at);
  const why = `an answer was read, and another page opened after it; --from ${rootOf(before[0]?.id ?? "")}..${read.id} takes it in`;
  return {
    kept: [...before.filter(({ command }) => LASTING.has(command)), ...steps.slice(at)],
    dropped: before.filter(({ command }) => !LASTING.has(command)).map(({ id, command }) => ({ id, command, why })),
  };
}

function isBeginning(steps: readonly RecordedCall[], at: number, calls: readonly RecordedCall[]): boolean {
  const [opening, before] = [steps[at], steps[at - 1]];
  if (!opening || !before || !OPENS.has(opening.command) || typeof opening.params.url !== "string") return false;
  const ids = calls.map(({ id }) => id);
  const between = calls.slice(ids.findLastIndex((id) => rootOf(id) === rootOf(before.id)) + 1, ids.indexOf(opening.id));
  if (!between.some(isAnswer)) return false;
  const earlier = steps.slice(0, at);
  const needed = new Set(
    steps
      .slice(at)
      .flatMap(takenBy)
      .map(({ call }) => call),
  );
  return !earlier.some((call) => needed.has(call.id) || isLogin(call));
}

/** Was something filled in that its field hides? Of a form that was filled at once, that is not known. */
function isLogin({ id, hidden = [] }: RecordedCall): boolean {
  return id.includes(".") || hidden.some(({ digest }) => digest === undefined);
}

/** Of the call, where this is one field of a form. */
function rootOf(id: string): string {
  return id.replace(/\..*/, "");
}
