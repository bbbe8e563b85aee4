/** Skills run by the daemon, on its browser: what they may do there, and what is left of them. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Project } from "../../harness/project.ts";
import { Site } from "../../harness/site.ts";
import { type SkillText, writeSkill } from "../../harness/skills.ts";

const HUMAN = "source: human";
const WRITES = `${HUMAN}\nscopes: [read, write, meta]`;

let site: Site;
let project: Project;
let count = 0;

beforeAll(async () => {
  site = await Site.serve({
    "/": "<!doctype html><title>Shop</title><h1>Lamps</h1><button onclick=\"document.title='Bought'\">Buy</button>",
    "/other": "<!doctype html><title>Other</title>",
  });
  project = new Project();
  await project.run("goto", site.url);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** The name of a new skill of the user's. */
function skill(text: SkillText): string {
  const name = `skill-${++count}`;
  writeSkill(join(project.dir, "home"), name, text);
  return name;
}

async function given(text: SkillText, ...words: string[]): Promise<unknown> {
  return (await project.json("skill", "run", skill(text), ...words)).value;
}

async function refusalOf(text: SkillText, ...words: string[]) {
  return await project.refusal("skill", "run", skill(text), ...words);
}

async function openTabs(): Promise<unknown> {
  return (await project.json("tabs")).tabs;
}

describe("a run", () => {
  test("prints the value, and its log on standard error", async () => {
    const name = skill({ manifest: HUMAN, body: 'log("on my way"); console.log("there"); return { price: 12 };' });
    const { stdout, stderr, exitCode } = await project.cli(["skill", "run", name]);
    expect([JSON.parse(stdout), exitCode]).toEqual([{ price: 12 }, 0]);
    expect(stderr).toBe(`${name}: "on my way"\n${name}: "there"\n`);
  });

  test("works in a tab of its own, which is closed at its end", async () => {
    const before = await openTabs();
    const body = `await browse.goto({ url: "${site.url}/other" }); return [(await browse.title()).title, (await browse.tabs()).tabs.filter(({ url }) => url !== undefined).length];`;
    expect(await given({ manifest: WRITES, body })).toEqual(["Other", 1]);
    expect(await openTabs()).toEqual(before);
  });

  test("that fails leaves no tab either", async () => {
    const before = await openTabs();
    const body = `await browse.goto({ url: "${site.url}/other" }); throw new Error("No price");`;
    const error = await refusalOf({ manifest: WRITES, body });
    expect(error).toMatchObject({ kind: "skill_failed", exitCode: 1 });
    expect(error.message).toContain('failed: "No price"');
    expect(error.hint).toMatch(/`browse skill check skill-\d+ --live`/);
    expect(await openTabs()).toEqual(before);
  });

  test("works on the tab of the call where it shares that", async () => {
    const manifest = `${HUMAN}\ntabs: shared`;
    expect(await given({ manifest, body: "return (await browse.title()).title;" })).toBe("Shop");
  });

  test("tells what a call of its own was refused for", async () => {
    const error = await refusalOf({ manifest: HUMAN, body: 'await browse.text({ target: "#nowhere" });' });
    expect(error).toMatchObject({ kind: "skill_failed", error: { kind: expect.any(String) } });
  });

  test("follows events on its channel", async () => {
    const body = `
      const controller = new AbortController();
      const seen = (async () => { for await (const item of browse.events(["page"], { signal: controller.signal })) if (item.type === "event") return item.topic; })();
      await browse.goto({ url: "${site.url}/other" });
      return await seen;`;
    expect(await given({ manifest: WRITES, body })).toBe("page");
  });
});

describe("of its arguments", () => {
  const text = {
    manifest: `${HUMAN}\nargs:\n  - {name: query, required: true}\n  - {name: count, default: 3}\n  - {name: exact, default: false}`,
    body: "return args;",
  };

  test("those that are not given have their default", async () => {
    expect(await given(text, "--arg", "query=red = blue")).toEqual({ query: "red = blue", count: 3, exact: false });
    expect(await given(text, "--arg", "query=a", "--arg", "count=4", "--arg", "exact=true")).toEqual({
      query: "a",
      count: 4,
      exact: true,
    });
  });

  test.each([
    [[], 'The argument "query" is missing'],
    [["--arg", "qeury=a"], 'has no argument "qeury". Did you mean "query"?'],
    [["--arg", "query=a", "--arg", "query=b"], 'The argument "query" is given twice'],
    [["--arg", "query=a", "--arg", "count=many"], 'The argument "count" must be a number'],
    [["--arg", "query"], "An argument is written name=value"],
  ])("%j are refused", async (words, message) => {
    const error = await refusalOf(text, ...words);
    expect(error.kind).toBe("invalid_params");
    expect(error.message).toContain(message.split(".")[0]);
  });

  test("none is in the journal", async () => {
    await given(text, "--arg", "query=hunter2");
    expect(await project.journal()).not.toContain("hunter2");
  });
});

