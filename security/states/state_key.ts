/** Where the key of encrypted states comes from: BROWSE_STATE_KEY, else the system's keychain. */
import { randomBytes } from "node:crypto";
import { BrowseError } from "../../errors.ts";
import { inNewDaemon } from "../process/new_setting.ts";
import { KEY_BYTES, keyFrom, newSalt } from "./state_cipher.ts";

/** As a file says how its key is found again. */
export type KeyOrigin = { from: "environment"; salt: string } | { from: "keychain" };

/** One secret in the system's keychain. Rejects when there is none that can be used. */
export interface Keychain {
  get(): Promise<string | null>;
  set(secret: string): Promise<void>;
}

const SERVICE = "browse";
const ACCOUNT = "state-key";

export class StateKeys {
  readonly #passphrase: string | undefined;
  readonly #keychain: () => Promise<Keychain>;

  constructor(passphrase: string | undefined, keychain: () => Promise<Keychain> = systemKeychain) {
    this.#passphrase = passphrase;
    this.#keychain = keychain;
  }

  /** The key to save with; one is made in the keychain when there is none. Throws `unsupported`. */
  async forSaving(): Promise<{ key: Buffer; origin: KeyOrigin }> {
    if (this.#passphrase !== undefined) {
      const salt = newSalt();
      return { key: await keyFrom(this.#passphrase, salt), origin: { from: "environment", salt } };
    }
    const keychain = await this.#open();
    const key = (await this.#fromKeychain(keychain)) ?? randomBytes(KEY_BYTES);
    await keychain.set(key.toString("base64")).catch(unusable);
    return { key, origin: { from: "keychain" } };
  }

  /** The key that a file was saved with. Throws `state_unreadable` when it is not here, `unsupported`. */
  async forLoading(origin: KeyOrigin): Promise<Buffer> {
    if (origin.from === "keychain") {
      const key = await this.#fromKeychain(await this.#open());
      if (key) return key;
      throw new BrowseError("state_unreadable", "The key of the state is not in this system's keychain", {
        hint: "Load it on the machine and as the user that saved it",
      });
    }
    if (this.#passphrase !== undefined) return await keyFrom(this.#passphrase, origin.salt);
    throw new BrowseError("state_unreadable", "The state was encrypted with BROWSE_STATE_KEY, which is not set", {
      hint: inNewDaemon("Set BROWSE_STATE_KEY to what it was at the save"),
    });
  }

  /** Where a key to save with would come from; undefined when from nowhere. Makes none. */
  async usable(): Promise<KeyOrigin["from"] | undefined> {
    if (this.#passphrase !== undefined) return "environment";
    try {
      await (await this.#keychain()).get();
      return "keychain";
    } catch {
      // Whatever the reason, the way on is the same: a key of one's own.
      return undefined;
    }
  }

  async #open(): Promise<Keychain> {
    return await this.#keychain().catch(unusable);
  }

  async #fromKeychain(keychain: Keychain): Promise<Buffer | undefined> {
    const key = Buffer.from((await keychain.get().catch(unusable)) ?? "", "base64");
    return key.length === KEY_BYTES ? key : undefined;
  }
}

/** Loaded when a key is first asked for. On Linux the kernel's keyring is left out: it forgets when the system restarts. */
async function systemKeychain(): Promise<Keychain> {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  const entry = new AsyncEntry(SERVICE, ACCOUNT, { linux: { store: "secret-service" } });
  return { get: () => entry.getPassword(), set: (secret) => entry.setPassword(secret) };
}

function unusable(cause: unknown): never {
  throw new BrowseError("unsupported", "The system's keychain cannot be used", {
    cause,
    hint: inNewDaemon("Leave out --encrypt, or set BROWSE_STATE_KEY to a secret of your own"),
  });
}
