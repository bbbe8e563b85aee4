/**
 * The record of what was refused, for the person whose browser this is: `attempts.jsonl` in the user's own state. It
 * says when, why and which command, and tells sources apart without naming them; nothing that was sent is in it.
 */
import { createHash, randomBytes } from "node:crypto";
import { appendFileSync, closeSync, fstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { BrowseError, type ErrorKind } from "../../errors.ts";
import { deviceSalt } from "../files/device_salt.ts";
import { errorCode } from "../files/error_code.ts";
import { NotOurs, openToAppend, readOwnFile } from "../files/own_file.ts";

/**
 * Why: the kind of error that a call was refused with, or what was wrong with a request that never became one.
 * `content_…` is the content guard's verdict on a page, which was read nevertheless where it is not `content_block`; with
 * `content_unsafe` that was asked for.
 * `marker` is no refusal: a call carried text that was read from a page.
 * `root_token`, `token_kind` and `not_tunnelled` are good tokens at the door where they are not taken.
 */
export type DenialReason =
  | ErrorKind
  | "no_token"
  | "wrong_token"
  | "root_token"
  | "token_kind"
  | "not_tunnelled"
  | "pairing_key"
  | "host"
  | "origin"
  | "content_log"
  | "content_warn"
  | "content_block"
  | "content_unsafe"
  | "marker";

export interface Denial {
  reason: DenialReason;
  /** As the caller spelled it; what is no command of ours is written down as "unknown". */
  command?: string;
  /** Whatever tells the caller from others: an address, a token's id. Only its salted hash is kept. */
  source: string;
  /** Of the page that it is about. */
  domain?: string;
}

/** The port through which everyone who refuses something says so. Never throws. */
export type RecordDenial = (denial: Denial) => void;

/** A line of the file. */
export interface DenialEntry {
  time: string;
  reason: DenialReason;
  /** A name from our list, or "unknown". */
  command: string;
  /** SHA-256 of the device's salt and the source, in hex. */
  source: string;
  domain?: string;
}

/** A line that stands for what came too fast to be written. */
export interface DroppedDenials {
  time: string;
  reason: "throttled";
  dropped: number;
}

export type DenialLine = DenialEntry | DroppedDenials;

interface DenialLogOptions {
  /** `security` in the user's state. */
  dir: string;
  isCommand: (name: string) => boolean;
  onError: (error: unknown) => void;
  /** For tests. */
  maxBytes?: number;
  windowMs?: number;
}

const Line = v.union([
  v.object({
    time: v.string(),
    reason: v.string(),
    command: v.string(),
    source: v.string(),
    domain: v.exactOptional(v.string()),
  }),
  v.object({ time: v.string(), reason: v.literal("throttled"), dropped: v.number() }),
]);

const FILE = "attempts.jsonl";
const MAX_BYTES = 10_000_000;
/** Older files that are kept: `attempts.jsonl.1` is the newest of them. */
const GENERATIONS = 5;
const WRITES_PER_WINDOW = 60;
const WINDOW_MS = 60_000;

/** What is written down of calls that were answered. */
const ANSWERED: ReadonlySet<DenialReason> = new Set<DenialReason>([
  "marker",
  "content_log",
  "content_warn",
  "content_unsafe",
]);

export class DenialLog {
  readonly #options: Required<DenialLogOptions>;
  #salt: Buffer | undefined;
  #count = 0;
  #writes = 0;
  #dropped = 0;
  #window: NodeJS.Timeout | undefined;

  constructor(options: DenialLogOptions) {
    this.#options = { maxBytes: MAX_BYTES, windowMs: WINDOW_MS, ...options };
  }

  /** How many calls were refused, written down or not. */
  get count(): number {
    return this.#count;
  }

  /** The entry; undefined when there are too many to be written. */
  readonly record = ({ reason, command: named, source, domain }: Denial): DenialEntry | undefined => {
    if (!ANSWERED.has(reason)) this.#count++;
    this.#window ??= setTimeout(() => this.flush(), this.#options.windowMs).unref();
    if (this.#writes >= WRITES_PER_WINDOW) {
      this.#dropped++;
      return undefined;
    }
    this.#writes++;
    const command = named !== undefined && this.#options.isCommand(named) ? named : "unknown";
    const entry = {
      time: new Date().toISOString(),
      reason,
      command,
      source: this.#hash(source),
      ...(domain !== undefined && { domain }),
    };
    this.#try(() => this.#append(entry));
    return entry;
  };

  /** The newest lines of all generations, in order of time; what is no line of ours is left out. */
  read(last: number): DenialLine[] {
    const lines: DenialLine[] = [];
    for (let generation = 0; generation <= GENERATIONS && lines.length < last; generation++) {
      lines.unshift(...linesOf(join(this.#options.dir, generation === 0 ? FILE : `${FILE}.${generation}`)));
    }
    return lines.slice(-last);
  }

  /** Ends the current minute: says how much was left out of it. */
  flush(): void {
    clearTimeout(this.#window);
    this.#window = undefined;
    const dropped = this.#dropped;
    this.#writes = 0;
    this.#dropped = 0;
    if (dropped > 0) this.#try(() => this.#append({ time: new Date().toISOString(), reason: "throttled", dropped }));
  }

  #try(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #append(entry: DenialLine): void {
    const { dir, maxBytes } = this.#options;
    const path = join(dir, FILE);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const file = openToAppend(path);
    try {
      appendFileSync(file, `${JSON.stringify(entry)}\n`);
      if (fstatSync(file).size > maxBytes) rotate(path);
    } finally {
      closeSync(file);
    }
  }

  #hash(source: string): string {
    this.#salt ??= this.#readSalt();
    return createHash("sha256").update(this.#salt).update(source, "utf8").digest("hex");
  }

  /** Without the device's own, sources can still be told apart for as long as this daemon lives. */
  #readSalt(): Buffer {
    try {
      return deviceSalt(join(this.#options.dir, "device-salt"));
    } catch (error) {
      this.#options.onError(error);
      return randomBytes(32);
    }
  }
}

function linesOf(path: string): DenialLine[] {
  return textOf(path)
    .split("\n")
    .flatMap((line) => {
      try {
        const parsed = v.safeParse(Line, JSON.parse(line));
        return parsed.success ? [parsed.output as DenialLine] : [];
      } catch {
        // The last line of a process that was killed while it wrote.
        return [];
      }
    });
}

/** What a larger file or one of somebody else's holds is no record of ours, and no record is not an empty one. */
function textOf(path: string): string {
  try {
    return readOwnFile(path, { maxBytes: 2 * MAX_BYTES }) ?? "";
  } catch (error) {
    const reason = error instanceof NotOurs ? error.reason : `the system refuses (${errorCode(error)})`;
    throw new BrowseError("blocked_path", `Cannot read the record of refusals, "${path}": ${reason}`, {
      hint: "Move what is there aside: a new record begins with the next refusal",
      cause: error,
    });
  }
}

/** Moves every generation one on. Daemons that do so at once may lose an old one, never the newest lines. */
function rotate(path: string): void {
  rmSync(`${path}.${GENERATIONS}`, { force: true });
  for (let older = GENERATIONS - 1; older >= 1; older--) moveIfThere(`${path}.${older}`, `${path}.${older + 1}`);
  moveIfThere(path, `${path}.1`);
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
