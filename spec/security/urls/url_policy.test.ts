import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { classifyAddress } from "../../../security/urls/address.ts";
import { checkRequestUrl, checkResolvedAddress, checkUrl, type UrlPolicy } from "../../../security/urls/url_policy.ts";
import { kindOf } from "../kind_of.ts";

let folder: string;
let local: UrlPolicy;
let tunnel: UrlPolicy;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "browse-url-")));
  for (const name of ["project/sub", "project/.browse", "project/own", "projector", "outside", "other/.browse"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const files = [
    "project/a b.html",
    "project/own/daemon.json",
    "projector/x.html",
    "outside/secret",
    "other/.browse/daemon.json",
  ];
  for (const name of files) writeFileSync(join(folder, name), "x");
  symlinkSync(join(folder, "outside/secret"), join(folder, "project/link.html"));
  symlinkSync(join(folder, "nowhere"), join(folder, "project/dangling.html"));
  symlinkSync(join(folder, "project/a b.html"), join(folder, "project/inside.html"));
  local = {
    caller: "local",
    cwd: join(folder, "project"),
    stateDir: join(folder, "project/own"),
    roots: [join(folder, "other")],
  };
  tunnel = { ...local, caller: "tunnel" };
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const METADATA = [
  "http://169.254.169.254/latest/",
  "http://169.254.169.254./",
  "http://169.254.169.254../",
  "http://0xA9FEA9FE/",
  "http://0xa9fea9fe../",
  "http://2852039166/",
  "http://025177524776/",
  "http://0251.0376.0251.0376/",
  "http://0xa9.0xfe.0xa9.0xfe/",
  "http://169.0xfe.43518/",
  "http://169.16689150/",
  "http://169.254.43518/",
  "http://%31%36%39.254.169.254/",
  "http://１６９.２５４.１６９.２５４/",
  "http://169。254。169。254/",
  "http://user@169.254.169.254:80/",
  "http:\\\\169.254.169.254/",
  "http:169.254.169.254",
  "http://[::ffff:169.254.169.254]/",
  "http://[::ffff:a9fe:a9fe]/",
  "http://[0:0:0:0:0:ffff:a9fe:a9fe]/",
  "http://[::169.254.169.254]/",
  "http://[::ffff:0:169.254.169.254]/",
  "http://[64:ff9b::169.254.169.254]/",
  "http://[64:ff9b:1::a9fe:a9fe]/",
  "http://[2002:a9fe:a9fe::]/",
  "http://[fe80::1]/",
  "http://[febf::1]/",
  "http://[fd00:ec2::254]/",
  "http://[fd00:0ec2:0::0254]/",
  "http://169.254.170.2/v2/credentials",
  "http://169.254.0.1/",
  "http://100.100.100.200/",
  "http://metadata.google.internal/",
  "http://METADATA.Google.Internal./",
  "https://metadata.azure.internal../",
  "http://instance-data/latest",
  "http://ｍetadata.google.internal/",
];

describe("cloud metadata addresses", () => {
  test.each(METADATA)("%s is refused before the navigation and on the request route", (url) => {
    expect(kindOf(() => checkUrl(url, local))).toBe("blocked_url");
    expect(kindOf(() => checkUrl(url, { ...tunnel, privateGranted: true }))).toBe("blocked_url");
    expect(kindOf(() => checkRequestUrl(url))).toBe("blocked_url");
  });

  test.each([
    "http://[fe80::1%25eth0]/",
    "http://[fe80::1%eth0]/",
    "http://",
    "http://a b/",
    "http://1.2.3.4.5/",
    "//x",
    "",
  ])("%j is no valid URL, so it is refused", (url) => {
    expect(kindOf(() => checkUrl(url, local))).toBe("blocked_url");
    expect(kindOf(() => checkRequestUrl(url))).toBe("blocked_url");
  });

  test.each([
    "169.254.169.254",
    "::ffff:169.254.169.254",
    "fe80::1%eth0",
    "[fe80::1]",
    "fd00:ec2::254",
    "nonsense",
    "",
  ])("a name looked up to %j is refused", (address) =>
    expect(kindOf(() => checkResolvedAddress(address))).toBe("blocked_url"),
  );

  test("every spelling of every link-local address is refused", () => {
    const part = (value: number) => fc.constantFrom(String(value), `0x${value.toString(16)}`, `0${value.toString(8)}`);
    const spelling = fc.tuple(fc.nat(255), fc.nat(255)).chain(([c, d]) => {
      const number = 169 * 2 ** 24 + 254 * 2 ** 16 + c * 256 + d;
      const hex = (value: number) => value.toString(16);
      return fc.oneof(
        fc.tuple(part(169), part(254), part(c), part(d)).map((parts) => parts.join(".")),
        fc.tuple(part(169), part(254), part(c * 256 + d)).map((parts) => parts.join(".")),
        fc.tuple(part(169), part(number % 2 ** 24)).map((parts) => parts.join(".")),
        part(number),
        fc.constantFrom(`[::ffff:a9fe:${hex(c * 256 + d)}]`, `[64:ff9b::169.254.${c}.${d}]`, `[::169.254.${c}.${d}]`),
      );
    });
    fc.assert(
      fc.property(spelling, fc.constantFrom("", "."), fc.constantFrom("http", "HTTPS", "ws"), (host, dot, scheme) => {
        const url = `${scheme}://${host}${host.startsWith("[") ? "" : dot}/`;
        expect(kindOf(() => checkRequestUrl(url))).toBe("blocked_url");
      }),
    );
  });
});

describe("schemes", () => {
  test.each(["http://example.com/", "https://example.com/a?b#c", "HTTP://EXAMPLE.com", "about:blank", "About:BLANK"])(
    "%s may be opened by anyone",
    (url) => {
      expect(kindOf(() => checkUrl(url, local))).toBe("allowed");
      expect(kindOf(() => checkUrl(url, tunnel))).toBe("allowed");
    },
  );

  test("about:blank is normalized", () => expect(checkUrl("ABOUT:Blank", local)).toBe("about:blank"));

  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "view-source:http://example.com/",
    "chrome://version",
    "chrome-extension://abc/x.html",
    "devtools://devtools/",
    "blob:http://example.com/1",
    "filesystem:http://example.com/x",
    "ftp://example.com/",
    "ws://example.com/",
    "about:config",
    "about:srcdoc",
    "\\\\host\\share\\x.html",
    "file://host/share/x.html",
    "file:////host/share/x.html",
    "file://169.254.169.254/x",
  ])("%s is refused", (url) => expect(kindOf(() => checkUrl(url, local))).toBe("blocked_url"));

  test("a page may load its own data and blob parts, but no files", () => {
    expect(kindOf(() => checkRequestUrl("data:text/css,a"))).toBe("allowed");
    expect(kindOf(() => checkRequestUrl("blob:http://example.com/1"))).toBe("allowed");
    expect(kindOf(() => checkRequestUrl("file:///etc/passwd"))).toBe("blocked_url");
    expect(kindOf(() => checkRequestUrl("chrome://settings"))).toBe("blocked_url");
  });

  test("whatever text comes, the check answers or refuses", () => {
    const host = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.ipV6().map((ip) => `http://[${ip}]/`),
      fc.ipV4Extended().map((ip) => `http://${ip}/`),
    );
    fc.assert(fc.property(host, (text) => ["allowed", "blocked_url"].includes(kindOf(() => checkUrl(text, tunnel)))));
  });
});

