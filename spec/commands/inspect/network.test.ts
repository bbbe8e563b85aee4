import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const TALKS = `<!doctype html><title>Talks</title>
<button id="log" onclick="console.log('clicked', {a: 1})">Log</button>
<script>
  console.log("first"); console.info("second"); console.warn("third"); console.error("fourth"); console.debug("fifth");
</script>`;

const FAILS = `<!doctype html><title>Fails</title>
<script>setTimeout(() => { throw new TypeError("No lamp to light"); })</script>
<script>Promise.reject(new RangeError("Rejected and unhandled"))</script>
<script>setTimeout(() => { throw "a plain string"; })</script>`;

const APP = "fetch('/api/moved')";

let site: Site;
/** The page has said all that it has to say. */
let onSaid = () => {};
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/talks": TALKS,
    "/talks-on": `${TALKS}<script>fetch("/said")</script>`,
    "/said": (_request, response) => {
      onSaid();
      response.end();
    },
    "/fails": FAILS,
    "/loads": `<!doctype html><title>Loads</title><script src="/app.js"></script><img src="/missing.png"><img src="/cut.png">
      <script>fetch("/api/items?token=tok-secret-123", {headers: {authorization: "Bearer abc123def456ghi789"}})</script>`,
    "/app.js": (_request, response) =>
      response.writeHead(200, { "content-type": "text/javascript", "content-length": APP.length }).end(APP),
    "/api/items": (_request, response) =>
      response
        .writeHead(200, { "content-type": "application/json", "set-cookie": "session=0123456789abcdef0123" })
        .end("[1,2,3]"),
    "/api/moved": (_request, response) => response.writeHead(302, { location: "/api/items" }).end(),
    "/cut.png": (request) => request.socket.destroy(),
    "/": "<!doctype html><title>Here</title>",
    "/forges": `<!doctype html><meta charset="utf-8"><title>safe\u202eelif</title>
      <script>console.log("said\\nError: forged\\r\\n7 [log] forged \u202e\u2028too")</script>`,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

interface Entry {
  id: number;
  text: string;
  level: string;
  url: string;
  status?: number;
  failure?: string;
  uncaught?: boolean;
  redirectedFrom?: number;
}

async function entries(...argv: string[]): Promise<Entry[]> {
  const answer = await project.json(...argv);
  return answer.entries as Entry[];
}

