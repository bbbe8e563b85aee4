/** Choosing from custom lists as a person does: open, type where that filters, press the option, see that it took. */

import { delay } from "../../abort.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import type { ListAnswer, ListOption } from "../page/act/protocol.ts";
import { ask } from "../reader.ts";
import { labelOf, type Ref, refsOf } from "../ref_table.ts";
import { clickElement } from "./click.ts";
import { expectedOf } from "./hit_target.ts";
import { pressKey } from "./keyboard.ts";
import { noOption } from "./native_list.ts";
import { refused } from "./refusal.ts";

/** How long a list may take to open and to show the option. */
const MAX_LIST_MS = 2_000;
/** How long it may show nothing before something is typed to have it offer more. */
const UNTYPED_MS = 250;
/** How long its control may take to show what was chosen. */
const MAX_TAKE_MS = 1_000;
/** How long a list may take to close. */
const MAX_CLOSE_MS = 300;
const LOOK_AGAIN_MS = 50;
/** Options named in a refusal. */
const MAX_OPTIONS = 10;

export class CustomList {
  readonly #tab: Tab;
  readonly #ref: Ref;
  readonly #signal: AbortSignal;
  #before: ListAnswer | undefined;
  #isTyped = false;
  /** Those that were offered before anything was typed. */
  #offered: ListOption[] = [];

  constructor(tab: Tab, ref: Ref, signal: AbortSignal) {
    this.#tab = tab;
    this.#ref = ref;
    this.#signal = signal;
  }

