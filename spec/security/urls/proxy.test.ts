import { expect, test } from "vitest";
import { proxyUrl } from "../../../security/urls/proxy.ts";

test.each([
  ["127.0.0.1:3128", "http://127.0.0.1:3128"],
  ["proxy.example:8080", "http://proxy.example:8080"],
  ["[::1]:3128", "http://[::1]:3128"],
  ["http://host:3128/", "http://host:3128"],
  ["HTTPS://user:pass@host:3128", "https://user:pass@host:3128"],
  ["socks5://host:1080", "socks5://host:1080"],
])("%s is a proxy", (text, url) => {
  expect(proxyUrl(text)).toBe(url);
  expect(proxyUrl(url)).toBe(url);
});

test.each([
  "",
  "none",
  "host",
  "ftp://host:21",
  "http://",
  "http://host:3128/path",
  "http://host:3128?a",
  "a b:1",
  ":3128",
])("%j is none", (text) => {
  expect(proxyUrl(text)).toBeUndefined();
});