describe("private and loopback addresses", () => {
  const own = [
    "http://localhost:3000",
    "http://a.localhost/",
    "http://127.9.9.9/",
    "http://[::1]/",
    "http://0.0.0.0:80/",
    "http://0/",
  ];
  const near = [
    "http://10.0.0.1/",
    "http://192.168.1.1/",
    "http://172.31.0.1/",
    "http://[fd12::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://100.64.0.1/",
  ];

  test.each([...own, ...near])("%s is for local callers, and for tunnel callers who were granted it", (url) => {
    expect(kindOf(() => checkUrl(url, local))).toBe("allowed");
    expect(kindOf(() => checkUrl(url, tunnel))).toBe("blocked_url");
    expect(kindOf(() => checkUrl(url, { ...tunnel, privateGranted: true }))).toBe("allowed");
    expect(kindOf(() => checkRequestUrl(url, { privateAllowed: false }))).toBe("blocked_url");
    expect(kindOf(() => checkRequestUrl(url))).toBe("allowed");
  });

  test.each([
    "http://10.example.com/",
    "http://127.0.0.1.nip.io/",
    "http://169.254.169.254.nip.io/",
    "http://172.32.0.1/",
    "http://localhost.example.com/",
    "http://fe80.example/",
    "http://metadata.google.internal.example.com/",
  ])("%s only looks private", (url) => expect(kindOf(() => checkUrl(url, tunnel))).toBe("allowed"));

  test("an IPv4 address is the same wherever it is embedded", () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const kind = classifyAddress(ip);
        expect(classifyAddress(`::ffff:${ip}`)).toBe(kind);
        expect(classifyAddress(`64:ff9b::${ip}`)).toBe(kind);
        expect(classifyAddress(`[2001:db8::5efe:${ip}]`)).toBe(kind);
      }),
    );
  });

  test.each([
    ["127.0.0.1", "loopback"],
    ["8.8.8.8", "public"],
    ["::1", "loopback"],
    ["::", "loopback"],
    ["2606:4700::1111", "public"],
    ["fc00::1", "private"],
    ["ff02::1", "private"],
    ["255.255.255.255", "private"],
    ["2001:0:4136:e378:8000:63bf:f5ff:fffe", "private"],
    ["1.2.3", "invalid"],
    ["0x7f.1", "invalid"],
  ])("%s is %s", (address, kind) => expect(classifyAddress(address)).toBe(kind));
});

