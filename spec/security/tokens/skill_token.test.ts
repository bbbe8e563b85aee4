/** The token of a run of a skill: a part of what its caller has, for as long as that has it. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { GrantRequest } from "../../../security/tokens/grant.ts";
import type { SkillGrant } from "../../../security/tokens/skill_token.ts";
import { rootToken, type Token, TokenRegistry } from "../../../security/tokens/token.ts";

const MINUTE = 60_000;
const READS: SkillGrant = { scopes: new Set(["read"]), timeoutMs: MINUTE };

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

function issued(by: Token, grant: Partial<SkillGrant> = {}): Token {
  return tokens.issueSkill("prices", by, { ...READS, ...grant }).token;
}

function agent(request: Omit<GrantRequest, "name"> = {}): Token {
  return tokens.exchange(tokens.issuePairingKey({ name: "bob", ...request }).key).token;
}

it("lasts as long as the run may take and half a minute, or until the run ends", () => {
  const [first, second] = [1, 2].map(() => tokens.issueSkill("prices", rootToken(), READS));
  tokens.end(second!.token);
  expect(tokens.find(second!.secret)).toBeUndefined();
  vi.advanceTimersByTime(MINUTE + 29_999);
  expect(tokens.find(first!.secret)).toBe(first!.token);
  vi.advanceTimersByTime(1);
  expect(tokens.find(first!.secret)).toBeUndefined();
  expect(ended).toEqual([
    ["prices", "ended"],
    ["prices", "expired"],
  ]);
});

it("ends with the token of whoever asked, and lasts no longer than that", () => {
  const bob = agent({ ttlMs: MINUTE });
  const token = issued(bob, { timeoutMs: 60 * MINUTE });
  expect(token.expiresAt).toBe(bob.expiresAt);
  tokens.revoke("bob");
  expect(tokens.isLive(token)).toBe(false);
  expect(ended).toContainEqual(["prices", "unpaired"]);
});

it.each([[["admin"]], [["read", "control"]], [[]]] as const)("cannot have the scopes %j", (scopes) => {
  expect(() => issued(rootToken(), { scopes: new Set(scopes) })).toThrow(
    expect.objectContaining({ kind: "invalid_params" }),
  );
});

it("has of the scopes that it declares those that its caller has", () => {
  const declared = { scopes: new Set(["read", "write", "meta"] as const) };
  expect([...issued(agent({ scopes: ["read", "admin"] }), declared).scopes]).toEqual(["read"]);
  expect([...issued(rootToken(), declared).scopes]).toEqual(["read", "write", "meta"]);
});

it("is not given where nothing of it is the caller's to give", () => {
  const forbidden = expect.objectContaining({ kind: "forbidden" });
  expect(() => issued(agent({ scopes: ["write"] }))).toThrow(forbidden);
  expect(() => issued(agent({ domains: ["shop.example"] }), { domains: ["bank.example"] })).toThrow(forbidden);
});

it("has tabs of its own, and the one that it was lent", () => {
  expect(issued(agent({ tabs: "all" }))).toMatchObject({ tabs: "own", shared: new Set() });
  expect(issued(rootToken(), { tab: "t4" })).toMatchObject({ tabs: "own", shared: new Set(["t4"]) });
});

it("is held to the skill's host, of the caller's domains", () => {
  const hosts = { domains: ["shop.example", "*.shop.example"] };
  expect(issued(rootToken(), hosts).domains?.patterns).toEqual(hosts.domains);
  expect(issued(agent({ domains: ["eu.shop.example", "news.example"] }), hosts).domains?.patterns).toEqual([
    "eu.shop.example",
  ]);
  expect(issued(agent({ domains: ["news.example"] })).domains?.patterns).toEqual(["news.example"]);
});

it("has no files, and what else its caller has not", () => {
  const token = issued(agent({ fileRoots: ["/srv/shop"], isTunnelled: true, privateGranted: false }));
  expect(token.fileRoots).toBeUndefined();
  expect(token.isTunnelled).toBeUndefined();
  expect(token.privateGranted).toBe(false);
});

it("has one rate together with its caller", () => {
  const bob = agent({ perSecond: 3 });
  expect(issued(bob).rate).toBe(bob.rate);
  const [one, other] = [issued(rootToken()), issued(rootToken())];
  expect(one.rate).toEqual({ perSecond: 100, isWaitedFor: true });
  expect(one.rate).not.toBe(other.rate);
});
