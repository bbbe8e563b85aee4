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
      expect.stringMatching(/^Warning: .*characters that turn the reading direction round/),
      expect.stringMatching(/^\d+ \[log\] said$/),
      "  Error: forged",
      "  7 [log] forged \\u{2028}too",
    ]);
    expect(await project.run("title")).toBe('"safeelif"');
    await project.run("closetab");
  });
});
