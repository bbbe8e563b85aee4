/** Media of a page into a folder. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pngOf } from "../../harness/pictures.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { type Page, Site } from "../../harness/site.ts";

const RED = pngOf(40, 30, { noise: true });

const BLUE = pngOf(20, 20, { color: [0, 0, 255] });

/** The beginning of every MP4 (ISO/IEC 14496-12, 4.3), which is all that tells its kind. */
const FILM = Buffer.concat([Buffer.from("\0\0\0\x18ftypisom\0\0\x02\0isomiso2", "latin1"), Buffer.alloc(5_000)]);

const file =
  (body: Buffer, type: string): Page =>
  (_request, response) =>
    response.writeHead(200, { "content-type": type, "content-length": body.length }).end(body);

const GALLERY = `<!doctype html><title>Gallery</title><style>#hero { width:90px; height:50px; background: url("/blue.png") }</style>
  <div id="top"><img src="/red.png" alt="Red"><img src="/red.png" alt="Red again"><img src="/gone.png"></div>
  <div id="hero"></div><img src="/private.png" alt="Private"><img src="/page.png">
  <img src="data:image/png;base64,${BLUE.toString("base64")}" alt="Inline"><img src="http://169.254.169.254/x.png">
  <video src="/film.mp4"></video><video src="/live.m3u8"></video>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": (_request, response) =>
      response
        .writeHead(200, { "content-type": "text/html", "set-cookie": "id=secret; HttpOnly; SameSite=Strict" })
        .end(GALLERY),
    "/plain": "<!doctype html><title>Plain</title><p>Nothing here",
    "/broken": '<!doctype html><img src="/gone.png"><img src="/page.png">',
    "/red.png": file(RED, "image/png"),
    "/blue.png": file(BLUE, "image/png"),
    "/film.mp4": file(FILM, "video/mp4"),
    "/page.png": "<!doctype html><title>Log in</title>",
    "/private.png": (request, response) => {
      const isKnown =
        (request.headers.cookie ?? "").includes("id=secret") && request.headers.referer === `${site.url}/`;
      response.writeHead(isKnown ? 200 : 403, { "content-type": "image/png" }).end(isKnown ? RED : "");
    },
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

interface Scraped {
  dir: string;
  manifest: string;
  saved: number;
  failed: number;
  left: number;
  items: { url: string; file?: string; bytes?: number; type?: string; alt?: string; error?: { kind: string } }[];
}

async function scrape(...argv: string[]): Promise<Scraped> {
  await project.run("goto", site.url, "--wait", "load");
  return (await project.json("scrape", ...argv)) as unknown as Scraped;
}

describe("scrape", () => {
  it("takes each picture once, with cookies and referrer, and names in a manifest what could not be had", async () => {
    const { dir, manifest, saved, failed, left, items } = await scrape("images", "--dir", "shots/pictures");
    expect([dir, manifest]).toEqual([
      join(project.dir, "shots/pictures"),
      join(project.dir, "shots/pictures/manifest.json"),
    ]);
    expect([saved, failed, left]).toEqual([4, 3, 0]);
    expect(items.map(({ file, error }) => file ?? error?.kind)).toEqual([
      "001-red.png",
      "navigation_failed",
      "003-blue.png",
      "004-private.png",
      "navigation_failed",
      "006-data.png",
      "blocked_url",
    ]);
    expect(readdirSync(dir).sort()).toEqual([
      "001-red.png",
      "003-blue.png",
      "004-private.png",
      "006-data.png",
      "manifest.json",
    ]);
    expect(readFileSync(join(dir, "001-red.png"))).toEqual(RED);
    expect(readFileSync(join(dir, "006-data.png"))).toEqual(BLUE);
    expect(items[0]).toMatchObject({
      url: `${site.url}/red.png`,
      bytes: RED.length,
      type: "image/png",
      alt: "Red",
    });
    expect(JSON.parse(readFileSync(manifest, "utf8"))).toEqual({
      url: `${site.url}/`,
      time: expect.any(String),
      items,
    });
  });

  it("takes films, and refuses streams with advice", async () => {
    const { items, dir } = await scrape("videos");
    expect(dir.startsWith(join(project.stateDir, "artifacts/videos-"))).toBe(true);
    expect(items).toEqual([
      expect.objectContaining({ file: "001-film.mp4", type: "video/mp4", bytes: FILM.length }),
      expect.objectContaining({
        error: expect.objectContaining({ kind: "unsupported", hint: expect.stringContaining("browse record") }),
      }),
    ]);
  });

  it("takes all media, within a limit and an element", async () => {
    const { items, left } = await scrape("media", "--limit", "1");
    expect([items.length, left]).toEqual([1, 8]);
    const inside = await scrape("media", "--selector", "#hero");
    expect(inside.items.map(({ file }) => file)).toEqual(["001-blue.png"]);
    expect(await project.run("scrape", "media", "--limit", "1")).toContain(
      "8 more on the page: allow them with --limit",
    );
  });

  it("stops taking when the files together are over the limit", async () => {
    const { items } = await scrape("images", "--max-megabytes", String((RED.length + 500) / 1_000_000));
    expect(items.map(({ file, error }) => file ?? error?.kind).slice(0, 4)).toEqual([
      "001-red.png",
      "navigation_failed",
      "003-blue.png",
      "too_large",
    ]);
    const refusal = await project.refusal("scrape", "videos", "--dir", "films", "--max-megabytes", "0.001");
    expect(refusal).toMatchObject({ kind: "navigation_failed", message: expect.stringContaining("over the limit") });
    expect(existsSync(join(project.dir, "films"))).toBe(false);
  });

  it("leaves nothing when there is nothing, or nothing can be had", async () => {
    await project.run("goto", `${site.url}/plain`);
    expect(await project.refusal("scrape", "images", "--dir", "none")).toMatchObject({ kind: "not_found" });
    await project.run("goto", `${site.url}/broken`);
    expect(await project.refusal("scrape", "images", "--dir", "none")).toMatchObject({
      kind: "navigation_failed",
      failures: [expect.objectContaining({ kind: "navigation_failed" }), expect.anything()],
    });
    expect(existsSync(join(project.dir, "none"))).toBe(false);
  });

  it("refuses a folder that holds another's file of the same name, and takes back what it has written", async () => {
    await scrape("images", "--dir", "mixed", "--limit", "1");
    writeFileSync(join(project.dir, "mixed/003-blue.png"), "mine");
    expect(await project.refusal("scrape", "images", "--dir", "mixed")).toMatchObject({ kind: "blocked_path" });
    expect(readFileSync(join(project.dir, "mixed/003-blue.png"), "utf8")).toBe("mine");
    expect(readdirSync(join(project.dir, "mixed")).sort()).toEqual(["003-blue.png", "manifest.json"]);
    writeFileSync(join(project.dir, "mixed/manifest.json"), "mine");
    expect(await project.refusal("scrape", "images", "--dir", "mixed")).toMatchObject({ kind: "blocked_path" });
    expect(readFileSync(join(project.dir, "mixed/manifest.json"), "utf8")).toBe("mine");
  });

  it.each([
    [[], "Missing <what>"],
    [["sounds"], "images, videos, media"],
    [["images", "--limit", "0"], "--limit must be at least 1"],
    [["images", "--dir", ""], "--dir must not be empty"],
  ])("refuses %j", async (argv, reason) => {
    expect(await project.refusal("scrape", ...argv)).toMatchObject({
      kind: "invalid_params",
      message: expect.stringContaining(reason),
    });
  });
});
