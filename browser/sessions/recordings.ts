/** The videos of a session: those that run, and those whose tab has gone before anyone asked for them. */

import { BrowseError } from "../../errors.ts";
import type { Token } from "../../security/tokens/token.ts";
import type { StateKey } from "../state_of.ts";
import type { Tab } from "../tabs/tab.ts";
import { Recording, type Video } from "./recording/recording.ts";
import type { Session } from "./session.ts";

/** Each may fill a tenth of a gigabyte. */
const MAX_RECORDINGS = 4;

const RECORDINGS: StateKey<Session, Recordings> = { make: () => new Recordings() };

export function recordingsOf(session: Session): Recordings {
  return session.state.get(RECORDINGS);
}

export class Recordings {
  readonly #all = new Map<Tab, Recording>();
  /** Who began it: nobody else is shown what is on it, as that may be from before a tab was lent. */
  readonly #makers = new WeakMap<Recording, Token>();

  /** Throws `invalid_params` for a tab that is being recorded, `too_large` for too many videos, `unsupported`. */
  async start(tab: Tab, holder: Token, signal: AbortSignal): Promise<void> {
    if (this.#all.has(tab)) {
      throw new BrowseError("invalid_params", `Tab ${tab.id} is being recorded already`, {
        hint: "End it with `browse record stop`",
      });
    }
    if (this.#all.size >= MAX_RECORDINGS) {
      throw new BrowseError("too_large", `${this.#all.size} recordings are kept already`, {
        hint: "End one with `browse record stop --tab <id>`",
      });
    }
    const recording = await Recording.start(tab, signal);
    this.#makers.set(recording, holder);
    this.#all.set(tab, recording);
  }

  /** That of the tab, else the only one of the holder's whose tab has closed. Throws `not_found` and `not_owner`. */
  find(tab: Tab, holder: Token): Recording {
    const own = this.#of(holder);
    const running = this.#all.get(tab);
    if (running && own.includes(running)) return running;
    if (running) throw new BrowseError("not_owner", `The recording of tab ${tab.id} was started by another client`);
    const left = own.filter((recording) => !recording.tab.isOpen);
    const [only] = left;
    if (only && left.length === 1) return only;
    throw new BrowseError("not_found", `Tab ${tab.id} is not being recorded`, {
      hint:
        own.length > 0
          ? `Recorded are ${own.map((recording) => recording.tab.id).join(", ")}: name one with --tab`
          : "Begin with `browse record start`",
    });
  }

  /** Its video, which is kept until it is forgotten. One that has none is forgotten at once. Throws what `Recording.finish` throws. */
  async finish(recording: Recording): Promise<Video> {
    try {
      return await recording.finish();
    } catch (error) {
      this.forget(recording);
      throw error;
    }
  }

  /** Its video has been kept. */
  forget(recording: Recording): void {
    this.#all.delete(recording.tab);
  }

  #of({ tabs, id }: Token): Recording[] {
    return [...this.#all.values()].filter((recording) => tabs === "all" || this.#makers.get(recording)?.id === id);
  }
}
