/** The films of a session: those that run, and those whose tab has gone before anyone asked for them. */
import { BrowseError } from "../rpc/errors.ts";
import { Recording } from "./recording.ts";
import type { Session } from "./session.ts";
import type { Tab } from "./tab.ts";

/** Each may fill a tenth of a gigabyte. */
const MAX_RECORDINGS = 4;

const recordings = new WeakMap<Session, Recordings>();

export function recordingsOf(session: Session): Recordings {
  let known = recordings.get(session);
  if (!known) {
    known = new Recordings();
    recordings.set(session, known);
  }
  return known;
}

export class Recordings {
  readonly #all = new Map<Tab, Recording>();

  /** Throws `invalid_params` for a tab that is being filmed, `too_large` for too many films, `unsupported`. */
  async start(tab: Tab, signal: AbortSignal): Promise<void> {
    if (this.#all.has(tab)) {
      throw new BrowseError("invalid_params", `Tab ${tab.id} is being recorded already`, {
        hint: "End it with `browse record stop`",
      });
    }
    if (this.#all.size >= MAX_RECORDINGS) {
      throw new BrowseError("too_large", `${this.#all.size} films are kept already: ${this.#ids.join(", ")}`, {
        hint: "End one with `browse record stop --tab <id>`",
      });
    }
    this.#all.set(tab, await Recording.start(tab, signal));
  }

  /** That of the tab, else the only one whose tab has closed. Throws `not_found`. */
  find(tab: Tab): Recording {
    const own = this.#all.get(tab);
    if (own) return own;
    const left = [...this.#all.values()].filter((recording) => !recording.tab.isOpen);
    const [only] = left;
    if (only && left.length === 1) return only;
    throw new BrowseError("not_found", `Tab ${tab.id} is not being recorded`, {
      hint:
        this.#all.size > 0
          ? `Recorded are ${this.#ids.join(", ")}: name one with --tab`
          : "Begin with `browse record start`",
    });
  }

  /** Its film has been kept. */
  forget(recording: Recording): void {
    this.#all.delete(recording.tab);
  }

  get #ids(): string[] {
    return [...this.#all.keys()].map(({ id }) => id);
  }
}
