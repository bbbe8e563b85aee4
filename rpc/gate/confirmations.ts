/**
 * Calls that a person has to allow first. Whoever asks is refused with an id; somebody else, who holds control, says yes
 * to that id at a terminal; then the same call of the same caller runs, once.
 */
import { createHash, randomInt } from "node:crypto";
import type { PendingCall } from "../../commands/confirming.ts";
import { BrowseError } from "../../errors.ts";
import type { Token } from "../../security/tokens/token.ts";

interface Entry extends PendingCall {
  id: string;
  token: Token;
  fingerprint: string;
  isGiven: boolean;
}

/** What makes a call the same call. */
export interface ConfirmedCall extends Pick<PendingCall, "command" | "params" | "by" | "urls"> {
  token: Token;
  /** All that it was called with, and where. */
  whole: unknown;
}

const LIFE_MS = 60_000;
/** More are nobody's to read: the oldest are forgotten. */
const MAX_PENDING = 100;
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";

export class Confirmations {
  #entries: Entry[] = [];

  /** Has a yes been given to this call? Throws `confirmation_required` when none has. */
  require(call: ConfirmedCall): void {
    this.#given(call);
  }

  /** The same, and the yes is used up. */
  use(call: ConfirmedCall): void {
    const given = this.#given(call);
    this.#entries = this.#entries.filter((entry) => entry !== given);
  }

  #given({ token, whole, ...shown }: ConfirmedCall): Entry {
    this.#forget();
    const fingerprint = fingerprintOf(token, shown.command, whole);
    const known = this.#entries.find((entry) => entry.fingerprint === fingerprint);
    if (known?.isGiven) return known;
    const entry = known ?? {
      ...shown,
      id: newId(),
      token,
      fingerprint,
      isGiven: false,
      expiresAt: Date.now() + LIFE_MS,
    };
    if (!known) this.#entries = [...this.#entries, entry].slice(-MAX_PENDING);
    throw new BrowseError("confirmation_required", `"${entry.command}" must be approved by a person first`, {
      hint: `Ask for \`browse confirm ${entry.id}\` at a terminal within a minute, then make the same call again`,
      details: { confirmation: entry.id, expiresAt: new Date(entry.expiresAt).toISOString() },
    });
  }

  /** The call of that id, for somebody who may allow it. Throws `not_found`, and `forbidden` for whoever asked. */
  pending(id: string, by: Token): PendingCall {
    return this.#entry(id, by);
  }

  /** The answer of a person. Throws as `pending` does. */
  answer(id: string, by: Token, isAllowed: boolean): void {
    const entry = this.#entry(id, by);
    if (isAllowed) Object.assign(entry, { isGiven: true, expiresAt: Date.now() + LIFE_MS });
    else this.#entries = this.#entries.filter((other) => other !== entry);
  }

  #entry(id: string, by: Token): Entry {
    this.#forget();
    const entry = this.#entries.find((candidate) => candidate.id === id && !candidate.isGiven);
    if (!entry) {
      throw new BrowseError("not_found", `No call with the id "${id}" is waiting`, {
        hint: "A call waits for one minute: make it again, and confirm the id that its refusal gives",
      });
    }
    if (entry.token.id !== by.id) return entry;
    throw new BrowseError("forbidden", "A caller cannot allow its own call", {
      hint: "Use another token with the scope control: `browse pair me --scopes control` gives one",
    });
  }

  #forget(): void {
    const now = Date.now();
    this.#entries = this.#entries.filter(({ expiresAt }) => now < expiresAt);
  }
}

function fingerprintOf({ id }: Token, command: string, whole: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify([id, command, whole]))
    .digest("hex");
}

function newId(): string {
  return Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}
