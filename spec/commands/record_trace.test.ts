/** Films and traces, opened by what is made for them: a browser's player, and the driver's own trace viewer. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join, relative } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../harness/project.ts";
import { SharedProject } from "../harness/shared_project.ts";
import { type Page, Site } from "../harness/site.ts";

/** What the `playwright` package is made of. */
const DRIVER = "playwright-core";

const PACKAGES = join(import.meta.dirname, "../../node_modules");

const color = (name: string) =>
  `<!doctype html><title>${name}</title><body style="margin:0;background:${name}">${name}`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/red": color("rgb(255, 0, 0)"),
    "/blue": color("rgb(0, 0, 255)"),
    "/player": PLAYER,
    "/mediabunny.mjs": (_request, response) =>
      response
        .writeHead(200, { "content-type": "text/javascript" })
        .end(readFileSync(join(PACKAGES, "mediabunny/dist/bundles/mediabunny.min.mjs"))),
    "/film.webm": (_request, response) => {
      const film = readFileSync(join(project.dir, "film.webm"));
      response.writeHead(200, { "content-type": "video/webm", "content-length": film.length }).end(film);
    },
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

interface Played {
  /** Seconds. */
  duration: number;
  width: number;
  height: number;
  /** In the middle of the first and of the last picture. */
  first: number[];
  last: number[];
}

/** The film as a player shows it. A player leaves pictures out when it cannot keep up, so two are decoded by themselves. */
const PLAYER = `<!doctype html><title>Player</title><video muted preload=auto></video>
<script type=module>
  import { ALL_FORMATS, BlobSource, CanvasSink, Input } from "/mediabunny.mjs";
  async function play() {
    const video = document.querySelector("video");
    video.src = "/film.webm";
    await new Promise((resolve, reject) => { video.onloadeddata = resolve; video.onerror = () => reject(video.error); });
    const { videoWidth: width, videoHeight: height, duration } = video;
    const source = new BlobSource(await (await fetch("/film.webm")).blob());
    const track = await new Input({ source, formats: ALL_FORMATS }).getPrimaryVideoTrack();
    const pictures = new CanvasSink(track);
    async function color(seconds) {
      const { canvas } = await pictures.getCanvas(seconds);
      return [...canvas.getContext("2d").getImageData(width / 2, height / 2, 1, 1).data.subarray(0, 3)];
    }
    const [first, last] = [await color(0), await color(duration)];
    const ended = new Promise((resolve) => { video.onended = resolve; });
    video.playbackRate = 4;
    // A short film ends before it is said to have begun.
    video.play().catch(() => {});
    await ended;
    return { duration, width, height, first, last };
  }
  globalThis.played = play();
</script>`;

async function play(): Promise<Played> {
  await project.run("goto", `${site.url}/player`);
  return JSON.parse(await project.run("js", "await played")) as Played;
}

/** Video keeps colors roughly. */
function expectColor([red = 0, green = 0, blue = 0]: number[], expected: "red" | "blue"): void {
  expect(green).toBeLessThan(60);
  expect(expected === "red" ? red : blue).toBeGreaterThan(180);
  expect(expected === "red" ? blue : red).toBeLessThan(60);
}

describe("record", () => {
  it("films the tab across pages, as a WebM that a browser plays", async () => {
    const tab = await project.currentTab();
    expect(await project.run("record", "start")).toBe(`Recording ${tab}: end with \`browse record stop\``);
    await project.run("js", "document.body.textContent = 'changed'");
    await project.run("goto", `${site.url.replace("127.0.0.1", "localhost")}/blue`);
    const result = await project.json("record", "stop", "film.webm");
    const path = join(project.dir, "film.webm");
    expect(result).toMatchObject({ tab, path, bytes: statSync(path).size, width: 1280, height: 720 });
    expect(result).not.toHaveProperty("ended");
    expect(Number(result.frames)).toBeGreaterThan(1);
    const { duration, width, height, first, last } = await play();
    expect([width, height]).toEqual([1280, 720]);
    expect(duration).toBeCloseTo(Number(result.durationMs) / 1_000, 1);
    expectColor(first, "red");
    expectColor(last, "blue");
  });

  it("lasts as long as it was recorded when nothing moves", async () => {
    await project.run("record", "start");
    await project.run("wait", "700");
    const { durationMs, frames } = await project.json("record", "stop", "film.webm");
    expect(durationMs).toBeGreaterThan(600);
    expect(frames).toBeLessThan(5);
    const { duration } = await play();
    expect(duration).toBeGreaterThan(0.6);
  });

  it("keeps the film of a tab that closes until it is asked for", async () => {
    await project.run("newtab", `${site.url}/blue`);
    await project.run("record", "start");
    await project.run("closetab");
    const text = await project.run("record", "stop", "film.webm");
    expect(text).toMatch(/film\.webm \(1280x720, \d+\.\d s\); it ended when the tab was closed$/);
    expectColor((await play()).last, "blue");
  });

  it("goes to the artifacts without a path, and follows one tab each", async () => {
    const first = await project.currentTab();
    await project.run("record", "start");
    const { id } = await project.json("newtab", `${site.url}/blue`);
    expect(await project.refusal("record", "stop")).toMatchObject({
      kind: "not_found",
      hint: expect.stringContaining(first),
    });
    await project.run("record", "start");
    const { path, tab } = await project.json("record", "stop", "--tab", first);
    expect(tab).toBe(first);
    expect(String(path)).toMatch(/artifacts\/record-[a-z0-9-]+\.webm$/);
    expect((await project.json("record", "stop")).tab).toBe(id);
    await project.run("closetab");
  });

  it("can be ended while a dialog is open", async () => {
    await project.run("record", "start");
    await project.run("dialog-policy", "ask");
    await project.cli(["js", "setTimeout(() => alert('Wait'), 0)"]);
    await project.run("record", "stop", "film.webm");
    await project.cli(["dialog-accept"]);
    await project.run("dialog-policy", "accept");
  });

  it("refuses a second start, a stop without start, a path at the start, and other words", async () => {
    expect(await project.refusal("record", "stop")).toMatchObject({
      kind: "not_found",
      hint: expect.stringContaining("record start"),
    });
    expect(await project.refusal("record", "start", "film.webm")).toMatchObject({ kind: "invalid_params" });
    expect(await project.refusal("record", "pause")).toMatchObject({
      kind: "invalid_params",
      message: expect.stringContaining("start or stop"),
    });
    await project.run("record", "start");
    expect(await project.refusal("record", "start")).toMatchObject({ kind: "invalid_params" });
    expect(await project.refusal("record", "stop", "film.mp4")).toMatchObject({ kind: "invalid_params" });
    await project.run("record", "stop", "film.webm");
  });
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
