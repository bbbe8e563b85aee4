/** Who has tabs in a session beside the agent that made it. */
import type { HeldTab } from "../../security/tokens/ownership.ts";
import { visitedBy } from "../../security/tokens/ownership.ts";
import type { Token } from "../../security/tokens/token.ts";
import type { Session } from "./session.ts";
import { endTraceEarly } from "./tracing.ts";

export class Visitors {
  readonly #session: Session;
  /** Tabs that are being opened for them. */
  #arriving = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  get areThere(): boolean {
    if (this.#session.holder?.tabs !== "own") return false;
    return this.#arriving > 0 || this.#session.tabs.some(({ holder }) => !holder || this.#isVisitor(holder));
  }

  /** Whatever comes in a session of one's own is one's own, unless it may be what a visitor opens. */
  claim(tab: { holder: HeldTab["holder"] }): void {
    const { holder } = this.#session;
    if (holder?.tabs === "own" && this.#arriving === 0) tab.holder = holder;
  }

  /**
   * Opens a tab for `holder`. What a visitor does is not in the trace of whoever made the session, who can begin no other
   * while the visitor is there.
   */
  async receive<T>(holder: Token, open: () => Promise<T>): Promise<T> {
    if (!this.#isVisitor(holder)) return await open();
    this.#arriving++;
    try {
      const opened = await open();
      await endTraceEarly(this.#session, "when somebody else opened a tab in its session");
      return opened;
    } finally {
      this.#arriving--;
    }
  }

  #isVisitor(holder: Token): boolean {
    return visitedBy(holder, this.#session) !== undefined;
  }
}