describe("console", () => {
  it("keeps what the page says, in order, with ids that stay", async () => {
    await project.run("newtab", `${site.url}/talks`);
    expect((await entries("console")).map(({ id, level, text }) => [id, level, text])).toEqual([
      [1, "log", "first"],
      [2, "info", "second"],
      [3, "warning", "third"],
      [4, "error", "fourth"],
      [5, "debug", "fifth"],
    ]);
    expect(await project.run("console")).toMatch(/^1 \[log\] first \(http:\/\/127\.0\.0\.1:\d+\/talks:4:\d+\)\n/);
    expect((await entries("console", "--errors")).map(({ text }) => text)).toEqual(["fourth"]);
    expect((await entries("console", "--warnings")).map(({ text }) => text)).toEqual(["third", "fourth"]);
    expect((await entries("console", "--since", "4")).map(({ text }) => text)).toEqual(["fifth"]);
  });

  it("goes on counting after --clear, and keeps the total", async () => {
    await project.run("newtab", `${site.url}/talks`);
    expect(await project.run("console", "--clear")).toContain("first");
    expect(await project.run("console")).toBe("The console is empty");
    expect(await project.json("console")).toEqual({ entries: [], total: 5 });
    await project.run("click", "#log");
    expect(await project.json("console")).toMatchObject({ entries: [{ id: 6, level: "log" }], total: 6 });
  });

  it("has what the page is about to say as it is asked", async () => {
    await project.run("newtab", `${site.url}/`);
    const busy = "const end = Date.now() + 80; while (Date.now() < end);";
    await project.run("js", `void setTimeout(() => { ${busy} console.log("said"); })`);
    expect(await project.run("console")).toContain("said");
  });

  it("takes what a page says for its own, however late the browser is heard", async () => {
    await project.run("newtab", `${site.url}/`);
    const pid = project.daemon()?.pid ?? 0;
    const said = Promise.withResolvers<void>();
    onSaid = () => said.resolve();
    await project.run("js", "void setTimeout(() => { location.href = '/talks-on'; }, 300)");
    process.kill(pid, "SIGSTOP");
    await said.promise;
    process.kill(pid, "SIGCONT");
    expect(await project.run("console")).toMatch(/^\d+ \[log\] first.*fifth[^\n]*$/s);
  });

  it("answers for a page that is at work", async () => {
    await project.run("newtab", `${site.url}/talks`);
    expect(await project.run("console")).toContain("fifth");
    await project.run("js", "void setTimeout(() => { for (const end = Date.now() + 2_000; Date.now() < end; ); })");
    expect(await project.run("console")).toContain("fifth");
  });

  it("has uncaught errors with their message", async () => {
    await project.run("newtab", `${site.url}/fails`);
    const uncaught = (await entries("console", "--errors")).filter((entry) => entry.uncaught);
    const texts = uncaught.map(({ text }) => text);
    expect(texts).toContain("TypeError: No lamp to light");
    expect(texts).toContain("RangeError: Rejected and unhandled");
    expect(texts.some((text) => text.includes("a plain string"))).toBe(true);
  });

  it("shows an uncaught error with the way to it", async () => {
    await project.run("newtab", `${site.url}/fails`);
    expect(await project.run("console", "--errors")).toMatch(
      /\[error\] uncaught TypeError: No lamp to light\n {4}at .*\/fails:\d+:\d+/,
    );
  });

  it("is of the page that is shown, and says how many lines there are of those before it", async () => {
    await project.run("newtab", `${site.url}/talks`);
    await project.run("goto", site.url);
    await project.run("js", "console.log('sixth')");
    const shown = await project.run("console");
    expect(shown).toMatch(/^6 \[log\] sixth/);
    expect(shown).toMatch(/\n… and 5 of earlier pages: browse console --all$/);
    expect(await project.run("console", "--errors")).toMatch(/^No errors\n… and 1 of earlier pages/);
    expect((await entries("console", "--all")).length).toBe(6);
    expect((await entries("console", "--since", "4")).length).toBe(2);
    await project.run("js", "history.pushState({}, '', '/pushed')");
    expect((await entries("console")).length).toBe(1);
  });

  it("has secrets redacted", async () => {
    await project.run("newtab", site.url);
    await project.run("js", "console.log('password=hunter2 and Bearer abcdef0123456789abcdef')");
    const shown = await project.run("console");
    expect(shown).not.toContain("hunter2");
    expect(shown).not.toContain("abcdef0123456789");
    expect(JSON.stringify(await project.json("console"))).not.toContain("hunter2");
  });

  it("refuses an id that is none", async () => {
    expect(await project.refusal("console", "--since", "-1")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await project.refusal("console", "--since=last")).toMatchObject({ flag: "--since", exitCode: 2 });
  });

  it("keeps what a page says apart from its own lines, and shows what nobody could see", async () => {
    await project.run("newtab", `${site.url}/forges`);
    const lines = (await project.run("console")).split(/\r?\n/);
    expect(lines.map((line) => line.replace(/ \(http.*/, ""))).toEqual([
      expect.stringMatching(/^\d+ \[log\] said$/),
      "  Error: forged",
      "  7 [log] forged \\u{202e}\\u{2028}too",
    ]);
    expect(await project.run("title")).toBe("safe\\u{202e}elif");
    await project.run("closetab");
  });
});

describe("network", () => {
  it("is of the page that is shown, by type, method and status", async () => {
    await project.run("newtab", `${site.url}/talks`);
    await project.run("goto", site.url);
    await project.run("js", "fetch('/missing.png', { method: 'POST' }).then(() => 1)");
    const shown = await project.run("network");
    expect(shown).toMatch(/\n\d+ POST 404 http:\S+\/missing\.png fetch/);
    expect(shown).not.toContain("/talks");
    expect(shown).toMatch(/\n… and \d+ of earlier pages: browse network --all$/);
    expect(await project.run("network", "--all")).toContain("/talks");
    for (const flags of [
      ["--type", "fetch,xhr"],
      ["--method", "post"],
      ["--status", "4xx"],
      ["--status", "404"],
    ]) {
      expect((await entries("network", ...flags)).map(({ url }) => new URL(url).pathname)).toEqual(["/missing.png"]);
    }
    expect(await project.refusal("network", "--status", "bad")).toMatchObject({ exitCode: 2 });
  });

  it("shows every request with what became of it", async () => {
    await project.run("newtab", `${site.url}/loads`);
    await project.run("wait", "--idle");
    const all = await entries("network", "--all");
    const by = (path: string) => all.find(({ url }) => new URL(url).pathname === path);
    expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => index + 1));
    expect(by("/loads")).toMatchObject({ method: "GET", status: 200, resourceType: "document" });
    expect(by("/app.js")).toMatchObject({ status: 200, bytes: APP.length });
    expect(by("/missing.png")).toMatchObject({ status: 404 });
    expect(by("/cut.png")).toMatchObject({ failure: expect.stringContaining("ERR_EMPTY_RESPONSE") });
    const moved = by("/api/moved")!;
    expect(moved.status).toBe(302);
    expect(all.find(({ redirectedFrom }) => redirectedFrom === moved.id)).toMatchObject({ status: 200 });
    const listed = await project.run("network");
    expect(listed).toMatch(/\n\d+ GET 404 http:\/\/127\.0\.0\.1:\d+\/missing\.png/);
    expect(listed).not.toContain("/app.js");
    expect(listed).toMatch(/\n… and 1 script: browse network --all$/);
    expect(await project.json("network")).toMatchObject({ static: { script: 1 } });
    expect(await project.run("network", "--type", "script")).toContain("/app.js");
  });

  it("and the console show the newest 50, and say how many there are before these", async () => {
    await project.run("newtab", `${site.url}/`);
    await project.run("js", "for (let n = 1; n <= 60; n++) console.log('n' + n)");
    await project.run("js", "for (let n = 1; n <= 60; n++) await fetch('/?' + n)");
    const said = (await project.run("console")).split("\n");
    expect(said).toHaveLength(51);
    expect(said[0]).toBe("… 10 before these: browse console --last 60");
    expect([said[1], said.at(-1)]).toEqual([expect.stringContaining("n11"), expect.stringContaining("n60")]);
    expect((await project.run("console", "--last", "60")).split("\n")).toHaveLength(60);
    const { entries: newest, before } = (await project.json("network", "--last", "2")) as {
      entries: Entry[];
      before: number;
    };
    expect(newest.map(({ url }) => new URL(url).search)).toEqual(["?59", "?60"]);
    expect(before).toBe(59);
  });

  it("can be narrowed to failures, and to a part of the address", async () => {
    await project.run("newtab", `${site.url}/loads`);
    await project.run("wait", "--idle");
    const failed = (await entries("network", "--failed")).map(({ url }) => new URL(url).pathname);
    expect(failed.sort()).toEqual(["/cut.png", "/missing.png"]);
    const api = (await entries("network", "--filter", "/api/")).map(({ url }) => new URL(url).pathname);
    expect(new Set(api)).toEqual(new Set(["/api/items", "/api/moved"]));
    expect(await project.run("network", "--filter", "nowhere")).toBe("No requests");
  });

  it("shows one request with its headers, secrets redacted", async () => {
    await project.run("newtab", `${site.url}/loads`);
    await project.run("wait", "--idle");
    const withToken = (await entries("network")).find(({ url }) => url.includes("token="))!;
    const shown = await project.run("network", String(withToken.id));
    expect(shown).toContain("< content-type: application/json");
    expect(shown).toMatch(/> authorization: .*\[redacted\]/i);
    for (const secret of ["tok-secret-123", "abc123def456", "0123456789abcdef"]) {
      expect(shown + JSON.stringify(await project.json("network", String(withToken.id)))).not.toContain(secret);
    }
    expect(await project.refusal("network", "99999")).toMatchObject({
      kind: "not_found",
      hint: "Run `browse network` for the ids",
    });
    expect(await project.refusal("network", "first")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });

  it("asks for nothing twice", async () => {
    await project.run("newtab", `${site.url}/loads`);
    await project.run("wait", "--idle");
    const before = site.requests.length;
    await project.run("network", "1");
    await project.run("network");
    expect(site.requests.length).toBe(before);
  });

  it("goes on counting after --clear", async () => {
    await project.run("newtab", site.url);
    await project.run("wait", "--load");
    const { total } = await project.json("network", "--clear");
    expect(await project.run("network")).toBe("No requests");
    await project.run("reload");
    expect((await entries("network"))[0]).toMatchObject({ id: Number(total) + 1 });
  });

  it("answers to the name `requests`", async () => {
    await project.run("newtab", site.url);
    await expect.poll(() => project.run("network")).toMatch(/ B \d+ ms$/);
    expect(await project.run("requests")).toBe(await project.run("network"));
  });
});

describe("the buffers of two tabs", () => {
  it("are kept apart", async () => {
    await project.run("newtab", `${site.url}/talks`);
    await project.run("newtab", site.url);
    expect(await project.run("console")).toBe("The console is empty");
    expect((await entries("network")).every(({ url }) => !url.includes("/talks"))).toBe(true);
  });
});
