/** The person who allows the actions of one run: asked at the terminal where there is one, and remembered. */
import type { Approval } from "../../rpc/gate/call.ts";

export class Approvals implements Approval {
  readonly #ask: ((question: string) => Promise<string | undefined>) | undefined;
  /** One question at a time. */
  #asking: Promise<unknown> = Promise.resolve();
  #asked = 0;
  #given = 0;

  constructor(ask: ((question: string) => Promise<string | undefined>) | undefined) {
    this.#ask = ask;
  }

  /** Was there something to allow, and was all of it allowed? What nobody has answered was not. */
  get areAllGiven(): boolean {
    return this.#asked > 0 && this.#given === this.#asked;
  }

  ask(question: string): Promise<string | undefined> {
    const ask = this.#ask;
    this.#asked++;
    if (!ask) return Promise.resolve(undefined);
    const answer = this.#asking.then(async () => await ask(question));
    this.#asking = answer.catch(() => undefined);
    return answer;
  }

  answered(isAllowed: boolean): void {
    if (isAllowed) this.#given++;
  }
}
