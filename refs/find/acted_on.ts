/** What the current action of a tab is done to, for the journal. */
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

/** The call that acts on the tab, by its signal, and its elements: what an earlier call still looks up is not among them. */
interface Notes {
  signal: AbortSignal;
  elements: ActedOn[];
}

const NOTES: StateKey<Tab, Notes | undefined> = { make: () => undefined };

/** What the call of this signal will be found to have acted on. */
export function noteActions(tab: Tab, signal: AbortSignal): readonly ActedOn[] {
  const elements: ActedOn[] = [];
  tab.state.set(NOTES, { signal, elements });
  return elements;
}

/** Is it worth asking the page for locators? */
export function isNoted(tab: Tab, signal: AbortSignal): boolean {
  return tab.state.get(NOTES)?.signal === signal;
}

export function noteActedOn(tab: Tab, signal: AbortSignal, ref: Ref, locators: Locators): void {
  const notes = tab.state.get(NOTES);
  if (notes?.signal !== signal) return;
  const { elements } = notes;
  if (elements.length >= MAX_ELEMENTS || elements.some(({ ref: id }) => id === ref.id)) return;
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
