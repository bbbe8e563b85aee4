/** Saved states on disk: one file each, readable by this user only, encrypted when asked for. */
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { errorCode } from "../files/error_code.ts";
import {
  DISK_FULL,
  diskFull,
  ensurePrivateDir,
  FREE_STATE_DISK,
  readJsonFile,
  removeAbandoned,
  writePrivateFile,
} from "../files/private_file.ts";
import { open, seal } from "./state_cipher.ts";
import type { StateKeys } from "./state_key.ts";

export interface StateEntry {
  name: string;
  /** ISO 8601; empty when the file does not say. */
  savedAt: string;
  encrypted: boolean;
  bytes: number;
}

export interface StoredState {
  savedAt: string;
  encrypted: boolean;
  /** As it was given to `save`. */
  content: unknown;
}

const VERSION = 1;
const ENDING = ".json";
/** Cookies and storage of many sites. */
const MAX_BYTES = 256_000_000;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;

const KeyOriginSchema = v.variant("from", [
  v.strictObject({ from: v.literal("environment"), salt: v.string() }),
  v.strictObject({ from: v.literal("keychain") }),
]);
/** On the one line that a list has for it, whatever wrote the file. */
const Shown = v.pipe(v.string(), v.maxLength(100), v.regex(/^\P{Cc}*$/u));
const Header = { browse: v.literal("state"), version: v.number(), savedAt: Shown };
/** As much as every version says. */
const AnyVersionSchema = v.looseObject(Header);
const FileSchema = v.union([
  v.strictObject({ ...Header, content: v.unknown() }),
  v.strictObject({
    ...Header,
    key: KeyOriginSchema,
    sealed: v.strictObject({ keyCheck: v.string(), iv: v.string(), tag: v.string(), data: v.string() }),
  }),
]);

export class StateStore {
  readonly #dir: string;
  readonly #keys: StateKeys;

  constructor(dir: string, keys: StateKeys) {
    this.#dir = dir;
    this.#keys = keys;
  }

  /** Replaces a state of that name. Throws `invalid_params`, `unsupported` without a key, `too_large` on a full disk. */
  async save(name: string, content: unknown, { encrypt }: { encrypt: boolean }): Promise<StateEntry> {
    const path = this.#pathOf(name);
    const header = { browse: "state", version: VERSION, savedAt: new Date().toISOString() } as const;
    const text = JSON.stringify(encrypt ? await this.#sealed(header, content) : { ...header, content });
    ensurePrivateDir(this.#dir);
    removeAbandoned(this.#dir);
    try {
      await writePrivateFile(path, text);
    } catch (error) {
      throw DISK_FULL.has(errorCode(error))
        ? diskFull(`Cannot save the state "${name}"`, error, FREE_STATE_DISK)
        : error;
    }
    return { name, savedAt: header.savedAt, encrypted: encrypt, bytes: lstatSync(path).size };
  }

  /** Throws `not_found`, `state_unreadable`, `unsupported`. */
  async load(name: string): Promise<StoredState> {
    const file = this.#read(name);
    const { savedAt } = file;
    if (!("sealed" in file)) return { savedAt, encrypted: false, content: file.content };
    const { sealed, key, ...header } = file;
    const text = open(sealed, await this.#keys.forLoading(key), headerText({ ...header, key }));
    return { savedAt, encrypted: true, content: JSON.parse(text) as unknown };
  }

  /** By name. A file that cannot be read is listed without its date. */
  list(): StateEntry[] {
    return this.names()
      .map((name) => this.#entry(name))
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  /** As it is listed; undefined when there is none. */
  find(name: string): StateEntry | undefined {
    return this.fileOf(name) === undefined ? undefined : this.#entry(name);
  }

  /** Whatever is in their files, in no order. */
  names(): string[] {
    const names = this.#fileNames().map((file) => file.slice(0, -ENDING.length));
    return names.filter((name) => NAME.test(name));
  }

  /** Names the file as it is now: another text when it was changed or made anew. Undefined when there is none. */
  fileOf(name: string): string | undefined {
    const stats = this.#hasFolder ? lstatSync(this.#pathOf(name), { throwIfNoEntry: false }) : undefined;
    return stats && `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  }

  /** Throws `not_found`. */
  remove(name: string): void {
    this.#assertThere(name);
    rmSync(this.#pathOf(name));
  }

  async #sealed(plain: { browse: "state"; version: number; savedAt: string }, content: unknown) {
    const { key, origin } = await this.#keys.forSaving();
    const header = { ...plain, key: origin };
    return { ...header, sealed: seal(JSON.stringify(content), key, headerText(header)) };
  }

  #read(name: string): v.InferOutput<typeof FileSchema> {
    this.#assertThere(name);
    // Its mode may be another after a backup; who could have written it is what counts.
    const file = readJsonFile(this.#pathOf(name), AnyVersionSchema, { maxBytes: MAX_BYTES });
    if (!file) throw noSuchState(name, this.list());
    if ("corrupt" in file) throw unreadable(name, file.isForeign ? file.corrupt : "its file is damaged");
    if (file.value.version !== VERSION) throw unreadable(name, "it was saved by another version of browse");
    const parsed = v.safeParse(FileSchema, file.value);
    if (!parsed.success) throw unreadable(name, "its file is damaged");
    return parsed.output;
  }

  #entry(name: string): StateEntry {
    const bytes = lstatSync(this.#pathOf(name)).size;
    try {
      const file = this.#read(name);
      return { name, savedAt: file.savedAt, encrypted: "sealed" in file, bytes };
    } catch {
      // `show` and `load` say what is wrong with it.
      return { name, savedAt: "", encrypted: false, bytes };
    }
  }

  #assertThere(name: string): void {
    const path = this.#pathOf(name);
    const isThere = this.#hasFolder && lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
    if (!isThere) throw noSuchState(name, this.list());
  }

  /** A file in its place holds no states. */
  get #hasFolder(): boolean {
    return lstatSync(this.#dir, { throwIfNoEntry: false })?.isDirectory() ?? false;
  }

  #fileNames(): string[] {
    return this.#hasFolder ? readdirSync(this.#dir).filter((file) => file.endsWith(ENDING)) : [];
  }

  #pathOf(name: string): string {
    if (NAME.test(name)) return join(this.#dir, `${name}${ENDING}`);
    throw new BrowseError("invalid_params", `Cannot name a state ${JSON.stringify(name)}`, {
      hint: "Use letters, digits, dot, dash and underscore, at most 64, a letter or digit first",
    });
  }
}

/** What is authenticated with the content: the same text from the same members, in one order. */
function headerText({
  browse,
  version,
  savedAt,
  key,
}: {
  browse: string;
  version: number;
  savedAt: string;
  key: object;
}): string {
  return JSON.stringify([browse, version, savedAt, key]);
}

/** The refusal for a state that is there but cannot be used. */
export function unreadable(name: string, reason: string, cause?: unknown): BrowseError {
  return new BrowseError("state_unreadable", `Cannot read the state "${name}": ${reason}`, { cause });
}

function noSuchState(name: string, known: readonly StateEntry[]): BrowseError {
  const names = known.map((entry) => entry.name).join(", ");
  return new BrowseError("not_found", `There is no state "${name}"`, {
    hint: names === "" ? "Save one with `browse state save <name>`" : `States: ${names}`,
  });
}
