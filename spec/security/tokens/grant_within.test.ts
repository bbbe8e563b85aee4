import { expect, test } from "vitest";
import { type GrantRequest, grantFrom } from "../../../security/tokens/grant.ts";
import { assertWithin } from "../../../security/tokens/grant_within.ts";
import { rootToken, type Token, TokenRegistry } from "../../../security/tokens/token.ts";

const registry = new TokenRegistry();

function lender(request: Omit<GrantRequest, "name">): Token {
  const { key } = registry.issuePairingKey({ name: "lender", scopes: ["read", "control"], ...request });
  return registry.exchange(key).token;
}

const giving = (request: Omit<GrantRequest, "name">, by: Token) => () =>
  assertWithin(grantFrom({ name: "borrower", scopes: ["read"], ttlMs: 1_000, ...request }), by);

test("The user can give anything", () => {
  const scopes = ["read", "write", "admin", "control", "meta"];
  const all = { scopes, tabs: "all", privateGranted: true, isTunnelled: true, fileRoots: ["/"] };
  expect(giving({ ...all, ttlMs: 24 * 3_600_000 }, rootToken())).not.toThrow();
});

test.each([
  ["a scope", { scopes: ["admin"] }, 'You cannot give the scope "admin", which you do not have'],
  ["all tabs", { tabs: "all" }, "You cannot give all tabs, which you do not have"],
  ["a tab", { share: ["t1", "t9"] }, "You cannot give tabs of others, which you do not have"],
  ["any host", {}, "You cannot give other domains, which you do not have"],
  [
    "another host",
    { domains: ["shop.example", "evil.example"] },
    "You cannot give other domains, which you do not have",
  ],
  [
    "the network",
    { privateGranted: true },
    "You cannot give addresses of this machine and its network, which you do not have",
  ],
  ["a way in by the tunnel", { isTunnelled: true }, "You cannot give a way in by the tunnel, which you do not have"],
  ["a folder", { fileRoots: ["/lent-not"] }, 'You cannot give files in "/lent-not", which you do not have'],
  [
    "calls faster than its own",
    { domains: ["shop.example"], perSecond: 1_000 },
    "You cannot give more than 10 calls a second, which you do not have",
  ],
  ["more time", { ttlMs: 3_600_000 }, "You cannot give more time, which you do not have"],
])("Who was lent something cannot give %s beyond it", (_what, more, message) => {
  const by = lender({ domains: ["shop.example"], share: ["t1"], fileRoots: ["/lent"], ttlMs: 60_000 });
  const inside = { domains: ["shop.example"], share: ["t1"], fileRoots: ["/lent/below"] };
  expect(giving(inside, by)).not.toThrow();
  const asked = { ...inside, ...more };
  if (Object.keys(more).length === 0) Reflect.deleteProperty(asked, "domains");
  expect(giving(asked, by)).toThrow(expect.objectContaining({ kind: "forbidden", message }));
});
