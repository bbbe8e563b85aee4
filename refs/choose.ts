/** Choosing from lists: native ones by their options, custom ones as a person does, by opening and pressing. */
import type { Tab } from "../browser/tab.ts";
import { BrowseError } from "../rpc/errors.ts";
import { noteTouched } from "./acted.ts";
import { expectedOf } from "./look.ts";
import { noOption, selectedOf } from "./native_list.ts";
import type { ListOption, OptionAnswer } from "./page/act_protocol.ts";
import { pause } from "./pause.ts";
import { press } from "./press.ts";
import { ask } from "./reader.ts";
import { refused } from "./refusal.ts";
import { labelOf, type Ref, refsOf } from "./table.ts";

/** How long a custom list may take to open and to show the option. */
const MAX_LIST_MS = 2000;
const LOOK_AGAIN_MS = 50;
/** Options named in a refusal. */
const MAX_OPTIONS = 10;

interface ChooseOptions {
  signal: AbortSignal;
}

/**
 * Selects exactly the options given by value, label or text. Lists that are not native are opened and their options
 * pressed. Throws `not_found` with the options there are, `disabled`, `not_visible`, `stale_ref`.
 */
export async function selectOptions(
  tab: Tab,
  ref: Ref,
  values: readonly string[],
  { signal }: ChooseOptions,
): Promise<OptionAnswer[]> {
  noteTouched(tab, ref.frame);
  tab.noteInput();
  const answer = await ask(ref.frame, "select", { ...expectedOf(ref), values: [...values] }, { signal });
  if (answer.state !== "not-native") return selectedOf(tab, ref, answer);
  const chosen: OptionAnswer[] = [];
  let isMultiple = false;
  for (const value of values) {
    const { name, multiple } = await pickCustom(tab, ref, value, signal);
    chosen.push({ value: name, label: name });
    isMultiple ||= multiple;
  }
  if (isMultiple) await unselectOthers(tab, ref, chosen, signal);
  return chosen;
}

/** In a list of several: those that are still shown selected and were not given. */
async function unselectOthers(tab: Tab, ref: Ref, chosen: OptionAnswer[], signal: AbortSignal): Promise<void> {
  const { options } = await listOf(tab, ref, signal);
  for (const option of options) {
    if (!option.selected || chosen.some(({ label }) => label === option.name)) continue;
    await press(tab, refsOf(tab).giveDescribed(ref.frame, ref.doc, option, "option"), { signal });
  }
}

interface Picked {
  name: string;
  /** Its list takes several. */
  multiple: boolean;
}

/** Opens the list when it is closed, types into it when that is how it filters, and presses the option of that name. */
async function pickCustom(tab: Tab, ref: Ref, wanted: string, signal: AbortSignal): Promise<Picked> {
  const first = await listOf(tab, ref, signal);
  if (!first.expanded) await press(tab, ref, { signal });
  const until = performance.now() + MAX_LIST_MS;
  let list = await listOf(tab, ref, signal);
  let isTyped = false;
  let offered = list.options;
  for (;;) {
    const option = findOption(list.options, wanted);
    if (option) {
      const target = refsOf(tab).giveDescribed(ref.frame, ref.doc, option, "option");
      if (!option.selected) await press(tab, target, { signal });
      return { name: option.name, multiple: list.multiple };
    }
    if (performance.now() > until) break;
    // Many offer nothing before something is typed.
    if (list.editable && !isTyped && (list.options.length > 0 || ref.role === "combobox")) {
      tab.noteInput();
      await ask(ref.frame, "fill", { ...expectedOf(ref), value: wanted }, { signal });
      isTyped = true;
    }
    await pause(LOOK_AGAIN_MS, signal);
    list = await listOf(tab, ref, signal);
    if (list.options.length > 0 && offered.length === 0) offered = list.options;
  }
  if (offered.length === 0 && !list.expanded && !isTyped) {
    throw new BrowseError("invalid_params", `${labelOf(ref)} is not a list, and none opened when it was pressed`, {
      hint: "Press the option itself with `browse click`",
    });
  }
  const names = offered.map(({ name }) => name);
  throw noOption(ref, wanted, names.slice(0, MAX_OPTIONS), names.length);
}

async function listOf(tab: Tab, ref: Ref, signal: AbortSignal) {
  const answer = await ask(ref.frame, "listOptions", expectedOf(ref), { signal });
  if (answer.state === "list") return answer;
  throw refused(tab, ref, answer);
}

/** Of that name exactly; else the only one that differs in case alone. */
function findOption(options: ListOption[], wanted: string): ListOption | undefined {
  const exact = options.find(({ name }) => name === wanted);
  if (exact) return exact;
  const close = options.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  return close.length === 1 ? close[0] : undefined;
}
