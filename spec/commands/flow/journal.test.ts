import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Home</title><label>City <input id="city"></label><button id="go" onclick="document.title = 'Pressed'">Go</button><ul id="list"><li>One</li></ul>`,
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

describe("journal", () => {
  interface Entry {
    time: string;
    command: string;
    outcome: string;
    session?: string;
    tab?: string;
    params: Record<string, unknown>;
  }

  async function entries(...argv: string[]): Promise<Entry[]> {
    return ((await project.json("journal", ...argv)) as unknown as { entries: Entry[] }).entries;
  }

  it("shows the calls, the failed ones too, with their secrets redacted", async () => {
    await project.run("fill", "#city", "hunter2-typed");
    await project.cli(["click", "#nowhere"]);
    expect(await entries("--last", "2")).toMatchObject([
      { command: "fill", outcome: "ok", session: "default", tab: expect.stringMatching(/^t\d+$/) },
      { command: "click", outcome: "not_found", params: { target: "#nowhere" } },
    ]);
    expect(await project.run("journal")).not.toContain("hunter2-typed");
  });

  it("shows those since a time, of a session, the newest so many", async () => {
    const all = await entries("--last", "10000");
    await project.title();
    const newer = await entries("--since", all.at(-1)!.time);
    expect(newer.map(({ command }) => command)).toEqual(expect.arrayContaining(["title"]));
    expect(newer.length).toBeLessThan(all.length);
    await project.run("goto", site.url, "--session", "apart");
    const apart = await entries("--session", "apart");
    expect(apart.map(({ command, session }) => [command, session])).toEqual([["goto", "apart"]]);
    expect(await entries("--since", "1h", "--last", "1")).toHaveLength(1);
    expect(await entries("--since", "2100-01-01")).toEqual([]);
  });

  it("does without a browser, and refuses times that are none", async () => {
    await using fresh = new Project();
    expect(await fresh.run("journal", "--since", "1ms")).toBe("No calls");
    expect(await fresh.json("status")).toMatchObject({ browser: "none" });
    expect(await project.refusal("journal", "--since", "yesterday")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
    });
    expect(await project.refusal("journal", "--since", "2030-99-99")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
    });
    expect(await project.refusal("journal", "--last", "0")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });
});

describe("what ties calls together in the journal", () => {
  interface Tied {
    id: string;
    parent?: string;
    command: string;
    page?: string;
    result?: { shape: string; digest: string };
    from?: { param: string; call: string; path: string }[];
    hidden?: { param: string; digest?: string }[];
    elements?: { locators: string[] }[];
  }

  async function last(count: number): Promise<Tied[]> {
    return ((await project.json("journal", "--last", String(count))) as unknown as { entries: Tied[] }).entries;
  }

  it("is an id for each, and that of the call which it was a step of", async () => {
    await project.run("chain", "url | title");
    const [url, title, chain] = await last(3);
    expect([url?.command, title?.command, chain?.command]).toEqual(["url", "title", "chain"]);
    expect(chain?.id).toMatch(/^[0-9a-f]{4}-\d+$/);
    expect([url?.parent, title?.parent, chain?.parent]).toEqual([chain?.id, chain?.id, undefined]);
    expect(await project.run("journal", "--last", "2")).toContain(String(chain?.id));
  });

  it("is the shape of what was answered, one digest for one answer, and none of the page's words", async () => {
    await project.run("text", "#list");
    await project.run("text", "#list");
    await project.run("attrs", "#list");
    const [once, again, attrs] = await last(3);
    expect(once).toMatchObject({ page: `${site.url}/`, result: { shape: "{text: string(3)}" } });
    expect(again?.result?.digest).toBe(once?.result?.digest);
    expect(attrs?.result?.shape).toBe("{attributes: {1 of the page's}}");
  });

  it("is how an element that was read can be found again", async () => {
    await project.run("text", await project.ref('[button] "Go"'));
    const [read] = await last(1);
    expect(read?.elements).toMatchObject([{ locators: ['role=button[name="Go"]', 'text="Go"', "#go"] }]);
  });

  it("is which earlier answer a param came from, and which hidden values are one, but of what a field hides nothing", async () => {
    site.set(
      "/secret",
      `<!doctype html><title>S</title><a href="/">Home</a><input id="p" type="password"><input id="t">`,
    );
    await project.run("goto", `${site.url}/secret`);
    await project.run("links");
    await project.run("fill", "#t", "a-typed-word");
    await project.run("fill", "#t", "A-typed-word");
    await project.run("fill", "#p", "hunter3-typed");
    await project.run("goto", `${site.url}/`);
    const [links, typed, again, secret, opened] = await last(5);
    expect(opened?.from).toEqual([{ param: "url", call: links?.id, path: "links.0.url" }]);
    expect(typed?.hidden).toEqual([{ param: "value", digest: expect.stringMatching(/^[0-9a-f]{16}$/) }]);
    expect(again?.hidden).toEqual(typed?.hidden);
    expect(secret?.hidden).toEqual([{ param: "value" }]);
    expect(await project.journal()).not.toMatch(/hunter3|typed-word/i);
  });
});
