/** What a person has agreed to, by content: `.trust.json` in the user's skills. A changed byte of a skill asks again. */
import { join } from "node:path";
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { errorCode } from "../../security/files/error_code.ts";
import {
  ensurePrivateDir,
  readJsonFile,
  removeAbandoned,
  writePrivateFile,
} from "../../security/files/private_file.ts";
import { heldLock } from "../../security/process/held_lock.ts";

const TRUST_FILE = ".trust.json";
const MAX_BYTES = 1_000_000;
const VERSION = 1;

const AgreedSchema = v.strictObject({
  /** For people who look into the file. */
  name: v.string(),
  /** ISO 8601. */
  at: v.string(),
  trusted: v.boolean(),
  approved: v.boolean(),
});
const TrustSchema = v.strictObject({
  version: v.literal(VERSION),
  skills: v.record(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)), AgreedSchema),
});
type Written = v.InferOutput<typeof TrustSchema>;

export interface Agreed {
  /** It runs without the sandbox. */
  trusted: boolean;
  /** Its actions run without being asked for one by one. */
  approved: boolean;
}

/** The file as it was when it was read. */
export interface Trust {
  of(hash: string): Agreed;
  /** Why the file cannot be used: nothing is agreed to then. */
  problem?: string;
}

export class TrustFile {
  readonly #dir: string;
  readonly #path: string;

  /** `dir` is the folder of the user's skills. */
  constructor(dir: string) {
    this.#dir = dir;
    this.#path = join(dir, TRUST_FILE);
  }

  read(): Trust {
    const file = this.#read();
    if ("corrupt" in file) {
      return { of: () => ({ trusted: false, approved: false }), problem: `${this.#path}: ${file.corrupt}` };
    }
    const { skills } = file.value;
    return {
      of(hash) {
        const { trusted = false, approved = false } = Object.hasOwn(skills, hash) ? (skills[hash] ?? {}) : {};
        return { trusted, approved };
      },
    };
  }

  /** Throws `state_unreadable` when the file is damaged: what a person agreed to is not lost by writing over it. */
  async agree(hash: string, name: string, { trusted, approved }: Agreed): Promise<void> {
    await this.#change((skills) => {
      skills[hash] = { name, at: new Date().toISOString(), trusted, approved };
    });
  }

  /** Nothing is agreed to any more, of this content or of any that had the name. Gives how many entries that were. */
  async revoke(hash: string, name: string): Promise<number> {
    return await this.#change((skills) => {
      const gone = Object.keys(skills).filter((each) => each === hash || skills[each]?.name === name);
      for (const each of gone) delete skills[each];
      return gone.length;
    });
  }

  async #change<Result>(change: (skills: Written["skills"]) => Result): Promise<Result> {
    ensurePrivateDir(this.#dir);
    // Other projects' daemons have the same file.
    using _lock = await heldLock(this.#dir, ".trust.lock");
    removeAbandoned(this.#dir);
    const file = this.#read();
    if ("corrupt" in file) {
      throw new BrowseError("state_unreadable", `Cannot use "${this.#path}": ${file.corrupt}`, {
        hint: "Correct it, or remove it: then every skill asks again",
      });
    }
    const result = change(file.value.skills);
    await writePrivateFile(this.#path, `${JSON.stringify(file.value, undefined, 2)}\n`);
    return result;
  }

  #read(): { value: Written } | { corrupt: string } {
    try {
      const options = { isSecret: true, maxBytes: MAX_BYTES };
      return readJsonFile(this.#path, TrustSchema, options) ?? { value: { version: VERSION, skills: {} } };
    } catch (error) {
      return { corrupt: `it cannot be read (${errorCode(error)})` };
    }
  }
}
