import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toBrowseError } from "../../../errors.ts";
import { type Keychain, StateKeys } from "../../../security/states/state_key.ts";
import { StateStore } from "../../../security/states/state_store.ts";

const CONTENT = { cookies: [{ name: "sid", value: "very-secret" }] };

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "browse-states-"));
});

afterEach(() => rmSync(dir, { recursive: true }));

class MemoryKeychain implements Keychain {
  secret: string | null = null;
  async get(): Promise<string | null> {
    return this.secret;
  }
  async set(secret: string): Promise<void> {
    this.secret = secret;
  }
}

function storeWith(keychain: Keychain, passphrase?: string): StateStore {
  return new StateStore(join(dir, "states"), new StateKeys(passphrase, async () => keychain));
}

const NO_KEYCHAIN: Keychain = {
  get: () => Promise.reject(new Error("There is no bus")),
  set: () => Promise.reject(new Error("There is no bus")),
};

async function errorOf(work: Promise<unknown>) {
  return toBrowseError(
    await work.then(
      () => "it did not fail",
      (error: unknown) => error,
    ),
  );
}

describe("A state", () => {
  test("comes back as it was saved, from a file for this user only", async () => {
    const store = storeWith(NO_KEYCHAIN);
    expect(await store.save("shop", CONTENT, { encrypt: false })).toMatchObject({ name: "shop", encrypted: false });
    expect(await store.load("shop")).toMatchObject({ encrypted: false, content: CONTENT });
    expect(statSync(join(dir, "states/shop.json")).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, "states")).mode & 0o777).toBe(0o700);
  });

  test("is replaced by one of the same name, listed by name, and removed", async () => {
    const store = storeWith(NO_KEYCHAIN);
    expect(store.list()).toEqual([]);
    await store.save("b", 1, { encrypt: false });
    await store.save("a", 1, { encrypt: false });
    await store.save("b", 2, { encrypt: false });
    expect(store.list().map(({ name }) => name)).toEqual(["a", "b"]);
    expect((await store.load("b")).content).toBe(2);
    store.remove("b");
    expect(store.list().map(({ name }) => name)).toEqual(["a"]);
    expect(readdirSync(join(dir, "states")).sort()).toEqual([".gitignore", "a.json"]);
  });

  test.each(["", ".", "..", "../up", "a/b", "a\\b", ".hidden", "-flag", "a\0b", "a b", "x".repeat(65), "con:"])(
    "cannot be named %j",
    async (name) => {
      const store = storeWith(NO_KEYCHAIN);
      expect((await errorOf(store.save(name, 1, { encrypt: false }))).kind).toBe("invalid_params");
      expect((await errorOf(store.load(name))).kind).toBe("invalid_params");
      expect(() => store.remove(name)).toThrow(/Cannot name a state/);
    },
  );

  test("that is not there is told with the names of those that are", async () => {
    const store = storeWith(NO_KEYCHAIN);
    await store.save("shop", 1, { encrypt: false });
    expect(await errorOf(store.load("shpo"))).toMatchObject({ kind: "not_found", hint: "States: shop" });
  });

  test("is not there when a file is in the place of the folder", async () => {
    writeFileSync(join(dir, "states"), "");
    const store = storeWith(NO_KEYCHAIN);
    expect(await errorOf(store.load("shop"))).toMatchObject({ kind: "not_found" });
    expect(() => store.remove("shop")).toThrow(/shop/);
    expect(store.list()).toEqual([]);
  });

  test("that is a link is not followed", async () => {
    const store = storeWith(NO_KEYCHAIN);
    await store.save("own", 1, { encrypt: false });
    symlinkSync("own.json", join(dir, "states/linked.json"));
    expect(await errorOf(store.load("linked"))).toMatchObject({
      kind: "state_unreadable",
      message: 'Cannot read the state "linked": it is a link',
    });
  });

  test.runIf(process.getuid?.() === 0)("on a full disk says that it is full", async () => {
    const states = join(dir, "states");
    mkdirSync(states);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=8k", "tmpfs", states]);
    try {
      for (const size of [100_000, 1_000]) writeFileSync(join(states, "filler"), "x".repeat(size), { flag: "a" });
    } catch {
      // Now it is full.
    }
    try {
      expect(await errorOf(storeWith(NO_KEYCHAIN).save("shop", CONTENT, { encrypt: false }))).toMatchObject({
        kind: "too_large",
        message: expect.stringContaining("the disk is full"),
        hint: expect.stringContaining("Free some space"),
      });
      expect(readdirSync(states).filter((name) => name.includes("shop"))).toEqual([]);
    } finally {
      execFileSync("umount", ["-l", states]);
    }
  });

  test.each([
    ["empty", "", "damaged"],
    ["no JSON", "{", "damaged"],
    ["another thing", '{"a": 1}', "damaged"],
    ["of another version", '{"browse": "state", "version": 2, "savedAt": "", "box": 1}', "another version"],
    ["half of one", '{"browse": "state", "version": 1, "savedAt": "", "sealed": {}}', "damaged"],
  ])("whose file is %s is refused, listed, and can be removed", async (_what, text, reason) => {
    const store = storeWith(NO_KEYCHAIN);
    await store.save("odd", 1, { encrypt: false });
    writeFileSync(join(dir, "states/odd.json"), text);
    expect(await errorOf(store.load("odd"))).toMatchObject({
      kind: "state_unreadable",
      message: expect.stringContaining(reason),
    });
    expect(store.list()).toMatchObject([{ name: "odd", savedAt: "" }]);
    store.remove("odd");
    expect(store.list()).toEqual([]);
  });
});