describe("files", () => {
  const url = (path: string) => pathToFileURL(join(folder, path)).href;

  test("a file under the current folder is opened by its real path, query and fragment kept", () => {
    expect(checkUrl(`${url("project/a b.html")}?x#y`, local)).toBe(`${url("project/a b.html")}?x#y`);
    expect(checkUrl(url("project/inside.html"), local)).toBe(url("project/a b.html"));
    expect(checkUrl(`file://localhost${join(folder, "project/a%20b.html")}`, local)).toBe(url("project/a b.html"));
  });

  test.each([
    ["a folder", "project/sub"],
    ["the current folder itself", "project"],
    ["a link to the outside", "project/link.html"],
    ["a dangling link", "project/dangling.html"],
    ["a folder whose name starts the same", "projector/x.html"],
    ["a file outside", "outside/secret"],
    ["a missing file outside", "outside/missing"],
    ["our own state", "project/own/daemon.json"],
    ["another project's state", "other/.browse/daemon.json"],
  ])("%s is refused", (_, path) => expect(kindOf(() => checkUrl(url(path), local))).toBe("blocked_url"));

  test.each([
    "%2f..%2f..%2foutside/secret",
    "..%5c..%5coutside",
    "a%00.html",
    "/../../outside/secret",
    "%2e%2e/outside/secret",
  ])("the spelling %s does not get out", (path) =>
    expect(kindOf(() => checkUrl(`${url("project")}/${path}`, local))).toBe("blocked_url"),
  );

  test("no file is opened through the tunnel", () => {
    expect(kindOf(() => checkUrl(url("project/a b.html"), { ...tunnel, privateGranted: true }))).toBe("blocked_url");
  });

  test("a missing file inside is said to be missing", () => {
    expect(kindOf(() => checkUrl(url("project/missing.html"), local))).toBe("navigation_failed");
  });
});
