/**
 * Calls that a person has to allow first. Whoever asks is refused with an id; somebody else, who holds control, says yes
 * to that id at a terminal; then the same call of the same caller runs, once.
 */
import { createHash, randomInt } from "node:crypto";
import { abortable } from "../../../abort.ts";
import type { PendingCall } from "../../../commands/confirming.ts";
import { BrowseError } from "../../../errors.ts";
import { areOfOneFamily, headOf } from "../../../security/tokens/family.ts";
import type { Token } from "../../../security/tokens/token.ts";

interface Entry extends PendingCall {
  id: string;
  token: Token;
  fingerprint: string;
  isGiven: boolean;
  /** Told of the answer, where the call waits for it. */
  onAnswer?: (isAllowed: boolean) => void;
}

/** What makes a call the same call. */
export interface ConfirmedCall extends Pick<PendingCall, "command" | "params" | "by" | "urls" | "shown"> {
  token: Token;
  /** All that it was called with, and where. */
  whole: unknown;
}

/** A call that goes on when it is allowed. */
export interface Waiting {
  /** Given what waits, once. */
  tell: (pending: PendingCall & { id: string }) => void;
  /** Undefined where there is nobody to ask. */
  ask: (pending: PendingCall) => Promise<boolean | undefined>;
  signal: AbortSignal;
}

const LIFE_MS = 60_000;
/** More are nobody's to read. Of one asker's, the oldest are forgotten; beyond them all, those of whoever asks for most. */
const MAX_OF_ONE = 10;
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

  #given(call: ConfirmedCall): Entry {
    const entry = this.#entryFor(call);
    if (entry.isGiven) return entry;
    throw required(entry);
  }

  /** `isFree`: one that no other call waits with, which has an answer of its own. */
  #entryFor({ token, whole, ...shown }: ConfirmedCall, { isFree = false } = {}): Entry {
    this.#forget();
    const fingerprint = fingerprintOf(token, shown.command, whole);
    const same = this.#entries.filter((entry) => entry.fingerprint === fingerprint && !(isFree && entry.onAnswer));
    const known = same.find(({ isGiven }) => isGiven) ?? same[0];
    if (known) return known;
    const entry = {
      ...shown,
      id: newId(),
      token,
      fingerprint,
      isGiven: false,
      expiresAt: Date.now() + LIFE_MS,
    };
    this.#makeRoom(askerOf(token));
    this.#entries = [...this.#entries, entry];
    return entry;
  }

  /** Nobody's flood of calls costs another one a call that waits. What has its yes takes no room. */
  #makeRoom(asker: string): void {
    const waiting = this.#entries.filter(({ isGiven }) => !isGiven);
    const byAsker = Map.groupBy(waiting, ({ token }) => askerOf(token));
    const own = byAsker.get(asker) ?? [];
    if (own.length < MAX_OF_ONE && waiting.length < MAX_PENDING) return;
    const most = [...byAsker.values()].reduce((one, other) => (other.length > one.length ? other : one), own);
    const [oldest] = own.length < MAX_OF_ONE ? most : own;
    this.#entries = this.#entries.filter((entry) => entry !== oldest);
  }

  /**
   * Waits, a minute at most, until somebody else has said yes to the call, which `use` uses up then. `tell` is given what is to be
   * confirmed, and `ask` may answer before anybody else does. Rejects with `forbidden` for a no, `confirmation_required` when nobody answers, and when `signal` aborts.
   */
  async waitFor(call: ConfirmedCall, { tell, ask, signal }: Waiting): Promise<boolean> {
    const entry = this.#entryFor(call, { isFree: true });
    if (entry.isGiven) return true;
    const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
    entry.onAnswer = resolve;
    const timer = setTimeout(resolve, entry.expiresAt - Date.now(), undefined);
    try {
      tell(entry);
      void ask(entry).then(
        (isAllowed) => {
          if (isAllowed !== undefined) this.#answerTo(entry, isAllowed);
        },
        () => undefined,
      );
      const isAllowed = await abortable(promise, signal);
      if (isAllowed === undefined) throw required(entry);
      return isAllowed;
    } finally {
      clearTimeout(timer);
      delete entry.onAnswer;
    }
  }

  /** The call of that id, for somebody who may allow it. Throws `not_found`, and `forbidden` for whoever asked. */
  pending(id: string, by: Token): PendingCall {
    return this.#entry(id, by);
  }

  /** The answer of a person. Throws as `pending` does. */
  answer(id: string, by: Token, isAllowed: boolean): void {
    this.#answerTo(this.#entry(id, by), isAllowed);
  }

  #answerTo(entry: Entry, isAllowed: boolean): void {
    Object.assign(entry, { isGiven: isAllowed, expiresAt: Date.now() + LIFE_MS });
    // A person may answer at their terminal what has given way to others here.
    this.#entries = [...this.#entries.filter((other) => other !== entry), ...(isAllowed ? [entry] : [])];
    entry.onAnswer?.(isAllowed);
  }

  #entry(id: string, by: Token): Entry {
    this.#forget();
    const entry = this.#entries.find((candidate) => candidate.id === id && !candidate.isGiven);
    if (!entry) {
      throw new BrowseError("not_found", `No call with the id "${id}" is waiting`, {
        hint: "A call waits for one minute: make it again, and confirm the id that its refusal gives",
      });
    }
    if (!areOfOneFamily(entry.token, by)) return entry;
    throw new BrowseError("forbidden", "A caller cannot allow its own call, nor one of those it has paired or runs", {
      hint: "Use another token with the scope control: `browse pair me --scopes control` gives one",
    });
  }

  #forget(): void {
    const now = Date.now();
    this.#entries = this.#entries.filter(({ expiresAt }) => now < expiresAt);
  }
}

/** Whose calls count as one's. Every run of a skill has a token of its own: those of the user's runs count by the skill. */
function askerOf(token: Token): string {
  return token.kind === "skill" && !token.head ? `skill ${token.name}` : headOf(token).id;
}

function required({ command, id, expiresAt }: Entry): BrowseError {
  return new BrowseError("confirmation_required", `"${command}" must be approved by a person first`, {
    hint: `Ask for \`browse confirm ${id}\` at a terminal within a minute, then make the same call again`,
    details: { confirmation: id, expiresAt: new Date(expiresAt).toISOString() },
  });
}

function fingerprintOf({ id }: Token, command: string, whole: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify([id, command, whole]))
    .digest("hex");
}

function newId(): string {
  return Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}
