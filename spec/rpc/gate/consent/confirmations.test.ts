/** Who may say yes to whose call, and whose calls give way to whose. */
import { beforeEach, expect, it } from "vitest";
import type { BrowseError } from "../../../../errors.ts";
import { Confirmations } from "../../../../rpc/gate/consent/confirmations.ts";
import { rootToken, type Token, TokenRegistry } from "../../../../security/tokens/token.ts";

let registry: TokenRegistry;
let confirmations: Confirmations;
const root = rootToken();

beforeEach(() => {
  registry = new TokenRegistry();
  confirmations = new Confirmations();
});

function paired(name: string, by: Token = root): Token {
  const { key } = registry.issuePairingKey({ name, scopes: ["read", "write", "meta", "control"] }, by);
  return registry.exchange(key).token;
}

function run(name: string, by: Token): Token {
  return registry.issueSkill(name, by, { scopes: new Set(["read", "write"]), timeoutMs: 60_000 }).token;
}

/** The id that its call is refused with. */
function held(token: Token, whole: unknown = "call"): string {
  try {
    confirmations.require({ token, command: "click", params: {}, by: token.name, urls: [], whole });
  } catch (error) {
    return String((error as BrowseError).details.confirmation);
  }
  throw new Error("It was not held");
}

function refusal(id: string, by: Token): string | undefined {
  try {
    confirmations.pending(id, by);
    return undefined;
  } catch (error) {
    return (error as BrowseError).kind;
  }
}

it("lets nobody of a family of agents say yes for another of it, and everybody else", () => {
  const ann = paired("ann");
  const accomplice = paired("accomplice", ann);
  const brother = paired("brother", ann);
  const grandchild = paired("grandchild", accomplice);
  const family = [ann, accomplice, brother, grandchild, run("shop", brother)];
  for (const asking of family) {
    const id = held(asking);
    for (const by of family)
      expect([asking.name, by.name, refusal(id, by)]).toEqual([asking.name, by.name, "forbidden"]);
    for (const by of [root, paired("bob")]) expect([by.name, refusal(id, by)]).toEqual([by.name, undefined]);
  }
});

it("lets agents that the user has paired say yes for each other, and the user for a skill of theirs", () => {
  const id = held(paired("ann"));
  expect(refusal(id, paired("bob"))).toBeUndefined();
  expect(refusal(held(run("shop", root)), root)).toBeUndefined();
  expect(refusal(held(root), root)).toBe("forbidden");
});

it("forgets an asker's own oldest calls where it has too many, and nobody else's", () => {
  const bob = paired("bob");
  const kept = held(bob);
  const ann = paired("ann");
  const flood = Array.from({ length: 150 }, (_, call) => held(call % 2 === 0 ? run("shop", ann) : ann, call));
  const runs = Array.from({ length: 150 }, (_, call) => held(run("shop", root), call));
  expect(refusal(kept, root)).toBeUndefined();
  for (const ids of [flood, runs]) {
    expect(ids.filter((id) => refusal(id, bob) === undefined)).toEqual(ids.slice(-10));
  }
});

it("is bounded over all, and takes what is too much from whoever asks for most", () => {
  const few = paired("few");
  const kept = held(few);
  const many = Array.from({ length: 12 }, (_, number) => paired(`many-${number}`));
  const ids = many.flatMap((token) => Array.from({ length: 10 }, (_, call) => held(token, call)));
  expect(refusal(kept, root)).toBeUndefined();
  expect(ids.filter((id) => refusal(id, root) === undefined)).toHaveLength(99);
});

it("runs what a person allows at their terminal, though the call has given way to others meanwhile", async () => {
  const token = run("shop", root);
  const call = { token, command: "click", params: {}, by: "shop", urls: [], whole: "first" };
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const allowed = confirmations.waitFor(call, {
    tell: () => undefined,
    ask: () => promise,
    signal: new AbortController().signal,
  });
  for (let other = 0; other < 20; other++) held(token, other);
  resolve(true);
  expect(await allowed).toBe(true);
  expect(() => confirmations.use(call)).not.toThrow();
});

it("gives each of several calls that are alike, and wait at a time, the answer to its own question", async () => {
  const token = paired("ann");
  const call = { token, command: "click", params: {}, by: token.name, urls: [], whole: "call" };
  const asked: { id: string; answer: (isAllowed: boolean) => void }[] = [];
  const how = {
    tell: ({ id }: { id: string }) => void asked.push({ id, answer: (yes) => confirmations.answer(id, root, yes) }),
    ask: async () => undefined,
    signal: AbortSignal.timeout(5_000),
  };
  const waiting = [1, 2, 3].map(async () => {
    const isAllowed = await confirmations.waitFor(call, how);
    if (isAllowed) confirmations.use(call);
    return isAllowed;
  });
  expect(new Set(asked.map(({ id }) => id)).size).toBe(3);
  for (const [at, yes] of [false, true, false].entries()) asked[at]?.answer(yes);
  expect(await Promise.all(waiting)).toEqual([false, true, false]);
  expect(held(token)).toMatch(/./);
});
