/** The hosts of one list that are also in another. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { DomainRules } from "../../../security/urls/domain_rules.ts";
import { domainsWithin } from "../../../security/urls/domains_within.ts";

const HOST = ["shop.example", "*.shop.example"];

it.each([
  [["shop.example"], ["shop.example"]],
  [["*.shop.example"], ["*.shop.example"]],
  [["eu.shop.example"], ["eu.shop.example"]],
  [["*.eu.shop.example"], ["*.eu.shop.example"]],
  [["*.example"], ["shop.example", "*.shop.example"]],
  [["example"], "none"],
  [["noshop.example"], "none"],
  [["shop.example.evil.example"], "none"],
  [["shop.example:8080"], ["shop.example:8080"]],
  [["bank.example", "eu.shop.example"], ["eu.shop.example"]],
])("of a shop's hosts, %j leaves %j", (allowed, left) => {
  const within = domainsWithin(new DomainRules(allowed), HOST);
  expect(within instanceof DomainRules ? within.patterns : within).toEqual(left);
});

it("is any host, or one list alone, where the other is absent", () => {
  const allowed = new DomainRules(["shop.example"]);
  expect(domainsWithin(undefined, undefined)).toBeUndefined();
  expect(domainsWithin(allowed, undefined)).toBe(allowed);
  expect(domainsWithin(undefined, HOST)).toMatchObject({ patterns: HOST });
});

it("keeps the one port that both allow", () => {
  expect(domainsWithin(new DomainRules(["localhost"]), ["localhost:3000"])).toMatchObject({
    patterns: ["localhost:3000"],
  });
  expect(domainsWithin(new DomainRules(["localhost:4000"]), ["localhost:3000"])).toBe("none");
});

const label = fc.constantFrom("a", "b", "c");
const host = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join("."));
const port = fc.constantFrom("", ":81", ":82");
const pattern = fc.tuple(fc.constantFrom("", "*."), host, port).map((parts) => parts.join(""));
const patterns = fc.array(pattern, { minLength: 1, maxLength: 3 });

it("allows an address exactly when both lists do", () => {
  fc.assert(
    fc.property(patterns, patterns, host, port, (allowed, wanted, name, at) => {
      const url = `http://${name}${at}/`;
      const within = domainsWithin(new DomainRules(allowed), wanted);
      const isAllowed = within !== "none" && within?.allows(url) === true;
      expect(isAllowed).toBe(new DomainRules(allowed).allows(url) && new DomainRules(wanted).allows(url));
    }),
  );
});
