/** Commands whose answer goes on with a snapshot of where they led: which do, by which flags, and how the two read as one. */
import * as v from "valibot";
import { type Command, findCommand, hasEffectReport } from "../../commands/command.ts";
import { BrowseError } from "../../errors.ts";
import { markedText, type Segment } from "../../security/content/page_mark.ts";
import type { Answer } from "../gate/call.ts";
import { parseParams } from "./params.ts";
import { type ParamSyntax, syntaxOf } from "./syntax.ts";

/** What the snapshot is asked for with: `true` for the whole page. */
export const SnapshotAfter = v.pipe(
  v.union([v.literal(true), v.record(v.string(), v.unknown())]),
  v.description("Goes on with a snapshot: true, or the params of one"),
);

/** An image is an answer of its own. */
const OF_PICTURES: ReadonlySet<string> = new Set(["annotate", "output", "force"]);

const WHOLE: ParamSyntax = {
  name: "snapshot",
  flag: "--snapshot",
  label: "--snapshot",
  isPositional: false,
  isRest: false,
  isRequired: false,
  isList: false,
  kinds: new Set(["boolean"]),
  description: "Go on with a snapshot of the whole page; -i and the other flags of `snapshot` do so too",
};

export function takesSnapshot(command: Command): boolean {
  return hasEffectReport(command) || command.showsTab === true;
}

/** The flags that ask the command for it, by how they are typed; none for a command that takes none. */
export function snapshotFlags(command: Command): ReadonlyMap<string, ParamSyntax> {
  const own = findCommand("snapshot");
  if (!own || !takesSnapshot(command)) return new Map();
  const flags = [...syntaxOf(own).flags].filter(([, { name }]) => !OF_PICTURES.has(name));
  return new Map([[WHOLE.flag, WHOLE], ...flags]);
}

/** The snapshot that those flags ask for; undefined when none was typed. Throws `invalid_params`. */
export function snapshotTyped(values: ReadonlyMap<string, unknown>): Record<string, unknown> | undefined {
  const given = Object.fromEntries([...values].filter(([name]) => name !== WHOLE.name));
  if (Object.keys(given).length === 0 && values.get(WHOLE.name) !== true) return undefined;
  const own = findCommand("snapshot");
  if (own) parseParams(own, given, "argv");
  return given;
}

/** Throws `invalid_params` for what it cannot be asked for with. */
export function snapshotParams(asked: v.InferOutput<typeof SnapshotAfter>): Record<string, unknown> {
  if (asked === true) return {};
  const param = Object.keys(asked).find((name) => OF_PICTURES.has(name));
  if (param === undefined) return asked;
  throw new BrowseError("invalid_params", `"snapshot" takes no "${param}": an image is an answer of its own`, {
    hint: "Call `snapshot` after it",
    details: { param: "snapshot" },
  });
}

/** The action's answer, and after it what was seen. What was done is told as well when nothing could be seen any more. */
export function withSnapshot(acted: Answer, seen: Answer | BrowseError): Answer {
  if (!(seen instanceof BrowseError)) return joined(acted, { snapshot: seen.result }, () => seen.segments);
  const { kind, message, hint } = seen;
  const text = `No snapshot: ${message}. ${hint}`;
  return joined(acted, { snapshotError: { kind, message, hint } }, () => [{ text }]);
}

function joined(acted: Answer, more: Answer["result"], after: () => readonly Segment[]): Answer {
  const segments = () => underOneMark(acted.segments, after());
  return {
    ...acted,
    result: { ...acted.result, ...more },
    get segments() {
      return segments();
    },
    get text() {
      return markedText(segments());
    },
  };
}

/** Lines that are others now stand with the whole that they are from, which also has those that were left out of them. */
function underOneMark(acted: readonly Segment[], seen: readonly Segment[]): readonly Segment[] {
  const at = acted.findIndex(({ mark }) => mark);
  const changes = acted[at];
  if (!changes || !seen.some(({ mark }) => mark)) return [...acted, { text: "\n" }, ...seen];
  const whole = seen.map(({ text, mark }) => (mark ? { text: `${changes.text.trimEnd()}\n${text}`, mark } : { text }));
  return [...acted.slice(0, at), ...whole];
}
