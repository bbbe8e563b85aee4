/** What became of sessions, told once: to the first who works in the user's own. */
import type { Caller, CallOptions } from "../gate/call.ts";

export class SessionNotices {
  #lost: string | undefined;
  readonly #take: () => string[];

  /** @param take what has become known since it was last asked */
  constructor(lost: string | undefined, take: () => string[]) {
    this.#lost = lost;
    this.#take = take;
  }

  /** Tells of what was lost before the call, and of what it has found out after it. */
  async around<T>({ token }: Caller, { notify }: CallOptions, call: () => Promise<T>): Promise<T> {
    if (notify === undefined || token.tabs !== "all") return await call();
    if (this.#lost) notify.log("warning", this.#lost);
    this.#lost = undefined;
    try {
      return await call();
    } finally {
      for (const notice of this.#take()) notify.log("warning", notice);
    }
  }
}
