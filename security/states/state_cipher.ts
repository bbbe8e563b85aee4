/** Saved states, encrypted: AES-256-GCM with a random nonce, and the header as authenticated data. */
import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { BrowseError } from "../../errors.ts";
import { inNewDaemon } from "../process/new_setting.ts";

export interface Sealed {
  /** What tells one key from another, so that a wrong key is not taken for a damaged file. */
  keyCheck: string;
  iv: string;
  tag: string;
  data: string;
}

const CIPHER = "aes-256-gcm";
export const KEY_BYTES = 32;
/** The nonce length that GCM is made for (NIST SP 800-38D, 8.2). */
const IV_BYTES = 12;
const SALT_BYTES = 16;
/** 64 MB, about half a second (OWASP Password Storage Cheat Sheet). */
const SCRYPT = { N: 2 ** 16, r: 8, p: 2, maxmem: 2 ** 27 };

const derive = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt);

export function newSalt(): string {
  return randomBytes(SALT_BYTES).toString("base64");
}

/** The key that a passphrase stands for. */
export async function keyFrom(passphrase: string, salt: string): Promise<Buffer> {
  return await derive(passphrase, Buffer.from(salt, "base64"), KEY_BYTES, SCRYPT);
}

export function seal(text: string, key: Buffer, header: string): Sealed {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(header));
  const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return {
    keyCheck: checkOf(key).toString("base64"),
    iv: iv.toString("base64"),
    tag: cipher.getAuthTag().toString("base64"),
    data: data.toString("base64"),
  };
}

/** Throws `state_unreadable`: for another key, and for what was changed since. */
export function open({ keyCheck, iv, tag, data }: Sealed, key: Buffer, header: string): string {
  const known = Buffer.from(keyCheck, "base64");
  const own = checkOf(key);
  if (known.length !== own.length || !timingSafeEqual(known, own)) {
    throw new BrowseError("state_unreadable", "The state was saved with another key", {
      hint: inNewDaemon("Set BROWSE_STATE_KEY to what it was at the save"),
    });
  }
  try {
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, "base64"));
    decipher.setAAD(Buffer.from(header)).setAuthTag(Buffer.from(tag, "base64"));
    return Buffer.concat([decipher.update(Buffer.from(data, "base64")), decipher.final()]).toString("utf8");
  } catch (error) {
    throw new BrowseError("state_unreadable", "The state's file was changed since it was saved", { cause: error });
  }
}

/** A hash of the key under a name of its own tells nothing of the key. */
function checkOf(key: Buffer): Buffer {
  return createHash("sha256").update("browse state key check\0").update(key).digest().subarray(0, 8);
}
