/** How many tabs a page may open: agents close them one by one, and each costs a process. */
import { Allowance } from "../limits/allowance.ts";
import type { Tab } from "./tab.ts";

/** What a page and the pages that it has opened may open at one go, and then: more than a person presses links. */
const ALLOWED = { most: 20, perMinute: 20 };
/** Open at a time. */
const MAX_OPEN = 100;
/** Between two words about pop-ups that were closed. */
const TELL_EVERY_MS = 500;
/** What one costs the browser, in events that a page tells; of a page that opens too many, it is made to open them slowly. */
const WEIGHT = 100;
const REFUSED_WEIGHT = 1_000;
/** Closed at one go, and in each minute after that. A page that opens still more is ended: nothing else keeps it from that. */
const BORNE = { most: 60, perMinute: 60 };

interface Family {
  allowed: Allowance;
  borne: Allowance;
  open: Set<Tab>;
}

export class PopUps {
  /** Of the tab that no page has opened, and all that have come of it. */
  readonly #families = new WeakMap<Tab, Family>();
  /** Of all pages in which one agent works, whichever of its tabs they came of. */
  readonly #openOf = new Map<string, Set<Tab>>();
  /** Closed and not told of yet. */
  readonly #closed = new Map<Tab, number>();

  /** May `from` have this tab open, which its page has opened? When not, whoever works in `from` is told. */
  admit(tab: Tab, from: Tab): boolean {
    const family = this.#familyOf(from);
    if (!this.#take(from, family)) return false;
    this.#families.set(tab, family);
    family.open.add(tab);
    tab.events.once("closed", () => family.open.delete(tab));
    return true;
  }

  /** One that has gone before anybody saw it costs as much. */
  noteGone(from: Tab): void {
    this.#take(from, this.#familyOf(from));
  }

  #familyOf(from: Tab): Family {
    const family = this.#families.get(from) ?? {
      allowed: new Allowance(ALLOWED),
      borne: new Allowance(BORNE),
      open: this.#openBeside(from),
    };
    this.#families.set(from, family);
    return family;
  }

  #take(from: Tab, { open, allowed, borne }: Family): boolean {
    from.noteTraffic(WEIGHT);
    if (open.size < MAX_OPEN && allowed.take()) return true;
    this.#refuse(from);
    if (!borne.take()) from.endPage("it opens tabs without end");
    return false;
  }

  #openBeside({ holder }: Tab): Set<Tab> {
    if (holder?.tabs !== "own") return new Set();
    const open = this.#openOf.get(holder.id) ?? new Set();
    this.#openOf.set(holder.id, open);
    return open;
  }

  #refuse(from: Tab): void {
    from.noteTraffic(REFUSED_WEIGHT);
    from.events.emit("popUpClosed");
    const count = this.#closed.get(from) ?? 0;
    this.#closed.set(from, count + 1);
    if (count === 0) setTimeout(() => this.#tell(from), TELL_EVERY_MS).unref();
  }

  #tell(from: Tab): void {
    const count = this.#closed.get(from) ?? 0;
    this.#closed.delete(from);
    from.report("page", { event: "popUpsClosed", count });
    const what = count === 1 ? "a pop-up" : `${count} pop-ups`;
    from.capture.say(`browse closed ${what} of this page, which opens more than ${ALLOWED.most} a minute`);
  }
}
