import { describe, expect, it } from "vitest";
import { addressesOf, hostAt, hostNamed } from "../../../security/urls/host_name.ts";

describe("a host", () => {
  it.each([
    ["shop.example", "shop.example"],
    ["  Shop.Example. ", "shop.example"],
    ["www.shop.example", "shop.example"],
    ["https://www.shop.example/search?q=1", "shop.example"],
    ["http://user:secret@shop.example:80/", "shop.example"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["localhost:3000", "localhost:3000"],
    ["shop.example:443", "shop.example"],
    ["[::1]:8080", "[::1]:8080"],
    ["www.example", "www.example"],
    ["127.1", "127.0.0.1"],
  ])("%s is %s", (typed, host) => {
    expect(hostNamed(typed)).toBe(host);
  });

  it.each([
    "",
    "*",
    "*.shop.example",
    "..",
    "../etc",
    "a/b",
    "a b",
    "shop.example:0",
    "shop.example:99999",
    "%2e%2e",
    `${"a.".repeat(120)}example`,
  ])("%j is none", (typed) => {
    expect(() => hostNamed(typed)).toThrow(expect.objectContaining({ kind: "invalid_params" }));
  });

  it("of an address is that of web pages only", () => {
    expect(hostAt("https://www.shop.example:8443/a")).toBe("shop.example:8443");
    for (const url of ["about:blank", "file:///etc/passwd", "data:text/html,x", "none"])
      expect(hostAt(url)).toBeUndefined();
  });

  it("stands for the addresses by which it is reached", () => {
    expect(addressesOf("shop.example")).toContain("https://www.shop.example/");
    expect(addressesOf("127.0.0.1:80")).not.toContain("https://www.127.0.0.1:80/");
  });
});
