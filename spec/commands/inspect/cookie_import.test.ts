import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;
let sent = "";

beforeAll(async () => {
  site = await Site.serve({});
  site.set("/", (request, response) => {
    sent = request.headers.cookie ?? "";
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Home</title>");
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.cli(["session", "close", "default"]);
  await project.run("goto", site.url);
});

function file(name: string, content: unknown): string {
  writeFileSync(join(project.dir, name), typeof content === "string" ? content : JSON.stringify(content));
  return name;
}

const SECRET = "very-secret-value-1";

describe("cookie-import", () => {
  it.each([
    ["JSON", [{ name: "sid", value: SECRET, domain: "127.0.0.1" }]],
    ["a saved storage", { cookies: [{ name: "sid", value: SECRET, domain: "127.0.0.1", path: "/" }], origins: [] }],
    ["Netscape's form", `127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t${SECRET}\n`],
    ["a cURL command", `curl 'http://127.0.0.1/' -H 'Cookie: sid=${SECRET}'`],
    ["cookies without a domain", [{ name: "sid", value: SECRET }]],
  ])("takes %s, sends the cookies from then on, and never shows them", async (_what, content) => {
    expect(await project.run("cookie-import", file("jar.txt", content))).toBe("Set 1 cookie of 127.0.0.1");
    await project.run("reload");
    expect(sent).toBe(`sid=${SECRET}`);
    expect(await project.journal()).not.toContain(SECRET);
  });

  it("takes cookies of other hosts when they are named", async () => {
    const jar = file("shop.json", [
      { name: "sid", value: SECRET, domain: ".shop.example", secure: true, sameSite: "no_restriction" },
      { name: "api", value: "2", domain: "api.shop.example" },
      { name: "other", value: "3", domain: "other.example" },
    ]);
    const refused = await project.refusal("cookie-import", jar, "--domain", "shop.example");
    expect(refused).toMatchObject({ kind: "invalid_params", domains: ["other.example"], exitCode: 2 });
    expect(await project.run("cookies")).toBe("No cookies");
    const imported = await project.json("cookie-import", jar, "--domain", "shop.example", "--domain", "other.example");
    expect(imported).toEqual({
      format: "json",
      count: 3,
      domains: ["api.shop.example", "other.example", "shop.example"],
    });
    expect(await project.run("cookies")).toMatch(/\.shop\.example\/ sid=.* Secure SameSite=None/);
  });

  it.each([
    ["another host", [{ name: "a", value: SECRET, domain: "shop.example" }]],
    ["a host that only ends alike", [{ name: "a", value: SECRET, domain: "9127.0.0.1" }]],
    [
      "one of several",
      [
        { name: "a", value: SECRET, domain: "127.0.0.1" },
        { name: "b", value: SECRET, domain: "shop.example" },
      ],
    ],
  ])("sets none when they are for %s", async (_what, cookies) => {
    const refused = await project.refusal("cookie-import", file("jar.json", cookies));
    expect(refused).toMatchObject({ kind: "invalid_params", hint: expect.stringContaining("--domain"), exitCode: 2 });
    expect(JSON.stringify(refused)).not.toContain(SECRET);
    expect(await project.run("cookies")).toBe("No cookies");
  });

  it("refuses metadata hosts even when they are named", async () => {
    const jar = file("meta.json", [{ name: "a", value: "1", domain: "169.254.169.254" }]);
    expect(await project.refusal("cookie-import", jar, "--domain", "169.254.169.254")).toMatchObject({
      kind: "invalid_params",
    });
  });

  it("refuses what is empty, malformed, elsewhere, or refused by the browser", async () => {
    for (const content of ["", "[]", "[{", '[{"value": "very-secret-value-1"}]', "prose very-secret-value-1"]) {
      const refused = await project.refusal("cookie-import", file("bad.txt", content));
      expect(refused).toMatchObject({ kind: "invalid_params", exitCode: 2 });
      expect(JSON.stringify(refused)).not.toContain(SECRET);
    }
    const odd = file("odd.json", [{ name: "a;b=", value: SECRET, domain: "127.0.0.1" }]);
    expect(await project.refusal("cookie-import", odd)).toMatchObject({ kind: "invalid_params" });
    expect(await project.refusal("cookie-import", "/etc/hosts")).toMatchObject({ kind: "blocked_path", exitCode: 4 });
    expect(await project.refusal("cookie-import", "missing.txt")).toMatchObject({ kind: "not_found" });
    expect(await project.refusal("cookie-import", odd, "--domain", "https://shop.example")).toMatchObject({
      exitCode: 2,
    });
  });

  it("needs a host named on a page that has none", async () => {
    await project.run("goto", "about:blank");
    const jar = file("jar.json", [{ name: "a", value: "1", domain: "shop.example" }]);
    expect((await project.refusal("cookie-import", jar)).message).toContain("has no host");
    expect(await project.run("cookie-import", jar, "--domain", "shop.example")).toBe("Set 1 cookie of shop.example");
  });
});
