/** Who has asked for a canary: one for each token, whatever its connections, for as long as it holds. */
import { Canary, type CanaryLeak } from "../content/canary.ts";
import type { Finding } from "../content/finding.ts";
import { noteGivenSecret } from "./typed_secrets.ts";

/** A canary on its way out, and whose it is. */
export interface ToldLeak extends CanaryLeak {
  finding: Finding;
  /** The token's id. */
  token: string;
  session?: string;
  tab?: string;
}

interface Holder {
  readonly id: string;
}

export class Canaries {
  readonly #byToken = new Map<string, Canary>();

  /** The same each time it is asked for. Never logged, journaled or shown from here on. */
  issue({ id }: Holder): string {
    const canary = this.#byToken.get(id) ?? new Canary();
    this.#byToken.set(id, canary);
    noteGivenSecret(canary.value);
    return canary.value;
  }

  /** Undefined: it has not asked for one. */
  of({ id }: Holder): Canary | undefined {
    return this.#byToken.get(id);
  }

  /** The token is gone. */
  end({ id }: Holder): void {
    this.#byToken.delete(id);
  }
}
