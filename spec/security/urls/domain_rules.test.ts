/** Hosts that a token is limited to: exact, or all below one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DomainRules } from "../../../security/urls/domain_rules.ts";

describe.each([
  ["example.com", ["http://example.com/", "https://EXAMPLE.com:8443/x", "https://example.com./", "wss://example.com/"]],
  ["*.example.com", ["https://a.example.com/", "https://b.a.example.com/", "https://a.example.com./"]],
  ["localhost:3000", ["http://localhost:3000/"]],
  ["example.com:443", ["https://example.com/", "http://example.com:443/"]],
  ["MÜNCHEN.example", ["https://münchen.example/", "https://xn--mnchen-3ya.example/"]],
  ["127.0.0.1", ["http://127.0.0.1:8080/", "http://0x7f000001/", "http://2130706433/"]],
  ["[::1]:80", ["http://[0:0:0:0:0:0:0:1]/"]],
])("%s", (pattern, inside) => {
  const rules = new DomainRules([pattern]);

  it.each(inside)("allows %s", (url) => expect(rules.allows(url)).toBe(true));

  it.each([
    "https://other.example/",
    "https://notexample.com/",
    "https://example.com.evil.test/",
    "https://example.com@evil.test/",
    "https://evil.test/?example.com",
    "https://evil.test/#@example.com",
    "https://xexample.com/",
    "http://localhost/",
    "http://localhost:30000/",
    "file:///example.com",
    "data:text/html,example.com",
    "javascript:example.com",
    "about:blank",
    "example.com",
    "https://",
    "",
  ])("denies %s", (url) => expect(rules.allows(url)).toBe(false));
});

it("tells a host from those below it", () => {
  expect(new DomainRules(["example.com"]).allows("https://a.example.com/")).toBe(false);
  expect(new DomainRules(["*.example.com"]).allows("https://example.com/")).toBe(false);
});

it("never allows a host that does not end in the one that was granted", () => {
  const rules = new DomainRules(["example.com", "*.example.com"]);
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
      const host = new URL(url).hostname.replace(/\.$/, "");
      expect(rules.allows(url)).toBe(host === "example.com" || host.endsWith(".example.com"));
    }),
  );
});

it.each(["example.com/path", "example.com?q", "example.com#a", "user@example.com", "a\\b", "*", "*.", ""])(
  "%j is no domain: of an address, the host alone would be more than was meant",
  (pattern) => {
    expect(() => new DomainRules([pattern])).toThrow(expect.objectContaining({ kind: "invalid_params" }));
  },
);
