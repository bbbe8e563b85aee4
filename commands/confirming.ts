/** Calls that a person has to allow first, as handlers see them. */

/** A call that waits for a person to allow it. */
export interface PendingCall {
  command: string;
  /** As they may be shown. */
  params: unknown;
  /** Whose token it came with: `client bob`. */
  by: string;
  /** What it opens, and what it works on. */
  urls: readonly string[];
  /** What it has made, and is to be agreed to. */
  shown?: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export interface Confirming {
  /** Throws `not_found`, and `forbidden` for whoever asked. */
  pending(id: string): PendingCall;
  answer(id: string, isAllowed: boolean): void;
  /**
   * Uses up somebody else's yes to this caller's call of `command`, as it is `shown` to them. Throws
   * `confirmation_required` when there is none.
   */
  use(command: string, shown: Record<string, unknown>): void;
}
