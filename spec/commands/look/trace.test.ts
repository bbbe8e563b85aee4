/** Traces, opened by the driver's own trace viewer. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join, relative } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { type Page, Site } from "../../harness/site.ts";

/** What the `playwright` package is made of. */
const DRIVER = "playwright-core";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/red": "<!doctype html><title>Red</title>",
    "/blue": "<!doctype html><title>Blue</title>",
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.run("goto", `${site.url}/red`);
});

describe("trace", () => {
  const own = () =>
    readdirSync(join(project.stateDir, "run"), { recursive: true, encoding: "utf8" }).filter((path) =>
      basename(path).startsWith("trace-"),
    );

  afterEach(() => expect(own()).toEqual([]));

  it("writes a zip that the driver's own viewer opens", async () => {
    expect(await project.run("trace", "start")).toBe("Tracing session default: end with `browse trace stop`");
    await project.run("goto", `${site.url}/blue`);
    const { path, bytes, session } = await project.json("trace", "stop", "trace.zip");
    expect([session, path, bytes]).toEqual(["default", join(project.dir, "trace.zip"), statSync(String(path)).size]);
    serveViewer(String(path));
    await project.run("goto", `${site.url}/viewer/index.html?trace=${encodeURIComponent(`${site.url}/trace.zip`)}`);
    await project.run("wait", "--text", "/blue");
    await project.run("goto", `${site.url}/red`);
  });

  it("goes to the artifacts without a path", async () => {
    await project.run("trace", "start");
    expect(String((await project.json("trace", "stop")).path)).toMatch(/artifacts\/trace-[a-z0-9-]+\.zip$/);
  });

  it("is kept when its session is put in the place of another, and when it could not be written", async () => {
    await project.run("state", "save", "other");
    await project.run("trace", "start");
    await project.run("goto", `${site.url}/blue`);
    await project.run("state", "load", "other");
    writeFileSync(join(project.dir, "theirs.zip"), "theirs");
    expect(await project.refusal("trace", "stop", "theirs.zip")).toMatchObject({ kind: "blocked_path" });
    expect(own()).toHaveLength(1);
    const text = await project.run("trace", "stop", "early.zip");
    expect(text).toMatch(/^Wrote .*early\.zip \(\d+ bytes\); it ended when its session was built anew; open it with/);
    expect(readFileSync(join(project.dir, "early.zip")).toString("latin1")).toContain("trace.trace");
  });

  it("leaves nothing behind when its session is closed", async () => {
    await project.run("goto", `${site.url}/red`, "--session", "aside");
    await project.run("state", "save", "aside", "--session", "aside");
    await project.run("trace", "start", "--session", "aside");
    await project.run("state", "load", "aside", "--session", "aside");
    expect(own()).toHaveLength(1);
    await project.run("session", "close", "aside");
  });

  it("refuses a second start, a stop without start, and a path at the start", async () => {
    expect(await project.refusal("trace", "stop")).toMatchObject({
      kind: "not_found",
      hint: expect.stringContaining("trace start"),
    });
    expect(await project.refusal("trace", "start", "trace.zip")).toMatchObject({ kind: "invalid_params" });
    const before = foldersOfTraces();
    await project.run("trace", "start");
    expect(foldersOfTraces(), "what a daemon that is killed now leaves behind").toEqual(before);
    expect(await project.refusal("trace", "start")).toMatchObject({ kind: "invalid_params" });
    expect(await project.refusal("trace", "stop", "trace.tar")).toMatchObject({ kind: "invalid_params" });
    await project.run("trace", "stop");
    expect(existsSync(join(project.dir, "trace.tar"))).toBe(false);
  });

  /** Where the driver puts what nobody has given it another place for. */
  function foldersOfTraces(): string[] {
    return readdirSync(tmpdir()).filter((name) => name.startsWith("playwright-tracing-"));
  }

  /** The viewer is a page of the driver's, which reads the zip by itself. */
  function serveViewer(trace: string): void {
    const require = createRequire(createRequire(import.meta.url).resolve("playwright"));
    const folder = join(dirname(require.resolve(`${DRIVER}/package.json`)), "lib/vite/traceViewer");
    const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
    const file =
      (path: string): Page =>
      (_request, response) =>
        response
          .writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" })
          .end(readFileSync(path));
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) site.set(`/viewer/${relative(folder, path)}`, file(path));
    }
    site.set("/trace.zip", file(trace));
  }
});
