/** What parts of the program keep for one owner (a tab, its page, a session), where everybody can see whose it is. */

/** Names what is kept, and makes it when it is first asked for. */
export interface StateKey<Owner, Value> {
  make(owner: Owner): Value;
}

/** All that is kept for one owner, by key. It goes with its owner. */
export class StateOf<Owner> {
  readonly #owner: Owner;
  readonly #values = new Map<StateKey<Owner, unknown>, unknown>();

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  get<Value>(key: StateKey<Owner, Value>): Value {
    if (!this.#values.has(key)) this.#values.set(key, key.make(this.#owner));
    return this.#values.get(key) as Value;
  }

  set<Value>(key: StateKey<Owner, Value>, value: Value): void {
    this.#values.set(key, value);
  }

  /** Gives it for the last time: what is asked for next is made anew. */
  take<Value>(key: StateKey<Owner, Value>): Value {
    const value = this.get(key);
    this.#values.delete(key);
    return value;
  }
}
