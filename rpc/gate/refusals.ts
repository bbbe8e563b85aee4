/** What becomes of a call that was refused: it is journaled, told to the `security` topic, and recorded. */

import type { BrowseError, ErrorKind } from "../../errors.ts";
import type { Finding } from "../../security/content/finding.ts";
import { redactCut } from "../../security/secrets/redact.ts";
import type { RecordDenial } from "../../security/tokens/denials.ts";
import type { Token } from "../../security/tokens/token.ts";
import type { Caller } from "./call.ts";
import type { ReadyCall } from "./call_gate.ts";

/** The kinds of errors that say no to a caller, beside those that say how it was wrong. */
const DENIALS: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  "unauthorized",
  "forbidden",
  "rate_limited",
  "blocked_url",
  "blocked_path",
  "blocked_content",
  "not_owner",
  "confirmation_required",
]);

/** Between two records of one caller that is too fast: a flood would wash everything else out of the journal. */
const FLOOD_MS = 1_000;

/** Characters; addresses and names in it are the caller's. */
const MAX_MESSAGE = 2_000;

interface Where {
  session?: string;
  tab?: string;
}

interface Confirmable {
  id: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export interface RefusalPorts {
  recordDenial: RecordDenial;
  publish: (topic: "security", data: Record<string, unknown>, where: Where) => void;
}

export class Refusals {
  readonly #ports: RefusalPorts;
  readonly #floods = new WeakMap<Token, { toldAt: number; untold: number }>();

  constructor(ports: RefusalPorts) {
    this.#ports = ports;
  }

  isDenial({ kind }: BrowseError): boolean {
    return DENIALS.has(kind);
  }

  /** False when it is one of a flood, of which the next that is told says how many there were. */
  tell(caller: Caller, command: string, error: BrowseError, where: Where = {}): boolean {
    const source = caller.source ?? caller.token.id;
    this.#ports.recordDenial({ reason: error.kind, command, source });
    const untold = error.kind === "rate_limited" ? this.#flood(caller.token) : 0;
    if (untold === undefined) return false;
    this.#ports.publish(
      "security",
      {
        event: "denied",
        command,
        reason: error.kind,
        message: redactCut(error.message, MAX_MESSAGE),
        token: nameOf(caller.token),
        via: caller.via,
        ...(untold > 0 && { before: untold }),
      },
      where,
    );
    return true;
  }

  /** Evidence of theft in a call that is let through all the same. */
  tellOfFinding(caller: Caller, command: string, { layer, score, says }: Finding, where: Where): void {
    const { token, via, source = token.id } = caller;
    this.#ports.recordDenial({ reason: "marker", command, source });
    const data = { event: "found", command, layer, score, message: says, token: nameOf(token), via };
    this.#ports.publish("security", data, where);
  }

  /** A call goes on as soon as a person allows it: whoever follows the topic can say which command does that. */
  tellOfWaiting(
    { caller: { token, via }, command, shownParams }: ReadyCall,
    { id, expiresAt }: Confirmable,
    where: Where,
  ): void {
    this.#ports.publish(
      "security",
      {
        event: "confirm",
        command: command.name,
        params: shownParams,
        confirmation: id,
        run: `browse confirm ${id}`,
        expiresAt: new Date(expiresAt).toISOString(),
        token: nameOf(token),
        via,
      },
      where,
    );
  }

  /** How many were not told since the last that was; undefined when this one is not told either. */
  #flood(token: Token): number | undefined {
    const now = performance.now();
    const flood = this.#floods.get(token);
    if (flood && now - flood.toldAt < FLOOD_MS) {
      flood.untold++;
      return undefined;
    }
    this.#floods.set(token, { toldAt: now, untold: 0 });
    return flood?.untold ?? 0;
  }
}

/** What the journal calls the holder: `client bob`. */
export function nameOf({ kind, name }: Token): string {
  return kind === name ? name : `${kind} ${name}`;
}
