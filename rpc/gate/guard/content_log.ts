/** Who is told of what the content guard meets with: the `security` topic, the record of refusals, and `security status`. */
import type { Verdict } from "../../../security/content/verdict.ts";
import type { Denial } from "../../../security/tokens/denials.ts";
import { nameOf } from "../refusals.ts";
import type { Met } from "./content_guard.ts";
import { withoutQuotes } from "./quoted_parts.ts";

/** A page that is read again and again is told of once in this time. */
const AGAIN_MS = 60_000;
const MAX_REMEMBERED = 1_000;

export interface ContentLogPorts {
  publish: (data: Record<string, unknown>, place: { session?: string; tab?: string }) => void;
  record: (denial: Denial) => void;
}

/** Answers since the daemon started. */
export type ContentFigures = Record<Exclude<Verdict, "allow">, number>;

export class ContentLog {
  readonly figures: ContentFigures = { log: 0, warn: 0, block: 0 };
  readonly #ports: ContentLogPorts;
  /** When what was told last. What was shown by `--unsafe` is told each time. */
  readonly #told = new Map<string, number>();

  constructor(ports: ContentLogPorts) {
    this.#ports = ports;
  }

  readonly tell = ({ call, origin, verdict, findings, tab }: Met): void => {
    const { command, caller, options } = call;
    const isShown = options.unsafe === true && verdict === "block";
    this.figures[isShown ? "warn" : verdict]++;
    const layers = findings.map(({ layer, score, says }) => ({ layer, score, says: withoutQuotes(says) }));
    if (!isShown && !this.#isNews(JSON.stringify([caller.token.id, origin, verdict, layers]))) return;
    this.#ports.record({
      reason: isShown ? "content_unsafe" : `content_${verdict}`,
      command: command.name,
      source: caller.source ?? caller.token.id,
      ...hostIn(origin),
    });
    const place = {
      ...(options.session !== undefined && { session: options.session }),
      ...(tab !== undefined && { tab }),
    };
    const page = origin === undefined ? {} : { url: origin };
    this.#ports.publish(
      {
        event: "content",
        verdict,
        ...(isShown && { unsafe: true }),
        command: command.name,
        ...page,
        layers,
        token: nameOf(caller.token),
      },
      place,
    );
  };

  /** A call or a page that would have sent a canary was blocked, which was told as any refusal is. */
  readonly leaked = (): void => {
    this.figures.block++;
  };

  #isNews(key: string): boolean {
    const now = performance.now();
    const before = this.#told.get(key);
    if (before !== undefined && now - before < AGAIN_MS) return false;
    if (this.#told.size >= MAX_REMEMBERED) this.#told.clear();
    this.#told.set(key, now);
    return true;
  }
}

function hostIn(origin: string | undefined): { domain?: string } {
  const host = origin === undefined ? "" : new URL(origin).hostname;
  return host === "" ? {} : { domain: host };
}