describe("a skill may not", () => {
  test.each([
    ["run code in pages", 'await browse.js({ code: "1" });', "forbidden"],
    ["read cookies", "await browse.cookies();", "forbidden"],
    ["run another skill", 'await browse.call("skill.run", { name: "other" });', "forbidden"],
    ["end the daemon", "await browse.stop();", "forbidden"],
    ["pair an agent", "await browse.pair();", "forbidden"],
    ["approve calls", 'await browse.confirm({ id: "abcdef" });', "forbidden"],
    ["touch another's tab", 'await browse.title({}, { tab: "t1" });', "not_owner"],
    ["close another's tab", 'await browse.closetab({ id: "t1" });', "not_owner"],
    ["work in another session", 'await browse.newtab({}, { session: "work" });', "not_owner"],
    ["open a file", 'await browse.goto({ url: "file:///etc/passwd" });', "blocked_url"],
    ["upload a file", 'await browse.upload({ target: "input", files: ["/etc/passwd"] });', "blocked_path"],
    ["write elsewhere", 'await browse.screenshot({ path: "/tmp/browse-skill.png" });', "blocked_path"],
    ["reach the metadata of a cloud", 'await browse.goto({ url: "http://169.254.169.254/" });', "blocked_url"],
  ])("%s", async (_what, call, kind) => {
    const body = `await browse.goto({ url: "${site.url}/other" }); ${call}`;
    const error = await refusalOf({ manifest: WRITES, body });
    expect(error).toMatchObject({ kind: "skill_failed", error: { kind } });
    const attempts = readFileSync(join(project.dir, "home/security/attempts.jsonl"), "utf8").trim().split("\n");
    expect(JSON.parse(attempts.at(-1)!)).toMatchObject({ reason: kind });
    expect(await project.title()).toBe("Shop");
  });

  test("leave its host, by its own way or a page's", async () => {
    const text = { manifest: WRITES, host: "127.0.0.1" };
    const elsewhere = site.url.replace("127.0.0.1", "localhost");
    const direct = await refusalOf({ ...text, body: `await browse.goto({ url: "${elsewhere}" });` });
    expect(direct).toMatchObject({ kind: "skill_failed", error: { kind: "blocked_url" } });
    site.set("/away", (_request, response) => void response.writeHead(302, { location: elsewhere }).end());
    const redirected = await refusalOf({ ...text, body: `await browse.goto({ url: "${site.url}/away" });` });
    expect(redirected).toMatchObject({ kind: "skill_failed", error: { kind: "blocked_url" } });
    expect(await given({ ...text, body: `return (await browse.goto({ url: "${site.url}/other" })).status;` })).toBe(
      200,
    );
  });
});

test("a value that is too large for an answer is kept in a file", async () => {
  const error = await refusalOf({ manifest: HUMAN, body: 'return "x".repeat(2_000_000);' });
  expect(error).toMatchObject({ kind: "too_large", bytes: 2_000_002 });
  expect(statSync(String(error.path))).toMatchObject({ size: 2_000_002 });
  expect(statSync(String(error.path)).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(project.stateDir, "artifacts"))).toContain(String(error.path).split("/").at(-1));
});

test("a run that takes longer than its caller allows ends with 124", async () => {
  const error = await refusalOf(
    { manifest: HUMAN, body: "await new Promise(() => setInterval(() => {}, 1_000));" },
    "--timeout",
    "1500",
  );
  expect(error).toMatchObject({ kind: "timeout", exitCode: 124 });
});

test("a run that takes longer than its manifest says ends with 124, and tells so", async () => {
  const manifest = `${HUMAN}\ntimeout: 1s`;
  const error = await refusalOf({ manifest, body: 'log("begun"); for (;;);' });
  expect(error).toMatchObject({ kind: "timeout", exitCode: 124, timeoutMs: 1_000, log: ["begun"] });
});

test("a run that has pressed something, and is cut short, is not said to be one that can be tried again", async () => {
  const manifest = `${WRITES}\ntimeout: 3s`;
  const press = `await browse.goto({ url: "${site.url}" }); await browse.click({ target: "button" });`;
  const error = await refusalOf({ manifest, body: `${press} log("pressed"); for (;;);` });
  expect(error).toMatchObject({ kind: "outcome_unknown", ended: "timeout", log: ["pressed"] });
  expect(error.hint).toContain("browse journal");
  const { entries } = (await project.json("journal")) as {
    entries: { command: string; id: string; parent?: string }[];
  };
  const [run, click] = ["skill.run", "click"].map((name) => entries.findLast(({ command }) => command === name));
  expect(click?.parent).toBe(run?.id);
});

test.each([
  ["has pressed something", "await browse.click({ target: 'button' });", "outcome_unknown"],
  ["has only looked", "await browse.text();", "skill_failed"],
])("a run whose process goes, and that %s, is told as that", async (_what, deed, kind) => {
  const body = `await browse.goto({ url: "${site.url}" }); ${deed} process.exit(3);`;
  expect(await refusalOf({ manifest: WRITES, body })).toMatchObject({ kind, exitCode: expect.any(Number) });
});
