/** How fast each token may call: its calls, the items of its batches, and the steps of its chains alike. */

import { BrowseError } from "../../errors.ts";
import type { Token } from "../../security/tokens/token.ts";
import { TokenBucket } from "../../security/tokens/token_bucket.ts";

/** As many steps as one call may hold, or calls as a skill may have open, may be ahead of their time; they wait for it. */
const MAX_OWED = 50;

export class CallRates {
  /** By the rate itself, which a token shares with what it lends. */
  readonly #buckets = new WeakMap<object, TokenBucket>();

  /** Counts a call. Throws `rate_limited`. */
  take(token: Token): void {
    if (this.#bucketOf(token)?.take() === false) throw tooFast(token);
  }

  /** Counts a call, and says in how many milliseconds its turn is: at once, but for rates that are waited for. Throws `rate_limited`. */
  enter(token: Token): number {
    if (token.rate?.isWaitedFor) return this.reserve(token);
    this.take(token);
    return 0;
  }

  /** Counts a step of a call, and says in how many milliseconds its turn is. Throws `rate_limited`. */
  reserve(token: Token): number {
    const bucket = this.#bucketOf(token);
    if (!bucket) return 0;
    const waitMs = bucket.reserve();
    if (waitMs === undefined) throw tooFast(token);
    return waitMs;
  }

  #bucketOf(token: Token): TokenBucket | undefined {
    const { rate } = token;
    if (!rate) return undefined;
    const known = this.#buckets.get(rate);
    if (known) return known;
    // A second's worth at once, and one call at least.
    const capacity = Math.max(1, rate.perSecond);
    const bucket = new TokenBucket({ perSecond: rate.perSecond, capacity, maxOwed: MAX_OWED });
    this.#buckets.set(rate, bucket);
    return bucket;
  }
}

function tooFast({ rate }: Token): BrowseError {
  const perSecond = rate?.perSecond ?? 0;
  return new BrowseError("rate_limited", `More than ${perSecond} calls a second`, { details: { perSecond } });
}
