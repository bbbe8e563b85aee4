/** Who may come in, for how long, and what ends it. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GrantRequest } from "../../../security/tokens/grant.ts";
import { newSecret, rootToken, type Token, TokenRegistry } from "../../../security/tokens/token.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let tokens: TokenRegistry;
let ended: [string, string][];

beforeEach(() => {
  vi.useFakeTimers();
  tokens = new TokenRegistry();
  ended = [];
  tokens.onRevoked((token, reason) => ended.push([token.name, reason]));
});

afterEach(() => {
  vi.useRealTimers();
});

function pair(request: GrantRequest): { secret: string; token: Token } {
  return tokens.exchange(tokens.issuePairingKey(request).key);
}

/** The kind and text of what is thrown. */
function refusal(run: () => unknown): string {
  try {
    run();
    return "";
  } catch (error) {
    const { kind, message } = error as { kind: string; message: string };
    return `${kind}: ${message}`;
  }
}

describe("a secret", () => {
  it("opens what it was given for, and nothing near it does", () => {
    const secret = newSecret();
    const root = rootToken();
    tokens.add(secret, root);
    expect(tokens.find(secret)).toBe(root);
    for (const other of [
      "",
      "root",
      `${secret} `,
      secret.slice(0, -1),
      secret.toUpperCase(),
      `${secret}é`,
      "日本語🔑",
    ]) {
      expect(tokens.find(other)).toBeUndefined();
    }
  });

  it("is found whatever text it is, and never for another text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (secret, guess) => {
        const registry = new TokenRegistry();
        const token = rootToken();
        registry.add(secret, token);
        expect(registry.find(secret)).toBe(token);
        // Lone surrogates have no bytes of their own: they are told apart by nothing.
        if (guess.toWellFormed() !== secret.toWellFormed()) expect(registry.find(guess)).toBeUndefined();
      }),
    );
  });
});

describe("a pairing key", () => {
  it("gives read, write and meta on the agent's own tabs for 24 hours, at 10 calls a second", () => {
    const { secret, token } = pair({ name: "bob" });
    expect(token).toMatchObject({ kind: "client", name: "bob", tabs: "own", privateGranted: false });
    expect([...token.scopes].sort()).toEqual(["meta", "read", "write"]);
    expect(token.rate).toEqual({ perSecond: 10 });
    vi.advanceTimersByTime(24 * HOUR - 1);
    expect(tokens.find(secret)).toBe(token);
    vi.advanceTimersByTime(1);
    expect(tokens.find(secret)).toBeUndefined();
    expect(ended).toEqual([["bob", "expired"]]);
    expect(tokens.clients()).toEqual([]);
  });

  it("gives the same token again until that is first used, and nothing after", () => {
    const { key } = tokens.issuePairingKey({ name: "bob" });
    const first = tokens.exchange(key);
    expect(tokens.exchange(key)).toEqual(first);
    tokens.find(first.secret);
    expect(refusal(() => tokens.exchange(key))).toMatch(/^unauthorized/);
  });

  it("is worth nothing after five minutes, and never opens a connection itself", () => {
    const { key } = tokens.issuePairingKey({ name: "bob" });
    expect(tokens.find(key)).toBeUndefined();
    vi.advanceTimersByTime(5 * MINUTE);
    expect(refusal(() => tokens.exchange(key))).toMatch(/^unauthorized/);
  });

  it("cannot be guessed at any speed", () => {
    const { key } = tokens.issuePairingKey({ name: "bob" });
    const answers = Array.from({ length: 301 }, () => refusal(() => tokens.exchange(newSecret())));
    expect(answers.filter((text) => text.startsWith("unauthorized"))).toHaveLength(300);
    expect(refusal(() => tokens.exchange(key))).toMatch(/^rate_limited/);
  });

  it("is replaced by a newer one of the same name", () => {
    const old = tokens.issuePairingKey({ name: "bob", scopes: ["read", "admin"] });
    tokens.issuePairingKey({ name: "Bob", scopes: ["read"] });
    expect(refusal(() => tokens.exchange(old.key))).toMatch(/^unauthorized/);
  });
});

