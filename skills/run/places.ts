/** How many processes of skills there may be at a time: each takes some 50 MB, and a processor if it likes. */
import { abortable } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";

/** As many as one run with `--each` may have. */
const MAX_ALL = 16;
/** Of one agent, with all to whom it lends. */
const MAX_OF_AGENT = 4;

interface Asking {
  /** Whose processes count as one's: a token's id. */
  family: string;
  /** They are the user's own. */
  isUsers: boolean;
  /** What is to run: `the skill "prices"`. */
  what: string;
  timeoutMs: number;
  signal: AbortSignal;
}

interface Turn extends Pick<Asking, "family" | "isUsers"> {
  begin: () => void;
}

export class Places {
  readonly #taken = new Set<Turn>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Turn>();

  /** Waits for a place, and gives what frees it. Throws `timeout` when none was free in time, and what the signal says. */
  async take({ family, isUsers, what, timeoutMs, signal }: Asking): Promise<() => void> {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const turn = { family, isUsers, begin };
    const late = AbortSignal.timeout(timeoutMs);
    this.#waiting.add(turn);
    this.#next();
    try {
      await abortable(begun, AbortSignal.any([signal, late]));
    } catch (error) {
      const full = this.#full(turn);
      this.#free(turn);
      throw late.aborted && !signal.aborted ? noneFree(what, timeoutMs, full) : error;
    }
    return () => this.#free(turn);
  }

  /** Those of who has enough are passed by. */
  #next(): void {
    for (const turn of this.#waiting) {
      if (this.#full(turn) !== undefined) continue;
      this.#waiting.delete(turn);
      this.#taken.add(turn);
      turn.begin();
    }
  }

  #free(turn: Turn): void {
    this.#waiting.delete(turn);
    this.#taken.delete(turn);
    this.#next();
  }

  /** Why it cannot begin; undefined when it can. */
  #full({ family, isUsers }: Turn): string | undefined {
    if (this.#taken.size >= MAX_ALL) return `${MAX_ALL} processes of skills run, and no more may`;
    if (isUsers) return undefined;
    const own = [...this.#taken].filter((turn) => turn.family === family);
    return own.length >= MAX_OF_AGENT ? `${own.length} of its caller run, and no more may` : undefined;
  }
}

function noneFree(what: string, timeoutMs: number, full = "they were taken"): BrowseError {
  return new BrowseError("timeout", `Waited ${timeoutMs} ms for a process for ${what}: ${full}`, {
    hint: "Run it again when others have ended, or give it more time with `--timeout <ms>`",
    details: { timeoutMs },
  });
}
