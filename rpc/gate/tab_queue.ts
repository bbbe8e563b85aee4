/** The order of calls on a tab: that in which they came, whatever each of them has to wait for before its turn. */
import type { Session } from "../../browser/sessions/session.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import type { PlaceInQueue } from "../../browser/tabs/tab_lock.ts";
import { SHARED_SESSION } from "../../security/tokens/ownership.ts";
import { holderOf } from "./call.ts";
import type { ReadyCall } from "./call_gate.ts";

interface KnownSessions {
  find(name: string): Session | undefined;
  tab(id: string): Tab | undefined;
}

/** In the queue of the tab that the call means as it comes in. Left when its time is over, and at the end if never used. */
export class TabQueue implements Disposable {
  readonly #signal: AbortSignal;
  readonly #tab: Tab | undefined;
  readonly #place: PlaceInQueue | undefined;

  constructor(call: ReadyCall, sessions: KnownSessions, signal: AbortSignal) {
    this.#signal = signal;
    this.#tab = locksTab(call) ? meantBy(call, sessions) : undefined;
    this.#place = this.#tab?.lock.queue();
    signal.addEventListener("abort", this.#leave, { once: true });
  }

  /** Its place, where that is the tab it works on after all. Without one it waits for nothing of the other any more. */
  placeOn(tab: Tab | undefined): PlaceInQueue | undefined {
    if (tab === this.#tab) return this.#place;
    this.#leave();
    return undefined;
  }

  [Symbol.dispose](): void {
    this.#signal.removeEventListener("abort", this.#leave);
    this.#leave();
  }

  readonly #leave = (): void => this.#place?.leave();
}

function locksTab({ command, params }: ReadyCall): boolean {
  return command.needs === "tab" && command.locksTab !== false && !command.browserless?.(params);
}

function meantBy({ caller, options }: ReadyCall, sessions: KnownSessions): Tab | undefined {
  const { tab: id, session = SHARED_SESSION } = options;
  return id === undefined ? sessions.find(session)?.current(holderOf(caller)) : sessions.tab(id);
}
