/** What running actions are done to, for the journal. The signal of a call goes wherever the call goes, so it names it. */
import type { ActedOn } from "../../rpc/events/journal.ts";
import { cutUrl, redactCut } from "../../security/secrets/redact.ts";
import type { Locators } from "../page/protocol.ts";
import type { Ref } from "../ref_table.ts";

/** A form has many fields; no call has reason to name more elements. */
const MAX_ELEMENTS = 100;
/** Longer names are of no use to find something by. Characters. */
const MAX_NAME = 200;
const MAX_LOCATOR = 1_000;

const notes = new WeakMap<AbortSignal, ActedOn[]>();

/** What the call of this signal will be found to have acted on. */
export function noteActions(signal: AbortSignal): readonly ActedOn[] {
  const elements: ActedOn[] = [];
  notes.set(signal, elements);
  return elements;
}

export function isNoted(signal: AbortSignal): boolean {
  return notes.has(signal);
}

export function noteActedOn(signal: AbortSignal, ref: Ref, locators: Locators): void {
  const elements = notes.get(signal);
  if (!elements || elements.length >= MAX_ELEMENTS || elements.some(({ ref: id }) => id === ref.id)) return;
  const { id, role, name, frame } = ref;
  elements.push({
    ref: id,
    role,
    name: redactCut(name, MAX_NAME),
    locators: selectorsOf(ref, locators).map((locator) => redactCut(locator, MAX_LOCATOR)),
    ...(frame.parentFrame() && { frame: cutUrl(frame.url()) }),
  });
}

function selectorsOf({ role, name }: Ref, { testid, label, placeholder, text, css }: Locators): string[] {
  const isNamed = name !== "" && name.length <= MAX_NAME && role !== "generic" && role !== "clickable";
  return [
    ...(isNamed ? [`role=${role}[name=${quoted(name)}]`] : []),
    ...(testid ? [`testid=${quoted(testid)}`] : []),
    ...(label ? [`label=${quoted(label)}`] : []),
    ...(placeholder ? [`placeholder=${quoted(placeholder)}`] : []),
    ...(text ? [`text=${quoted(text)}`] : []),
    ...(css ? [css] : []),
  ];
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}
