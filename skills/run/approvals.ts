/** The person who allows the actions of one run: asked at the terminal where there is one, and remembered. */
import type { Approval } from "../../rpc/gate/call.ts";

export class Approvals implements Approval {
  readonly #ask: ((question: string) => Promise<string | undefined>) | undefined;
  /** One question at a time. */
  #asking: Promise<unknown> = Promise.resolve();
  #given = 0;
  #refused = 0;

  constructor(ask: ((question: string) => Promise<string | undefined>) | undefined) {
    this.#ask = ask;
  }

  /** Was there something to allow, and was all of it allowed? */
  get areAllGiven(): boolean {
    return this.#given > 0 && this.#refused === 0;
  }

  ask(question: string): Promise<string | undefined> {
    const ask = this.#ask;
    if (!ask) return Promise.resolve(undefined);
    const answer = this.#asking.then(async () => await ask(question));
    this.#asking = answer.catch(() => undefined);
    return answer;
  }

  answered(isAllowed: boolean): void {
    if (isAllowed) this.#given++;
    else this.#refused++;
  }
}
