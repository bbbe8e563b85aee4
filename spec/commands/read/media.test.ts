import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pngOf } from "../../harness/pictures.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { type Page, Site } from "../../harness/site.ts";
import { show } from "./shown.ts";

const RED = pngOf(40, 30);

const picture: Page = (_request, response) =>
  response.writeHead(200, { "content-type": "image/png", "content-length": RED.length }).end(RED);

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/red.png": picture, "/big.png": picture, "/bg.png": picture });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("media", () => {
  const GALLERY = `<!doctype html><title>Gallery</title><style>#hero { width:200px; height:50px; background-image: url("/bg.png") }</style>
    <img id="plain" src="/red.png" alt="Red &quot;thing&quot;" srcset="/red.png 1x, /big.png 2x, /huge.png 3x">
    <img id="lazy" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/later.png" alt="">
    <img id="far" loading="lazy" src="/far.png" style="margin-top:5000px">
    <div id="hero"></div><img src="/red.png" style="display:none" id="gone">
    <video id="video" width="160" height="90" poster="/red.png"><source src="/a.mp4" type="video/mp4"><source src="/a.webm" type="video/webm"></video>
    <video id="hls" src="/live/stream.m3u8?x=1"></video><video id="dash"><source src="/m" type="application/dash+xml"></video><video id="mpd" src="/film.mpd#t=1"></video>
    <audio id="song" src="/song.mp3" preload="none" aria-label="Song"></audio>
    <svg width="10" height="10"><image href="/red.png" width="10" height="10"></image></svg>
    <div id="host"></div><iframe src="/inner"></iframe>
    <script>host.attachShadow({ mode: "open" }).innerHTML = '<img src="/red.png" alt="In the shadow">';</script>`;

  async function all(...argv: string[]): Promise<Record<string, unknown>[]> {
    return (await project.json("media", ...argv)).media as Record<string, unknown>[];
  }

  it("lists pictures with size, type and alternative text, backgrounds, posters, shadow roots and frames", async () => {
    site.set("/inner", '<!doctype html><img src="/red.png" alt="In the frame">');
    await show(project, site, GALLERY);
    const found = await all();
    const plain = found.find(({ alt }) => alt === 'Red "thing"');
    expect(plain).toMatchObject({ kind: "image", as: "element", url: `${site.url}/red.png`, width: 40, height: 30 });
    expect(plain).toMatchObject({ type: "image/png", bytes: RED.length, isVisible: true });
    // The largest first.
    expect(plain?.sources).toEqual([
      { url: `${site.url}/huge.png`, for: "3x" },
      { url: `${site.url}/big.png`, for: "2x" },
    ]);
    expect(found).toContainEqual(expect.objectContaining({ as: "background", url: `${site.url}/bg.png` }));
    expect(found).toContainEqual(expect.objectContaining({ as: "poster", url: `${site.url}/red.png` }));
    expect(found).toContainEqual(expect.objectContaining({ alt: "In the shadow" }));
    expect(found).toContainEqual(expect.objectContaining({ alt: "In the frame", frame: `${site.url}/inner` }));
    const hidden = found.filter(({ isVisible, isLazy }) => !isVisible && !isLazy);
    expect(hidden.map(({ url }) => url)).toEqual([`${site.url}/red.png`]);
  });

  it("gives the address that a lazy picture waits for, not its placeholder", async () => {
    await show(project, site, GALLERY);
    const lazy = (await all()).filter(({ isLazy }) => isLazy);
    expect(lazy.map(({ url }) => url)).toEqual([
      `${site.url}/later.png`,
      `${site.url}/far.png`,
      `${site.url}/song.mp3`,
    ]);
    expect(lazy[0]).not.toHaveProperty("width");
  });

  it("marks HLS and DASH, which are no files", async () => {
    await show(project, site, GALLERY);
    const videos = await all("--videos");
    expect(videos.map(({ stream }) => stream)).toEqual([undefined, "hls", "dash", "dash"]);
    expect(await project.run("media", "--videos")).toContain("stream: HLS");
  });

  it("is narrowed by kind and by element; flags add up", async () => {
    await show(project, site, GALLERY);
    expect((await all("--audio")).map(({ alt }) => alt)).toEqual(["Song"]);
    expect(new Set((await all("--audio", "--videos")).map(({ kind }) => kind))).toEqual(new Set(["audio", "video"]));
    expect(await all("#hero")).toHaveLength(1);
    expect(await all("#hero", "--videos")).toEqual([]);
    expect(await project.run("media", "#hero", "--videos")).toBe("No media");
    expect(await project.refusal("media", "#nowhere")).toMatchObject({ kind: "not_found" });
  });

  it("has nothing to tell of a page without any", async () => {
    await show(project, site, "<!doctype html><title>Bare</title>");
    expect(await project.run("media")).toBe("No media");
  });
});
