/** What the current calls of a tab act on or read, for the journal. */
import type { StateKey } from "../../browser/state_of.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import type { ActedOn } from "../../rpc/events/journal.ts";
import { cutUrl, redactCut } from "../../security/secrets/redact.ts";
import type { Locators } from "../page/protocol.ts";
import type { Ref } from "../ref_table.ts";

/** A form has many fields; no call has reason to name more elements. */
const MAX_ELEMENTS = 100;
/** Longer names are of no use to find something by. Characters. */
const MAX_NAME = 200;
const MAX_LOCATOR = 1_000;

/** The elements of each call, by its signal: what an earlier one still looks up is its own. */
const NOTES: StateKey<Tab, WeakMap<AbortSignal, ActedOn[]>> = { make: () => new WeakMap() };

/** What the call of this signal will be found to have looked up. */
export function noteElements(tab: Tab, signal: AbortSignal): readonly ActedOn[] {
  const elements: ActedOn[] = [];
  tab.state.get(NOTES).set(signal, elements);
  return elements;
}

/** Is it worth asking the page for locators? */
export function isNoted(tab: Tab, signal: AbortSignal): boolean {
  return tab.state.get(NOTES).has(signal);
}

export function noteActedOn(tab: Tab, signal: AbortSignal, ref: Ref, locators: Locators): void {
  const elements = tab.state.get(NOTES).get(signal);
  if (!elements || elements.length >= MAX_ELEMENTS || elements.some(({ ref: id }) => id === ref.id)) return;
  const { id, role, frame } = ref;
  const name = redactCut(ref.name, MAX_NAME);
  // Of what is written down of the name, and of nothing that was left out.
  const words = locators.words?.filter((word) => name.toLowerCase().includes(word)) ?? [];
  elements.push({
    ref: id,
    role,
    name,
    locators: selectorsOf(ref, locators).map((locator) => redactCut(locator, MAX_LOCATOR)),
    ...(words.length > 0 && { words }),
    ...(frame.parentFrame() && { frame: cutUrl(frame.url()) }),
  });
}

function selectorsOf({ role, name }: Ref, locators: Locators): string[] {
  const { testid, label, placeholder, text, css, isRepeated = false } = locators;
  const isNamed = name !== "" && name.length <= MAX_NAME && role !== "generic" && role !== "clickable";
  const byWords = [
    ...(isNamed ? [`role=${role}[name=${quoted(name)}]`] : []),
    ...(label ? [`label=${quoted(label)}`] : []),
    ...(placeholder ? [`placeholder=${quoted(placeholder)}`] : []),
    ...(text ? [`text=${quoted(text)}`] : []),
  ];
  const byRole = isNamed ? 1 : 0;
  return [
    ...(isRepeated ? [] : byWords.slice(0, byRole)),
    ...(testid ? [`testid=${quoted(testid)}`] : []),
    ...(isRepeated ? [] : byWords.slice(byRole)),
    ...(css ? [css] : []),
  ];
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}
