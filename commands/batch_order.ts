/** What of several works must wait for what, so that those on one tab keep their order and others need not. */
import type { Command } from "./command.ts";

export interface Work {
  /** The tab it names; absent: the session's current one. */
  tab?: string | undefined;
  session?: string | undefined;
  /** `session`: on the session itself (`newtab`). `any`: on what it holds (`chain`). */
  on: "tab" | "session" | "any";
}

/** Of a command, and of what is none. */
export function placeOfWork(command: Pick<Command, "needs" | "effect"> | undefined): Work["on"] {
  if (command?.needs === "tab") return "tab";
  return command?.needs === "daemon" && command.effect === "page" ? "any" : "session";
}

/** The tab that is meant where none is named; undefined when that is yet to be opened. */
type CurrentTab = (session: string | undefined) => string | undefined;

/** Once the current tab may be another: what came last on it, whichever it is, and what on the session since. */
interface Lane {
  onTab: Promise<unknown>;
  onSession: Promise<unknown>[];
}

/**
 * Works on one tab run in order, also when some name it and others mean it as the current one. Works on a session run
 * beside each other, but in order with those on its current tab. What comes after them may mean any tab.
 */
export class BatchOrder {
  readonly #currentTab: CurrentTab;
  /** By tab: the last work. */
  readonly #tabs = new Map<string, Promise<unknown>>();
  /** By session, where the current tab is not known any more. */
  readonly #moved = new Map<string, Lane>();

  constructor(currentTab: CurrentTab) {
    this.#currentTab = currentTab;
  }

  /** What must have ended before the work begins. */
  ahead(work: Work): Promise<unknown> {
    const tab = this.#tabOf(work);
    const lane = this.#moved.get(sessionOf(work));
    if (work.on === "session") return Promise.all([tab && this.#tabs.get(tab), lane?.onTab]);
    // A tab that is named may be the current one of any session.
    const unknown = [...this.#moved.values()].map(({ onTab }) => onTab);
    if (tab && work.on === "tab") return Promise.all([this.#tabs.get(tab), ...unknown]);
    return Promise.all([...this.#tabs.values(), lane?.onTab, ...(lane?.onSession ?? [])]);
  }

  add(work: Work, done: Promise<unknown>): void {
    const tab = this.#tabOf(work);
    if (work.on === "tab" && tab) {
      this.#tabs.set(tab, done);
      return;
    }
    const session = sessionOf(work);
    const { onTab, onSession } = this.#moved.get(session) ?? { onTab: Promise.resolve(), onSession: [] };
    const isOnSession = work.on === "session";
    this.#moved.set(session, isOnSession ? { onTab, onSession: [...onSession, done] } : { onTab: done, onSession: [] });
  }

  /** Undefined where it is not known. */
  #tabOf(work: Work): string | undefined {
    return work.tab ?? (this.#moved.has(sessionOf(work)) ? undefined : this.#currentTab(work.session));
  }
}

function sessionOf({ session }: Work): string {
  return session ?? "";
}
