import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completeUrl } from "../../../security/urls/complete_url.ts";
import { kindOf } from "../kind_of.ts";

describe("completing what was typed", () => {
  const cwd = "/work dir/project";

  test.each([
    ["example.com", "https://example.com"],
    ["  example.com/a?b#c \n", "https://example.com/a?b#c"],
    ["example.com:8080/x", "https://example.com:8080/x"],
    ["localhost", "http://localhost"],
    ["localhost:3000/a", "http://localhost:3000/a"],
    ["LOCALHOST:3000", "http://LOCALHOST:3000"],
    ["app.localhost:3000", "http://app.localhost:3000"],
    ["127.0.0.1:80", "http://127.0.0.1:80"],
    ["127.1", "http://127.1"],
    ["[::1]:3000/x", "http://[::1]:3000/x"],
    ["192.168.1.1", "https://192.168.1.1"],
    ["HTTP://example.com", "HTTP://example.com"],
    ["about:blank", "about:blank"],
    ["javascript:1", "javascript:1"],
    ["file:///tmp/x.html", "file:///tmp/x.html"],
    ["file://host/x", "file://host/x"],
    ["file://./a%20b.html?q#h", "file:///work%20dir/project/a%20b.html?q#h"],
    ["file://../x.html", "file:///work%20dir/x.html"],
    ["file:x.html", "file:///work%20dir/project/x.html"],
    ["FILE:./x.html", "file:///work%20dir/project/x.html"],
    ["file:~/x.html", pathToFileURL(join(homedir(), "x.html")).href],
    ["file://~/x.html", pathToFileURL(join(homedir(), "x.html")).href],
    ["file:~x.html", "file:///work%20dir/project/%7Ex.html"],
  ])("%j means %j", (text, expected) => expect(completeUrl(text, { cwd })).toBe(expected));

  test("a file's name is none of a host where there is such a file, and nobody learns that who may name none", () => {
    const here = { cwd: import.meta.dirname.replace(/spec.*$/, "spec/fixtures"), namesFiles: true };
    expect(kindOf(() => completeUrl("mixed.html", here))).toBe("invalid_params");
    expect(completeUrl("mixed.html", { ...here, namesFiles: false })).toBe("https://mixed.html");
    expect(completeUrl("other.html", here)).toBe("https://other.html");
  });

  test.each(["", "   ", "./x.html", "../x", "/etc/passwd", "~/x.html", "file:./%zz"])(
    "%j is an error of usage",
    (text) => {
      expect(kindOf(() => completeUrl(text, { cwd }))).toBe("invalid_params");
    },
  );

  test.each([
    "file://./..%2f..%2fetc/passwd",
    "file:./a%00",
    "\\\\host\\share",
    "//host/share",
    " \\/host/share",
    "/\\host\\share",
    "\\\t\\host",
  ])("%j is refused", (text) => {
    expect(kindOf(() => completeUrl(text, { cwd }))).toBe("blocked_url");
  });

  test("completing twice is completing once", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.domain(),
          fc.webUrl(),
          fc.ipV4(),
          fc.webPath().map((path) => `file:.${path}`),
        ),
        (text) => {
          const once = completeUrl(text, { cwd });
          expect(completeUrl(once, { cwd })).toBe(once);
        },
      ),
    );
  });
});
