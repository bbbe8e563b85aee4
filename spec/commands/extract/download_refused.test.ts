/** Downloads that are refused. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pngOf } from "../../harness/pictures.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { type Page, Site } from "../../harness/site.ts";
import { endless, file, redirect, refused } from "./downloads.ts";

const RED = pngOf(40, 30);

const MEGABYTE = 1_000_000;

/** Sends a part, and then cuts the line. */
const cut =
  (headers: Record<string, string>): Page =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "image/png", ...headers });
    response.write(RED, () => response.destroy());
  };

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Files</title><img id="red" src="/red.png" alt="Red"><button>Nothing</button>
      <a id="blob">Blob</a><a id="meta" href="http://169.254.169.254/latest">Meta</a><video id="live" src="/live.m3u8"></video>
      <script>blob.href = URL.createObjectURL(new Blob(["from memory ".repeat(200000)], { type: "text/plain" }));</script>`,
    "/files/report.csv": file("a,b\r\n1,2\r\n", { "content-type": "text/csv" }),
    "/red.png": file(RED, { "content-type": "image/png" }),
    "/to-metadata": redirect("http://169.254.169.254/latest/meta-data"),
    "/to-file": redirect("file:///etc/passwd"),
    "/page.png": file("<!doctype html><title>Log in</title>", { "content-type": "text/html" }),
    "/lie.png": file("<!doctype html><title>Log in</title>", { "content-type": "image/png" }),
    "/gone": (_request, response) => response.writeHead(404).end("no"),
    "/nothing": (_request, response) => response.writeHead(204).end(),
    "/cut": cut({ "content-length": "100000" }),
    "/cut-chunked": cut({}),
    "/large": file(Buffer.alloc(3 * MEGABYTE), { "content-type": "application/octet-stream" }),
    "/endless": endless,
    "/live.m3u8": file("#EXTM3U", { "content-type": "text/plain" }),
    "/playlist": file("#EXTM3U", { "content-type": "application/vnd.apple.mpegurl" }),
    "/film.mpd": file("<MPD/>", { "content-type": "application/dash+xml" }),
    "/starts-nothing": "<!doctype html><title>Nothing</title>",
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.run("goto", site.url, "--wait", "load");
});

describe("a download is refused, and nothing is left of it,", () => {
  it("when a redirect leads where the URL policy forbids", async () => {
    expect(await refused(project, `${site.url}/to-metadata`)).toMatchObject({ kind: "blocked_url", exitCode: 4 });
    // The browser itself does not go there.
    expect(await refused(project, `${site.url}/to-file`)).toMatchObject({ kind: "navigation_failed" });
  });

  it("when its own address, or an element's, is forbidden", async () => {
    expect(await refused(project, "http://169.254.169.254/latest")).toMatchObject({ kind: "blocked_url" });
    expect(await refused(project, "--target", "#meta")).toMatchObject({ kind: "blocked_url" });
    expect(await refused(project, "data:text/plain,x")).toMatchObject({ kind: "blocked_url" });
  });

  it("when it is a file of this machine", async () => {
    writeFileSync(join(project.dir, "here.txt"), "x");
    expect(await refused(project, "file:here.txt")).toMatchObject({ kind: "unsupported" });
  });

  it("when the server refuses, or sends nothing", async () => {
    expect(await refused(project, `${site.url}/gone`, "deep/gone.txt")).toMatchObject({
      kind: "navigation_failed",
      status: 404,
    });
    expect(await refused(project, `${site.url}/nothing`)).toMatchObject({ kind: "navigation_failed", status: 204 });
    expect(await refused(project, "http://127.0.0.1:9/")).toMatchObject({ kind: "navigation_failed" });
  });

  it.each(["/cut", "/cut-chunked"])("when the line is cut: %s", async (path) => {
    expect(await refused(project, `${site.url}${path}`, "deep/cut.png")).toMatchObject({
      kind: "navigation_failed",
      message: expect.stringContaining("cut off"),
    });
  });

  it("when it is over the limit, whether the server says so before or not", async () => {
    expect(await refused(project, `${site.url}/large`, "--max-megabytes", "2")).toMatchObject({
      kind: "too_large",
      bytes: 3 * MEGABYTE,
      hint: expect.stringContaining("--max-megabytes"),
    });
    expect(await refused(project, `${site.url}/endless`, "deep/endless.bin", "--max-megabytes", "2")).toMatchObject({
      kind: "too_large",
    });
    expect(await refused(project, "--target", "#blob", "--max-megabytes", "1")).toMatchObject({ kind: "too_large" });
  });

  it("when its time is up", async () => {
    const asked = site.requests.length;
    expect(
      await refused(project, `${site.url}/endless`, "deep/late.bin", "--max-megabytes", "10000", "--timeout", "1500"),
    ).toMatchObject({
      kind: "timeout",
      message: expect.stringMatching(/^Waited 1500 ms for the file: \d+ bytes of it have come$/),
    });
    expect(site.requests.slice(asked)).toContain("GET /endless");
  });

  it.each([
    ["/page.png", [], "navigation_failed"],
    ["/lie.png", [], "navigation_failed"],
    ["/page.png", ["pic.png"], "navigation_failed"],
    ["/starts-nothing", ["pic.png"], "blocked_path"],
    ["/red.png", ["red.jpg"], "blocked_path"],
    ["/red.png", ["film.mp4"], "blocked_path"],
    ["/files/report.csv", ["report.png"], "blocked_path"],
  ])("when another kind of file came than was to be: %s %j", async (path, argv, kind) => {
    const refusal = await refused(project, `${site.url}${path}`, ...argv);
    expect(refusal).toMatchObject({
      kind,
      message: expect.stringMatching(/what came is (text\/html|image\/png|text\/csv)/),
    });
  });

  it.each(["/live.m3u8", "/playlist", "/film.mpd"])("when it is a stream: %s", async (path) => {
    expect(await refused(project, `${site.url}${path}`)).toMatchObject({
      kind: "unsupported",
      hint: expect.stringContaining("browse media --videos"),
    });
  });

  it("when it is the stream that an element plays", async () => {
    expect(await refused(project, "--target", "#live")).toMatchObject({ kind: "unsupported", stream: "HLS" });
  });

  it.each([
    [[], "has neither"],
    [["http://x.example", "--target", "#red"], "not both"],
    [["http://x.example", "a", "b"], "Unexpected argument"],
    [["http://x.example", "--max-megabytes", "0"], "--max-megabytes must be at least"],
    [["http://x.example", "--max-megabytes", "many"], "--max-megabytes"],
  ])("when it is asked for by %j", async (argv, reason) => {
    expect(await refused(project, ...argv)).toMatchObject({
      kind: "invalid_params",
      message: expect.stringContaining(reason),
    });
  });

  it("when the element has no file", async () => {
    expect(await refused(project, "--target", "button")).toMatchObject({
      kind: "not_found",
      hint: expect.stringContaining("browse click"),
    });
    expect(await refused(project, "--target", "#nowhere")).toMatchObject({ kind: "not_found" });
    expect(await refused(project, "@e9999")).toMatchObject({ kind: "unknown_ref" });
  });
});

afterEach(() => {
  expect(existsSync(join(project.dir, "deep"))).toBe(false);
});