  /** The names of the options that were chosen. Throws with the list as it was: closed, and without what was typed. */
  async choose(wanted: readonly string[]): Promise<string[]> {
    this.#before = await this.#look({ first: true });
    if (!this.#before.mayOpen) throw this.#noList("is not a list");
    try {
      const chosen: string[] = [];
      for (const name of wanted) chosen.push(await this.#chooseOne(name));
      await this.#unselectOthers(chosen);
      // Chosen they are, whatever becomes of the list.
      await this.#leave().catch(() => undefined);
      return chosen;
    } catch (cause) {
      // Of an abort nothing is left to do anything in.
      if (!this.#signal.aborted) await this.#putBack().catch(() => undefined);
      throw cause;
    }
  }

  async #chooseOne(wanted: string): Promise<string> {
    const option = await this.#offer(wanted);
    if (option.selected) return option.name;
    await this.#press(option);
    // The item of a menu is done when it is pressed.
    if (!option.role.startsWith("menuitem")) await this.#untilTaken(option);
    this.#isTyped = false;
    return option.name;
  }

  /** The option of that name, once the list shows it. */
  async #offer(wanted: string): Promise<ListOption> {
    let list = await this.#look();
    if (!list.expanded) await this.#open();
    const opened = performance.now();
    for (;;) {
      list = await this.#look();
      const waited = performance.now() - opened;
      if (!this.#isTyped && list.options.length > 0) this.#offered = list.options;
      const option = findOption(list.options, wanted);
      if (option) return option;
      if (waited > MAX_LIST_MS) throw this.#notOffered(wanted, list);
      if (this.#mayType(list, waited)) await this.#type(wanted);
      await delay(LOOK_AGAIN_MS, this.#signal);
    }
  }

  async #open(): Promise<void> {
    const { frame, doc } = this.#ref;
    try {
      await clickElement(this.#tab, this.#ref, { signal: this.#signal });
    } catch (cause) {
      const around = this.#before?.around;
      if (!around || !(cause instanceof BrowseError && cause.kind === "not_visible")) throw cause;
      await clickElement(this.#tab, refsOf(this.#tab).giveDescribed(frame, doc, around, "field"), {
        signal: this.#signal,
      });
    }
  }

  /** Many offer nothing before something is typed. */
  #mayType({ editable, options }: ListAnswer, waited: number): boolean {
    if (!editable || this.#isTyped) return false;
    return options.length > 0 || (this.#ref.role === "combobox" && waited > UNTYPED_MS);
  }

  async #type(value: string): Promise<void> {
    this.#isTyped = true;
    this.#tab.noteInput();
    await ask(this.#ref.frame, "fill", { ...expectedOf(this.#ref), value, isSearch: true }, { signal: this.#signal });
  }

  /** Some say more of the option that the mouse is on: it is pressed by the name that it has then. */
  async #press(option: ListOption): Promise<void> {
    const { frame, doc } = this.#ref;
    const target = refsOf(this.#tab).giveDescribed(frame, doc, option, "option");
    try {
      await clickElement(this.#tab, target, { signal: this.#signal });
    } catch (cause) {
      const { options } = await this.#look();
      const now = options.find(({ n, name }) => n === option.n && name.startsWith(`${option.name} `));
      if (!now) throw cause;
      await clickElement(this.#tab, refsOf(this.#tab).giveDescribed(frame, doc, now, "option"), {
        signal: this.#signal,
      });
    }
  }

  async #untilTaken(option: ListOption): Promise<void> {
    const until = performance.now() + MAX_TAKE_MS;
    while (!(await this.#hasTaken(option))) {
      if (performance.now() > until) {
        throw new BrowseError(
          "outcome_unknown",
          `[${option.role}] "${option.name}" was pressed, but nothing shows that ${labelOf(this.#ref)} took it`,
          { hint: "Look with `browse snapshot -i` before you choose again" },
        );
      }
      await delay(LOOK_AGAIN_MS, this.#signal);
    }
  }

  /** A control that went when its option was pressed shows nothing against it. */
  async #hasTaken({ n, name }: ListOption): Promise<boolean> {
    const { frame, doc, n: control } = this.#ref;
    const asked = { doc, n: control, option: n, name, typed: this.#isTyped };
    const answer = await ask(frame, "listShows", asked, { signal: this.#signal });
    return answer.state !== "shows" || answer.taken;
  }

  /** In a list of several: those that are still shown selected and were not given. */
  async #unselectOthers(chosen: readonly string[]): Promise<void> {
    if (!this.#before?.multiple) return;
    const { options } = await this.#look();
    for (const option of options) {
      if (option.selected && !chosen.includes(option.name)) await this.#press(option);
    }
  }

  /** Puts back what was typed over, and closes what was opened here. */
  async #putBack(): Promise<void> {
    if (this.#isTyped) await this.#type(this.#before?.value ?? "");
    if (await this.#leave()) return;
    await pressKey(this.#tab, "Escape", { signal: this.#signal });
    await this.#isClosed();
  }

  /** A list of several stays open over what is below it. True when it is closed, or was open before. */
  async #leave(): Promise<boolean> {
    if (this.#before?.expanded || (await this.#isClosed(0))) return true;
    const { frame, doc, n } = this.#ref;
    const answer = await ask(frame, "leaveList", { doc, n }, { signal: this.#signal });
    return answer.state !== "here" || (!answer.inside && (await this.#isClosed()));
  }

  async #isClosed(withinMs = MAX_CLOSE_MS): Promise<boolean> {
    const until = performance.now() + withinMs;
    for (;;) {
      const { expanded, options } = await this.#look();
      if (!expanded && options.length <= (this.#before?.options.length ?? 0)) return true;
      if (performance.now() > until) return false;
      await delay(LOOK_AGAIN_MS, this.#signal);
    }
  }

  async #look({ first = false } = {}): Promise<ListAnswer> {
    const asked = { ...expectedOf(this.#ref), first };
    const answer = await ask(this.#ref.frame, "listOptions", asked, { signal: this.#signal });
    if (answer.state === "list") return answer;
    throw refused(this.#tab, this.#ref, answer);
  }

  #notOffered(wanted: string, list: ListAnswer): BrowseError {
    if (this.#offered.length === 0 && !list.expanded && !this.#isTyped) {
      return this.#noList("is not a list, and none opened when it was pressed");
    }
    const names = this.#offered.map(({ name }) => name);
    return noOption(this.#ref, wanted, names.slice(0, MAX_OPTIONS), names.length);
  }

  #noList(why: string): BrowseError {
    const hint = "If it opens one, press it with `browse click`, and then the option";
    return new BrowseError("invalid_params", `${labelOf(this.#ref)} ${why}`, { hint });
  }
}

/** Of that name exactly; else the only one that differs in case alone. */
function findOption(options: readonly ListOption[], wanted: string): ListOption | undefined {
  const exact = options.find(({ name }) => name === wanted);
  if (exact) return exact;
  const close = options.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  return close.length === 1 ? close[0] : undefined;
}
