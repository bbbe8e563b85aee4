/**
 * The files of notes of one tier: JSON lines, one file a host, only ever added to. Each line is sealed with the secret of
 * this device, so that no note comes in with a cloned repository, or by a hand that writes into the folder.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { appendLines } from "../../security/files/append_line.ts";
import { errorCode } from "../../security/files/error_code.ts";
import { NotOurs, readOwnFile } from "../../security/files/own_file.ts";
import { DISK_FULL, diskFull, FREE_STATE_DISK, ownFolderIn } from "../../security/files/private_file.ts";
import { type Entry, EntrySchema, type Note, notesIn, type Tier } from "./note.ts";
import { fileNameOf, hostOfFile } from "./note_file.ts";

const FOLDER = "notes";
const MAX_HOSTS = 1_000;
/** Of one file, which has a thousand changes then. */
const MAX_BYTES = 1_000_000;
/** What is always left for removing, and for what is counted. */
const RESERVED_BYTES = 100_000;

const SealedSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

export interface NotesFolderOptions {
  tier: Tier;
  /** Holds the folder of notes. */
  parent: string;
  /** The secret of this device; undefined when it cannot be had. */
  key: () => Uint8Array | undefined;
}

/** What a file holds. */
export interface HostFile {
  notes: Note[];
  /** Lines that were not written here, or are damaged: nothing of them is used. */
  foreignLines: number;
}

export class NotesFolder {
  readonly tier: Tier;
  readonly #options: NotesFolderOptions;
  #key: Uint8Array | undefined;

  constructor(options: NotesFolderOptions) {
    this.tier = options.tier;
    this.#options = options;
  }

  /** Hosts that there are files of, by name. */
  hosts(): string[] {
    if (!this.#isThere) return [];
    const hosts = readdirSync(this.#path).flatMap((name) => hostOfFile(name) ?? []);
    return hosts.sort().slice(0, MAX_HOSTS);
  }

  /** A file that is no file of ours, or too large, counts as one foreign line. */
  read(host: string): HostFile {
    const lines = this.#linesOf(host);
    if (lines === undefined) return { notes: [], foreignLines: 1 };
    // A line that is there twice was copied: each is made at a time of its own.
    const entries = [...new Set(lines)].flatMap((line) => this.#entryIn(line, host) ?? []);
    return { notes: notesIn(entries), foreignLines: lines.length - entries.length };
  }

  /** Throws `too_large` where the file or the disk is full, `unsupported` where nothing can be sealed, `blocked_path`. */
  async append(host: string, entry: Entry): Promise<void> {
    const seal = this.#sealOf(host, entry);
    if (seal === undefined) {
      throw new BrowseError("unsupported", "Notes cannot be kept: the secret of this device cannot be had", {
        hint: ".browse/daemon.log says why",
      });
    }
    const line = Buffer.from(`${JSON.stringify({ ...entry, seal })}\n`);
    try {
      const path = join(ownFolderIn(this.#options.parent, FOLDER), fileNameOf(host));
      this.#assertRoom(path, entry.op === "write" ? MAX_BYTES - RESERVED_BYTES : MAX_BYTES);
      await appendLines(path, line, { isDurable: entry.op === "write" || entry.op === "remove" });
    } catch (error) {
      throw notKept(error);
    }
  }

  #assertRoom(path: string, maxBytes: number): void {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined && this.hosts().length >= MAX_HOSTS) {
      throw new BrowseError("too_large", `There are notes about ${MAX_HOSTS} hosts, and may be of no more`, {
        hint: `Ask a person to remove some of the files in "${this.#path}"`,
      });
    }
    if (stats === undefined || stats.size <= maxBytes) return;
    throw new BrowseError("too_large", "What is kept of the notes about this host takes all the room it may have", {
      hint: `Ask a person to move "${path}" away`,
    });
  }

  #linesOf(host: string): string[] | undefined {
    if (!this.#isThere) return [];
    try {
      const text = readOwnFile(join(this.#path, fileNameOf(host)), { maxBytes: MAX_BYTES + RESERVED_BYTES });
      return text?.split("\n").filter((line) => line !== "") ?? [];
    } catch (error) {
      if (error instanceof NotOurs || ["EACCES", "EPERM"].includes(errorCode(error))) return undefined;
      throw error;
    }
  }

  #entryIn(line: string, host: string): Entry | undefined {
    try {
      const { seal, ...rest } = JSON.parse(line) as Record<string, unknown>;
      const entry = v.parse(EntrySchema, rest);
      const own = this.#sealOf(host, entry);
      const isOwn = own !== undefined && timingSafeEqual(Buffer.from(own), Buffer.from(v.parse(SealedSchema, seal)));
      return isOwn ? entry : undefined;
    } catch {
      // Torn, or not of our making.
      return undefined;
    }
  }

  /** Of this line, in this file. */
  #sealOf(host: string, entry: Entry): string | undefined {
    this.#key ??= this.#options.key();
    const key = this.#key;
    const members = Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1));
    return (
      key &&
      createHmac("sha256", key)
        .update(JSON.stringify(["note", this.tier, host, members]))
        .digest("hex")
    );
  }

  get #path(): string {
    return join(this.#options.parent, FOLDER);
  }

  /** A link in its place is not followed. */
  get #isThere(): boolean {
    return lstatSync(this.#path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  }
}

function notKept(error: unknown): unknown {
  const code = errorCode(error);
  if (error instanceof BrowseError) return error;
  if (DISK_FULL.has(code)) return diskFull("The note is not kept", error, FREE_STATE_DISK);
  const reason = error instanceof NotOurs ? error.message : `the system refuses (${code})`;
  return new BrowseError("blocked_path", `The note is not kept: ${reason}`, {
    hint: "Make the folder of notes writable, and let nothing but our own files stand in it",
    cause: error,
  });
}
