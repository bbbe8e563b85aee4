/** The person who allows the actions of one run: asked at the terminal where there is one, and remembered. */
import type { Approval } from "../../rpc/gate/call.ts";

export interface ApprovalPorts {
  /** At the terminal of whoever runs the skill; absent where no yes counts there. */
  ask?: (question: string) => Promise<string | undefined>;
  /** Tells whoever runs it which id waits, where nobody can be asked. */
  tell?: (id: string) => void;
  /** No time of the run passes meanwhile. */
  hold: () => Disposable;
}

export class Approvals implements Approval {
  readonly #ports: ApprovalPorts;
  /** One question at a time. */
  #asking: Promise<unknown> = Promise.resolve();
  #asked = 0;
  #given = 0;
  #isUnanswered = false;
  #args: Record<string, unknown> = {};

  constructor(ports: ApprovalPorts) {
    this.#ports = ports;
  }

  /** Was there something to allow, and was all of it allowed? What nobody has answered was not. */
  get areAllGiven(): boolean {
    return this.#asked > 0 && this.#given === this.#asked;
  }

  /** Was there something that nobody has answered? */
  get isUnanswered(): boolean {
    return this.#isUnanswered;
  }

  /** A run with those arguments begins. */
  begin(args: Record<string, unknown>): void {
    this.#args = args;
  }

  argumentWith(value: string): string | undefined {
    return Object.keys(this.#args).find((name) => String(this.#args[name]) === value);
  }

  async ask(question: string, id: string): Promise<string | undefined> {
    this.#asked++;
    const answer = await this.#inTurn(question);
    if (answer === undefined) this.#ports.tell?.(id);
    return answer;
  }

  #inTurn(question: string): Promise<string | undefined> {
    const { ask } = this.#ports;
    if (!ask) return Promise.resolve(undefined);
    const answer = this.#asking.then(async () => await ask(question));
    this.#asking = answer.catch(() => undefined);
    return answer;
  }

  answered(isAllowed: boolean | undefined): void {
    if (isAllowed) this.#given++;
    this.#isUnanswered ||= isAllowed === undefined;
  }

  hold(): Disposable {
    return this.#ports.hold();
  }
}