describe("An encrypted state", () => {
  test("tells nothing in its file, and comes back with the same passphrase", async () => {
    const store = storeWith(NO_KEYCHAIN, "correct horse");
    await store.save("shop", CONTENT, { encrypt: true });
    const text = readFileSync(join(dir, "states/shop.json"), "utf8");
    expect(text).not.toContain("very-secret");
    expect(text).not.toContain("correct horse");
    expect(text).not.toContain("cookies");
    expect(await storeWith(NO_KEYCHAIN, "correct horse").load("shop")).toMatchObject({
      encrypted: true,
      content: CONTENT,
    });
    expect(store.list()).toMatchObject([{ name: "shop", encrypted: true }]);
  });

  test("is another text each time it is saved", async () => {
    const store = storeWith(NO_KEYCHAIN, "correct horse");
    const read = () =>
      JSON.parse(readFileSync(join(dir, "states/shop.json"), "utf8")) as { sealed: { data: string; iv: string } };
    await store.save("shop", CONTENT, { encrypt: true });
    const first = read();
    await store.save("shop", CONTENT, { encrypt: true });
    expect(read().sealed.data).not.toBe(first.sealed.data);
    expect(read().sealed.iv).not.toBe(first.sealed.iv);
  });

  test("needs the key it was saved with, and says so", async () => {
    await storeWith(NO_KEYCHAIN, "correct horse").save("shop", CONTENT, { encrypt: true });
    const wrong = await errorOf(storeWith(NO_KEYCHAIN, "wrong horse").load("shop"));
    expect(wrong).toMatchObject({ kind: "state_unreadable", message: "The state was saved with another key" });
    const none = await errorOf(storeWith(new MemoryKeychain()).load("shop"));
    expect(none).toMatchObject({ kind: "state_unreadable", message: expect.stringContaining("BROWSE_STATE_KEY") });
    // A daemon that restarts keeps its environment.
    for (const { hint } of [wrong, none]) expect(hint).toContain("then run `browse stop`");
  });

  test("that was changed in any of its parts is refused", async () => {
    const keychain = new MemoryKeychain();
    const store = storeWith(keychain);
    await store.save("shop", CONTENT, { encrypt: true });
    const path = join(dir, "states/shop.json");
    const original = readFileSync(path, "utf8");
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("iv", "tag", "data", "savedAt"), fc.nat(), async (part, at) => {
        const file = JSON.parse(original) as { savedAt: string; sealed: Record<string, string> };
        const holder: Record<string, string> = part === "savedAt" ? (file as never) : file.sealed;
        const bytes = Buffer.from(holder[part]!, part === "savedAt" ? "utf8" : "base64");
        bytes[at % bytes.length]! ^= 1;
        holder[part] = bytes.toString(part === "savedAt" ? "utf8" : "base64");
        writeFileSync(path, JSON.stringify(file));
        expect(await errorOf(store.load("shop"))).toMatchObject({
          kind: "state_unreadable",
          message: expect.stringContaining("changed"),
        });
      }),
      { numRuns: 40 },
    );
    writeFileSync(path, original);
    expect((await store.load("shop")).content).toEqual(CONTENT);
  });

  test("has a key in the system's keychain when no passphrase is set, made once", async () => {
    const keychain = new MemoryKeychain();
    await storeWith(keychain).save("one", CONTENT, { encrypt: true });
    const made = keychain.secret;
    expect(Buffer.from(made ?? "", "base64")).toHaveLength(32);
    await storeWith(keychain).save("two", CONTENT, { encrypt: true });
    expect(keychain.secret).toBe(made);
    expect((await storeWith(keychain).load("one")).content).toEqual(CONTENT);
    expect(await errorOf(storeWith(new MemoryKeychain()).load("one"))).toMatchObject({
      kind: "state_unreadable",
      message: expect.stringContaining("keychain"),
    });
  });

  test("is not written at all when there is no key to be had", async () => {
    const store = storeWith(NO_KEYCHAIN);
    expect(await errorOf(store.save("shop", CONTENT, { encrypt: true }))).toMatchObject({
      kind: "unsupported",
      hint: expect.stringMatching(/BROWSE_STATE_KEY.*`browse stop`/),
    });
    expect(store.list()).toEqual([]);
  });
});
