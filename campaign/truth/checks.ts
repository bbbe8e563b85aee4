/** An action's answer, and the next one's, against what an observer inside the page saw. */
import type { EffectReport, LaterReport } from "../../browser/effect_report.ts";
import type { Broken } from "../arena.ts";
import type { Control } from "./controls.ts";
import type { Witnessed } from "./stage.ts";

/** Between a deed and the end of the answer's way; the clocks are the same, and tell whole milliseconds. */
const GRACE_MS = 25;
/** What comes within this is to be told by the same answer. */
const TOLD_AT_ONCE_MS = 1_000;

export interface Played {
  control: Control;
  /** The action itself changes what it acts on. */
  changesItself: boolean;
  effect: EffectReport;
  /** Of the next action in the tab, which does nothing itself. */
  next: EffectReport;
  /** When the answer was there, by the machine's clock. */
  answeredAt: number;
  /** Requests of the control without an answer then. */
  unanswered: number;
  witnessed: readonly Witnessed[];
}

/** Deeds within the time to be told at once, and those of them that were. */
export interface Tally {
  due: number;
  told: number;
}

type Told = Exclude<Witnessed["deed"], "acted">;

export function judge(played: Played): { broken: Broken[]; tally: Tally } {
  const broken = [...falseClaims(played), ...untold(played)];
  return { broken, tally: tallyOf(played) };
}

function falseClaims({ effect, changesItself, witnessed, answeredAt, unanswered }: Played): Broken[] {
  const broken: Broken[] = [];
  const seen = (deed: Told, until: number) => witnessed.some((one) => one.deed === deed && one.at <= until);
  const claim = (promise: string, isTrue: boolean) => {
    if (!isTrue)
      broken.push({ promise, seen: `${JSON.stringify(effect)} at ${answeredAt}: ${JSON.stringify(witnessed)}` });
  };
  const before = answeredAt - GRACE_MS;
  const after = answeredAt + GRACE_MS;
  if (effect.nothing)
    claim("nothing is said only of what did nothing yet", !seen("mutated", before) && !seen("navigated", before));
  if (effect.changed && !changesItself)
    claim("a change is told that was there", seen("mutated", after) || seen("focused", after));
  if (effect.navigated) claim("a navigation is told that was there", seen("navigated", after));
  if (effect.opened) claim("a tab is told that was there", seen("opened", after) || seen("navigated", after));
  if (effect.errors) claim("an error is told that was there", seen("error", after));
  if (effect.waiting) claim("what is said to wait is not answered", unanswered > 0);
  return broken;
}

/** What the answer did not tell is told by the next, unless the page it happened on is gone by then. */
function untold(played: Played): Broken[] {
  const { effect, next, witnessed } = played;
  const kinds = new Set(witnessed.map(({ deed }) => deed).filter((deed) => deed !== "acted" && deed !== "focused"));
  const hasLeft = kinds.has("navigated");
  const missing = [...kinds].filter((deed) => {
    if (deed === "mutated" && hasLeft) return false;
    return ![effect, next, next.before ?? {}].some((answer) => tells(answer, deed as Told));
  });
  if (missing.length === 0) return [];
  const seen = `${missing.join()}: ${JSON.stringify(effect)}, then ${JSON.stringify(next)}; ${JSON.stringify(witnessed)}`;
  return [{ promise: "what an answer does not tell the next one does", seen }];
}

function tallyOf({ control, effect, witnessed }: Played): Tally {
  const acted = witnessed.find(({ deed }) => deed === "acted");
  if (!acted || control.deed === "nothing") return { due: 0, told: 0 };
  const first = witnessed.find(({ deed }) => deed === control.deed);
  if (!first || first.at - acted.at > TOLD_AT_ONCE_MS) return { due: 0, told: 0 };
  return { due: 1, told: tells(effect, control.deed) ? 1 : 0 };
}

function tells(report: EffectReport | LaterReport, deed: Told): boolean {
  const effect = report as EffectReport;
  switch (deed) {
    case "mutated":
      // What comes between the count and the lines is in the lines.
      return (effect.changed ?? 0) > 0 || effect.changes !== undefined || effect.title !== undefined;
    case "navigated":
      return effect.navigated !== undefined || effect.navigating !== undefined || effect.opened !== undefined;
    case "opened":
      return effect.opened !== undefined || effect.opening !== undefined;
    case "error":
      return effect.errors !== undefined;
    case "focused":
      return effect.focused !== undefined;
  }
}
