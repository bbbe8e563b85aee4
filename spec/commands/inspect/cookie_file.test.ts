import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitsHost, parseCookieFile } from "../../../commands/inspect/storage/_cookie_file.ts";
import { toBrowseError } from "../../../errors.ts";

function only(text: string) {
  const { cookies } = parseCookieFile(text);
  expect(cookies).toHaveLength(1);
  return cookies[0]!;
}

describe("A cookie file in JSON", () => {
  test("is a list, or an object that holds one", () => {
    const cookie = { name: "sid", value: "1", domain: "shop.example" };
    expect(parseCookieFile(JSON.stringify([cookie])).format).toBe("json");
    expect(only(JSON.stringify({ cookies: [cookie], origins: [] }))).toEqual({
      ...cookie,
      path: "/",
      expires: -1,
      httpOnly: false,
      secure: false,
      sameSite: "Lax",
    });
  });

  test.each([
    [{ hostOnly: true, domain: ".shop.example" }, { domain: "shop.example" }],
    [{ hostOnly: false, domain: "shop.example" }, { domain: ".shop.example" }],
    [{ expirationDate: 1_900_000_000.5 }, { expires: 1_900_000_000.5 }],
    [{ expires: 1_900_000_000_000 }, { expires: 1_900_000_000 }],
    [{ expires: "2030-01-01T00:00:00Z" }, { expires: 1_893_456_000 }],
    [{ expires: null }, { expires: -1 }],
    [{ expires: "Session" }, { expires: -1 }],
    [{ sameSite: "no_restriction" }, { sameSite: "None" }],
    [{ sameSite: "unspecified" }, { sameSite: "Lax" }],
    [{ sameSite: null }, { sameSite: "Lax" }],
    [{ sameSite: "strict" }, { sameSite: "Strict" }],
    [{ domain: undefined, host: "shop.example" }, { domain: "shop.example" }],
    [
      { httpOnly: true, secure: true, path: "/cart", storeId: "0" },
      { httpOnly: true, secure: true, path: "/cart" },
    ],
  ])("with %j gives %j", (given, expected) => {
    expect(only(JSON.stringify([{ name: "a", value: "b", domain: "shop.example", ...given }]))).toMatchObject(expected);
  });
});

describe("A cookie file of Netscape's", () => {
  test("has seven fields a line, comments, and a mark for httpOnly", () => {
    const text = [
      "# Netscape HTTP Cookie File",
      "",
      ".shop.example\tTRUE\t/\tTRUE\t1900000000\tsid\t=a=b\twith a tab",
      "#HttpOnly_shop.example\tFALSE\t/cart\tFALSE\t0\tplain\t",
    ].join("\r\n");
    expect(parseCookieFile(text)).toEqual({
      format: "netscape",
      cookies: [
        {
          name: "sid",
          value: "=a=b\twith a tab",
          domain: ".shop.example",
          path: "/",
          expires: 1_900_000_000,
          httpOnly: false,
          secure: true,
          sameSite: "Lax",
        },
        {
          name: "plain",
          value: "",
          domain: "shop.example",
          path: "/cart",
          expires: -1,
          httpOnly: true,
          secure: false,
          sameSite: "Lax",
        },
      ],
    });
  });
});

describe("A cURL command", () => {
  test.each([
    ["a header", `curl 'https://shop.example/a' -H 'accept: */*' -H 'cookie: sid=1; theme=da=rk' --compressed`],
    ["a flag", `curl https://shop.example/a -b 'sid=1; theme=da=rk'`],
    ["double quotes and line breaks", `curl "https://shop.example/a" \\\n  -H "Cookie: sid=1; theme=da=rk"`],
    ["quotes with escapes", `curl $'https://shop.example/a' -H $'cookie: sid=1; theme=da=rk'`],
  ])("gives the cookies of %s", (_what, text) => {
    const { format, cookies } = parseCookieFile(text);
    expect(format).toBe("curl");
    expect(cookies.map(({ name, value, domain, secure }) => [name, value, domain, secure])).toEqual([
      ["sid", "1", "shop.example", true],
      ["theme", "da=rk", "shop.example", true],
    ]);
  });
});

describe("A file without cookies", () => {
  test.each([
    ["nothing", "", "empty"],
    ["blanks", " \n\t", "empty"],
    ["an empty list", "[]", "no cookies"],
    ["comments", "# Netscape HTTP Cookie File\n", "no cookies"],
    ["a request without cookies", "curl https://shop.example/", "no cookies"],
    ["broken JSON", "[{", "does not parse"],
    ["another object", '{"a": 1}', "neither"],
    ["a cookie without a name", '[{"value": "top-secret-1"}]', '"name"'],
    ["a value that is no text", '[{"name": "a", "value": 5}]', '"value"'],
    ["prose", "just some words top-secret-1", "Line 1"],
    ["too few fields", "#\n\nshop.example\tTRUE\t/\ttop-secret-1", "Line 3"],
    ["a wrong expiry", "shop.example\tTRUE\t/\tTRUE\tsoon\ta\ttop-secret-1", "Line 1"],
  ])("such as %s is refused, without its values", (_what, text, named) => {
    try {
      parseCookieFile(text);
      expect.unreachable();
    } catch (error) {
      const { kind, message } = toBrowseError(error);
      expect(kind).toBe("invalid_params");
      expect(message).toContain(named);
      expect(message).not.toContain("top-secret-1");
    }
  });

  test("or with anything at all ends in cookies or a refusal", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.string().map((text) => `curl ${text}`),
        ),
        (text) => {
          try {
            expect(parseCookieFile(text).cookies.length).toBeGreaterThan(0);
          } catch (error) {
            expect(toBrowseError(error).kind).toBe("invalid_params");
          }
        },
      ),
    );
  });
});

describe("A cookie's domain fits a host", () => {
  test.each([
    ["shop.example", "shop.example", true],
    [".shop.example", "www.shop.example", true],
    ["shop.example", "www.shop.example", true],
    ["api.shop.example", "shop.example", true],
    ["SHOP.example", "shop.EXAMPLE", true],
    ["localhost", "localhost", true],
    ["example", "shop.example", false],
    ["com", "shop.com", false],
    ["notshop.example", "shop.example", false],
    ["shop.example.evil.test", "shop.example", false],
    ["", "shop.example", false],
  ])("%s, %s: %s", (domain, host, fits) => {
    expect(fitsHost(domain, host)).toBe(fits);
  });
});
