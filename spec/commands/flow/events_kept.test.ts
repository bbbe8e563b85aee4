/** What a page has done, as it is found written down. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import type { Site } from "../../harness/site.ts";
import { Following, Lively, SECRETS } from "./lively.ts";

let lively: Lively;
let project: Project;
let site: Site;

beforeAll(async () => {
  lively = await Lively.open();
  ({ project, site } = lively);
  await lively.visit();
});

afterAll(() => lively[Symbol.asyncDispose]());

describe("the journal", () => {
  it("names what an action was done to so that it can be found again", async () => {
    const { entries } = await project.json("journal");
    const click = (entries as { command: string }[]).find(({ command }) => command === "click");
    expect(click).toMatchObject({
      outcome: "ok",
      elements: [
        { role: "button", name: "Go", locators: ['role=button[name="Go"]', 'testid="go"', 'text="Go"', "#go"] },
      ],
    });
    await project.run("goto", `${site.url}/lively`);
    for (const locator of ['role=button[name="Go"]', 'testid="go"', 'text="Go"', "#go", 'label="Password"']) {
      expect(await project.run("count", locator)).toBe("1");
    }
  });
});

describe("a secret", () => {
  it("that was typed, sent in a header, kept in a cookie or put into an address is in nothing that was written", async () => {
    await project.run("cookie", `session=${SECRETS.cookie}`);
    await project.run("events", "--history", "--for", "1500ms");
    const streamed = [
      await project.run("events", "--history", "--for", "200ms"),
      await project.run("events", "--history", "--for", "200ms", "--json"),
      await project.run("journal"),
      await project.run("console"),
      await project.run("network"),
    ];
    const files = readdirSync(project.stateDir, { recursive: true })
      // What the browser itself keeps, its cookies among it, goes with it.
      .filter((name) => !String(name).startsWith("run/"))
      .map((name) => join(project.stateDir, String(name)))
      .filter((path) => statSync(path).isFile());
    const written = files.map((path) => readFileSync(path, "latin1"));
    expect(files.map((path) => path.slice(project.stateDir.length + 1))).toEqual(
      expect.arrayContaining(["console.jsonl", "network.jsonl", "dialog.jsonl", "journal.jsonl", "daemon.log"]),
    );
    for (const secret of Object.values(SECRETS)) {
      expect([...streamed, ...written].filter((text) => text.includes(secret.replace("Bearer ", "")))).toEqual([]);
    }
  });
});

describe("a daemon that is killed", () => {
  it("has left what it knew a second ago, and its follower says that it is gone", async () => {
    const following = new Following(project, ["console", "--history", "--filter", "level=info"]);
    await project.run("js", "console.info('before the end')");
    await following.until((lines) => lines.length === 1);
    const path = join(project.stateDir, "console.jsonl");
    await expect.poll(() => readFileSync(path, "utf8"), { timeout: 5_000 }).toContain("before the end");
    process.kill(project.daemon()!.pid, "SIGKILL");
    await expect.poll(() => following.stderr, { timeout: 20_000 }).not.toBe("");
    await following.interrupt();
    const { entries } = await project.json("journal");
    expect(entries).toContainEqual(expect.objectContaining({ command: "click", outcome: "ok" }));
  });
});