describe("pairing a name again", () => {
  it.each<[string, GrantRequest, GrantRequest]>([
    ["fewer scopes", { name: "bob" }, { name: "bob", scopes: ["read"] }],
    ["other scopes", { name: "bob" }, { name: "bob", scopes: ["read", "write", "admin"] }],
    ["fewer domains", { name: "bob" }, { name: "BOB", domains: ["example.com"] }],
    ["own tabs only", { name: "bob", tabs: "all" }, { name: "bob" }],
    ["no shared tab", { name: "bob", share: ["t3"] }, { name: "bob" }],
    ["a lower rate", { name: "bob" }, { name: "bob", perSecond: 1 }],
    ["no private network", { name: "bob", privateGranted: true }, { name: "bob" }],
    ["an earlier end", { name: "bob", ttlMs: 2 * HOUR }, { name: "bob", ttlMs: HOUR }],
  ])("with %s ends the old grant at once, and says so", (_what, before, after) => {
    const { secret, token } = pair(before);
    expect(tokens.issuePairingKey(after).revoked).toBe(token);
    expect(tokens.find(secret)).toBeUndefined();
    expect(ended).toEqual([["bob", "replaced"]]);
  });

  it("with a wider grant leaves the old one until the new is taken", () => {
    const { secret, token } = pair({ name: "bob", scopes: ["read"], ttlMs: 2 * HOUR });
    vi.advanceTimersByTime(HOUR);
    const { key, revoked } = tokens.issuePairingKey({ name: "bob", ttlMs: HOUR });
    expect(revoked).toBeUndefined();
    expect(tokens.find(secret)).toBe(token);
    expect(tokens.exchange(key).replaced).toBe(token);
    expect(tokens.find(secret)).toBeUndefined();
    expect(tokens.clients()).toHaveLength(1);
  });

  it("with anything wrong in it changes nothing", () => {
    const { secret, token } = pair({ name: "bob" });
    const { key } = tokens.issuePairingKey({ name: "bob" });
    for (const wrong of [
      { scopes: ["red"] },
      { domains: ["a b"] },
      { perSecond: -1 },
      { ttlMs: 0 },
      { tabs: "some" },
    ]) {
      expect(refusal(() => tokens.issuePairingKey({ name: "bob", ...wrong }))).toMatch(/^invalid_params/);
    }
    expect(tokens.find(secret)).toBe(token);
    expect(tokens.exchange(key).token.name).toBe("bob");
  });
});

describe("a grant", () => {
  it.each([
    "root",
    "ROOT",
    " root",
    "root ",
    "r\u200boot",
    "ｒｏｏｔ",
    "Panel",
    "",
    " ",
    "a b",
    "-x",
    "ü",
    "x".repeat(65),
  ])("cannot be called %j", (name) => {
    expect(refusal(() => tokens.issuePairingKey({ name }))).toMatch(/^invalid_params: An agent cannot be called/);
  });

  it.each<[string, Partial<GrantRequest>]>([
    ["no scope", { scopes: [] }],
    ["an empty scope", { scopes: [""] }],
    ["an unknown scope", { scopes: ["read", "all"] }],
    ["a scope in capitals", { scopes: ["READ"] }],
    ["no domain", { domains: [] }],
    ["an empty domain", { domains: [""] }],
    ["a star for a domain", { domains: ["*"] }],
    ["a star for a top domain's port", { domains: ["example.com:*"] }],
    ["an address for a domain", { domains: ["https://example.com"] }],
    ["no tab", { share: [] }],
    ["an empty tab", { share: [""] }],
    ["a tab that is none", { share: ["3"] }],
    ["no rate", { perSecond: 0 }],
    ["a negative rate", { perSecond: -5 }],
    ["a rate that is no number", { perSecond: Number.NaN }],
    ["a rate without end", { perSecond: Number.POSITIVE_INFINITY }],
    ["no time", { ttlMs: 0 }],
    ["more than 24 hours", { ttlMs: 24 * HOUR + 1 }],
    ["tabs of nobody", { tabs: "" }],
  ])("with %s is an error, and never everything", (_what, request) => {
    expect(refusal(() => tokens.issuePairingKey({ name: "bob", ...request }))).toMatch(/^invalid_params/);
    expect(tokens.clients()).toEqual([]);
  });
});

describe("revoking", () => {
  it("ends the token and the keys of a name, and says whether there was any", () => {
    const { secret } = pair({ name: "bob" });
    const { key } = tokens.issuePairingKey({ name: "amy" });
    expect([tokens.revoke("BOB"), tokens.revoke("amy"), tokens.revoke("nobody"), tokens.revoke("bob")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(tokens.find(secret)).toBeUndefined();
    expect(refusal(() => tokens.exchange(key))).toMatch(/^unauthorized/);
    expect(ended).toEqual([["bob", "unpaired"]]);
  });

  it("cannot end the root token by its name", () => {
    tokens.add("secret", rootToken());
    expect(tokens.revoke("root")).toBe(false);
    expect(tokens.find("secret")).toBeDefined();
  });
});

it("gives a panel's token half an hour", () => {
  const { secret, token } = tokens.issuePanel("side-panel");
  expect(token).toMatchObject({ kind: "panel", tabs: "all" });
  expect(token.scopes.has("admin") || token.scopes.has("control")).toBe(false);
  vi.advanceTimersByTime(30 * MINUTE);
  expect(tokens.find(secret)).toBeUndefined();
});

it("does not honor a token whose time is up while the machine sleeps and no timer fires", () => {
  const { secret } = pair({ name: "bob" });
  vi.setSystemTime(Date.now() + 25 * HOUR);
  expect(tokens.find(secret)).toBeUndefined();
});
