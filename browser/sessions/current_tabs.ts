/** Which tab is current, for whom: all who may use every tab share one seat, and who has tabs of its own has its own. */
import type { Token } from "../../security/tokens/token.ts";
import type { Tab } from "../tabs/tab.ts";

const SHARED_SEAT = "";

export class CurrentTabs {
  readonly #current = new Map<string, Tab>();
  /** CurrentTabs reserved so far, and which of them was taken last. */
  #reserved = 0;
  readonly #taken = new Map<string, number>();
  readonly #opening = new Map<string, Promise<Tab>>();

  current(holder: Token | undefined): Tab | undefined {
    return this.#current.get(seatOf(holder));
  }

  select(tab: Tab, holder: Token | undefined): void {
    this.reserve(holder)(tab);
  }

  /** For a tab that is yet to be opened: makes it current, unless a seat that was reserved later has been taken. */
  reserve(holder: Token | undefined): (tab: Tab) => void {
    const seat = seatOf(holder);
    const order = ++this.#reserved;
    return (tab) => {
      if (order < (this.#taken.get(seat) ?? 0)) return;
      this.#taken.set(seat, order);
      this.#current.set(seat, tab);
    };
  }

  /** The current tab, else the one that `open` gives, once however many ask. */
  async currentOr(holder: Token, open: () => Promise<Tab>): Promise<Tab> {
    const current = this.current(holder);
    if (current) return current;
    const seat = seatOf(holder);
    const opening = this.#opening.get(seat) ?? open().finally(() => this.#opening.delete(seat));
    this.#opening.set(seat, opening);
    return await opening;
  }

  /** Is one current, or about to be? */
  isTaken(holder: Token): boolean {
    return this.current(holder) !== undefined || this.#opening.has(seatOf(holder));
  }

  /** The holder comes no more. */
  leave(holder: Token): void {
    const seat = seatOf(holder);
    if (seat === SHARED_SEAT) return;
    this.#current.delete(seat);
    this.#taken.delete(seat);
  }

  /** The tab is gone: of those that are left, the last of the same seat is current. */
  forget(tab: Tab, left: readonly Tab[]): void {
    for (const [seat, current] of this.#current) {
      if (current !== tab) continue;
      const next = left.findLast((other) => seatOf(other.holder) === seat);
      if (next) this.#current.set(seat, next);
      else this.#current.delete(seat);
    }
  }
}

function seatOf(holder: Token | undefined): string {
  return holder?.tabs === "own" ? holder.id : SHARED_SEAT;
}
