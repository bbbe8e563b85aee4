import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": "<!doctype html><title>Shop</title>",
    "/other": "<!doctype html><title>Other</title>",
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

interface SavedFile {
  version: number;
  content: Record<string, unknown[]>;
}

interface Tabs {
  tabs: { id: string; url: string; current: boolean }[];
}

async function tabs(...flags: string[]): Promise<Tabs["tabs"]> {
  return ((await project.json("tabs", ...flags)) as unknown as Tabs).tabs;
}

async function js(code: string, ...flags: string[]): Promise<unknown> {
  return (await project.json("js", code, ...flags)).value;
}

/** A file of ours with something else in it. */
function edited(name: string, edit: (content: SavedFile["content"], file: SavedFile) => void): void {
  const path = join(project.stateDir, "states", `${name}.json`);
  const file = JSON.parse(readFileSync(path, "utf8")) as SavedFile;
  edit(file.content, file);
  writeFileSync(path, JSON.stringify(file));
}

async function fillSession(): Promise<void> {
  await js("void (document.cookie = 'sid=1; max-age=3600'), localStorage.setItem('theme', 'dark')");
  await project.run("newtab", `${site.url}/other`);
}

describe("loading a state that somebody wrote", () => {
  it("leaves out metadata hosts and addresses that may not be opened, and says so", async () => {
    await fillSession();
    await project.run("state", "save", "hostile");
    edited("hostile", (content) => {
      const { cookies, origins, tabs: saved } = content;
      saved!.unshift({ url: "http://169.254.169.254/current", sessionStorage: [] });
      Object.assign(content, { current: 0 });
      const cookie = cookies![0] as object;
      cookies!.push({ ...cookie, domain: "169.254.169.254" }, { ...cookie, domain: ".metadata.google.internal" });
      origins!.push({ origin: "http://169.254.169.254", localStorage: [{ name: "a", value: "b" }] });
      for (const url of [
        "http://169.254.169.254/latest",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "chrome://settings",
      ]) {
        saved!.push({ url, sessionStorage: [] });
      }
    });
    const { loaded } = (await project.json("state", "load", "hostile")) as {
      loaded: { cookieCount: number; tabs: string[]; dropped: string[] };
    };
    expect(loaded.cookieCount).toBe(1);
    expect(loaded.tabs).toEqual([`${site.url}/`, `${site.url}/other`]);
    expect(loaded.dropped).toEqual(
      expect.arrayContaining([
        "javascript:alert(1)",
        "file:///etc/passwd",
        "chrome://settings",
        "http://metadata.google.internal/",
      ]),
    );
    expect((await tabs()).map(({ url, current }) => ({ url, current }))).toEqual([
      { url: `${site.url}/`, current: true },
      { url: `${site.url}/other`, current: false },
    ]);
    expect(await project.run("cookies")).not.toMatch(/169\.254|metadata/);
  });

  it.each([
    [
      "a cookie without a domain",
      (content: Record<string, unknown[]>) => Object.assign(content.cookies![0] as object, { domain: undefined }),
    ],
    ["a cookie the browser refuses", (content) => Object.assign(content.cookies![0] as object, { expires: -5 })],
    ["more than there may be", (content) => Object.assign(content, { html: ["<script>"] })],
    ["an origin that is none", (content) => Object.assign(content.origins![0] as object, { origin: "javascript:" })],
    [
      "a database the browser refuses",
      (content) => Object.assign(content.origins![0] as object, { indexedDB: [{ name: "x", version: "y" }] }),
    ],
  ] satisfies [string, (content: Record<string, unknown[]>) => void][])(
    "refuses %s, and leaves the session as it was",
    async (_what, edit) => {
      await fillSession();
      await project.run("state", "save", "broken");
      edited("broken", edit);
      const before = await tabs();
      const ref = await js("window.mark = 'still here'");
      expect(ref).toBe("still here");
      expect(await project.refusal("state", "load", "broken")).toMatchObject({ kind: "state_unreadable" });
      expect(await tabs()).toEqual(before);
      expect(await js("window.mark")).toBe("still here");
    },
  );

  it("refuses one of another version", async () => {
    await project.run("state", "save", "older");
    edited("older", (_content, file) => {
      file.version = 0;
    });
    expect(await project.refusal("state", "load", "older")).toMatchObject({
      kind: "state_unreadable",
      message: expect.stringContaining("another version"),
    });
    expect(await project.title()).toBe("Shop");
  });

  it("opens the tabs it can, and names the one that does not load", async () => {
    site.set("/breaks", (request) => request.socket.destroy());
    await project.run("state", "save", "partly");
    edited("partly", ({ tabs: saved }) => saved!.push({ url: `${site.url}/breaks`, sessionStorage: [] }));
    const { loaded } = (await project.json("state", "load", "partly")) as { loaded: { failed: { url: string }[] } };
    expect(loaded.failed).toMatchObject([
      { url: `${site.url}/breaks`, reason: expect.stringContaining("sent nothing") },
    ]);
    expect(await project.title()).toBe("Shop");
  });
});

describe("loading a state", () => {
  it("waits for what runs in the tabs that it replaces", async () => {
    await project.run("state", "save", "waits");
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    site.set("/gate", (_request, response) => {
      reached.resolve();
      void gate.promise.then(() => response.end("open"));
    });
    const running = project.run("js", "await fetch('/gate').then((answer) => answer.text())");
    await reached.promise;
    const before = await tabs();
    const loading = project.run("state", "load", "waits");
    // Long enough for the load to have done harm, had it not waited.
    for (let look = 0; look < 5; look++) expect(await tabs()).toEqual(before);
    gate.resolve();
    expect(await running).toBe("open");
    await loading;
    expect((await tabs()).map(({ id }) => id)).not.toContain(before[0]?.id);
  });

  it("is refused while a dialog is open", async () => {
    await project.run("state", "save", "behind");
    await project.run("dialog-policy", "ask");
    await project.cli(["js", "alert('Wait')"]);
    expect(await project.refusal("state", "load", "behind")).toMatchObject({ kind: "dialog_open" });
    await project.run("dialog-accept");
  });

  it("keeps what the session emulates, its headers and its dialog policy", async () => {
    await project.run("state", "save", "look");
    await project.run(
      "chain",
      "emulate --color-scheme dark | useragent Bot/1 | viewport --scale 2 | dialog-policy dismiss",
    );
    await project.run("state", "load", "look");
    expect(
      await js(
        "[matchMedia('(prefers-color-scheme: dark)').matches, navigator.userAgent, devicePixelRatio, confirm('?')]",
      ),
    ).toEqual([true, "Bot/1", 2, false]);
  });
});
