/** Pictures of a page as it is meant to look, and at several widths: what they show, and that the page is as before. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pictureHeader } from "../../harness/picture.ts";
import { pngOf } from "../../harness/pictures.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { type Page, Site } from "../../harness/site.ts";

const GREEN = pngOf(60, 60, { color: [0, 200, 0] });

const picture: Page = (_request, response) => response.writeHead(200, { "content-type": "image/png" }).end(GREEN);

/** A bar for consent, a chat bubble, a dialog, a head that sticks, and a picture that only comes when it is in view. */
const SHOP = `<!doctype html><html style="overflow:hidden"><title>Shop</title><style>body { margin: 0; background: white }</style>
  <header style="position:fixed;top:0;left:0;width:100%;height:50px;background:rgb(0,0,255)">Head</header>
  <div style="height:2400px;padding-top:50px">Content</div>
  <div id="later" style="height:60px;width:60px;background:rgb(200,200,200)"></div>
  <div id="cookie-bar" style="position:fixed;bottom:0;width:100%;height:100px;background:rgb(255,0,0)">Cookies?</div>
  <aside class="chat" style="position:fixed;right:0;bottom:200px;width:80px;height:80px;background:rgb(255,0,255)">Chat</aside>
  <p id="note" style="color: black">Note</p>
  <script>
    new IntersectionObserver(([entry], observer) => {
      if (!entry.isIntersecting) return;
      observer.disconnect();
      later.innerHTML = '<img src="/green.png" style="display:block">';
    }).observe(later);
  </script>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": SHOP,
    "/green.png": picture,
    // A picture that never comes.
    "/stuck": SHOP.replace("<p id", '<img src="/never.png"><p id'),
    "/never.png": () => undefined,
    "/plain": "<!doctype html><title>Plain</title><p>Plain",
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function open(path = "/"): Promise<void> {
  await project.run("goto", `${site.url}${path}`, "--wait", "load");
}

/** The color at a place of a PNG. */
function colorAt(path: string, x: number, y: number): number[] {
  const { data, width } = PNG.sync.read(readFileSync(path));
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
}

const styles = "[...document.querySelectorAll('[style]:not(img)')].map((e) => e.tagName + e.style.cssText).join()";

describe("prettyscreenshot", () => {
  it("shows the whole page with its lazy parts, without what lies over it", async () => {
    await open();
    const { path, width, height, hidden } = await project.json("prettyscreenshot", "pretty.png", "--max-side", "8000");
    expect(path).toBe(join(project.dir, "pretty.png"));
    expect(pictureHeader(readFileSync(String(path)))).toEqual({ format: "png", width, height });
    expect(width).toBe(1280);
    expect(height).toBeGreaterThan(2_500);
    expect(hidden).toEqual(['div "Cookies?"', 'aside "Chat"']);
    expect(colorAt(String(path), 30, 2_480)).toEqual([0, 200, 0]);
    expect(colorAt(String(path), 1_200, 10)).toEqual([0, 0, 255]);
    for (const y of [600, 700, 1_500, Number(height) - 20]) {
      expect(colorAt(String(path), 1_270, y)).not.toEqual([255, 0, 0]);
      expect(colorAt(String(path), 1_270, y)).not.toEqual([255, 0, 255]);
    }
  });

  it("leaves the page as it was: styles, scrolling, viewport", async () => {
    await open();
    await project.run("js", "document.documentElement.style.overflow = ''; scrollTo(0, 400)");
    const before = await project.run("js", styles);
    await project.run("prettyscreenshot", "--width", "500");
    expect(await project.run("js", styles)).toBe(before);
    expect(await project.run("js", "scrollY + ' ' + innerWidth")).toBe("400 1280");
    expect(await project.run("viewport")).toBe("1280x720");
  });

  it("hides what it is told to, and nothing when that is nowhere", async () => {
    await open();
    const { hidden } = await project.json("prettyscreenshot", "--hide", "#note", "--hide", "header");
    expect(hidden).toEqual(['p "Note"', 'header "Head"', 'div "Cookies?"', 'aside "Chat"']);
    const before = await project.run("js", styles);
    expect(await project.refusal("prettyscreenshot", "--hide", "#nowhere")).toMatchObject({ kind: "not_found" });
    expect(await project.run("js", styles)).toBe(before);
  });

  it("is taken at another width, in another format, within the limit for vision models", async () => {
    await open();
    const { path, width, height, scale } = await project.json("prettyscreenshot", "narrow.webp", "--width", "500");
    expect(pictureHeader(readFileSync(String(path)))).toEqual({ format: "webp", width, height });
    expect(height).toBe(2_000);
    expect(scale).toBeLessThan(1);
    expect(await project.run("prettyscreenshot", "narrow.webp")).toMatch(
      /scaled to \d+ %\); hid div "Cookies\?", aside "Chat"/,
    );
  });

  it("puts everything back when it fails", async () => {
    await project.run("goto", `${site.url}/stuck`);
    const before = await project.run("js", styles);
    expect(await project.refusal("prettyscreenshot", "--width", "500", "--timeout", "1000")).toMatchObject({
      kind: "timeout",
    });
    expect(await project.run("js", styles)).toBe(before);
    expect(await project.run("viewport")).toBe("1280x720");
  });

  it.each([
    [["--width", "10"], "--width must be at least 200"],
    [["--format", "gif"], "png, jpeg, webp"],
    [["a.png", "--format", "webp"], "does not fit the file name"],
    [["a.png", "b.png"], "Unexpected argument"],
  ])("refuses %j", async (argv, reason) => {
    const refusal = await project.refusal("prettyscreenshot", ...argv);
    expect(refusal).toMatchObject({ kind: "invalid_params", message: expect.stringContaining(reason) });
  });
});

describe("responsive", () => {
  it("writes three files, at the widths of a phone, a tablet and a desktop", async () => {
    await open();
    const { images: pictures } = (await project.json("responsive", "shots/home")) as {
      images: Record<string, unknown>[];
    };
    expect(pictures.map(({ path }) => path)).toEqual(
      ["mobile", "tablet", "desktop"].map((screen) => join(project.dir, `shots/home-${screen}.png`)),
    );
    const sizes = pictures.map(({ path }) => pictureHeader(readFileSync(String(path))));
    expect(sizes).toEqual(pictures.map(({ width, height }) => ({ format: "png", width, height })));
    expect(pictures.map(({ viewport }) => viewport)).toEqual([
      { width: 375, height: 812 },
      { width: 768, height: 1_024 },
      { width: 1_280, height: 720 },
    ]);
  });

  it("puts the viewport back, and the page to where it was scrolled", async () => {
    await open();
    await project.run("viewport", "900x500");
    // On a wider screen the page is too short to be scrolled.
    const narrow = "@media (min-width: 1000px) { div { height: 10px !important } }";
    await project.run("js", `document.querySelector("style").append(${JSON.stringify(narrow)})`);
    await project.run("js", "document.documentElement.style.overflow = ''; scrollTo(0, 300)");
    await project.run("responsive");
    expect(await project.run("viewport")).toBe("900x500");
    expect(await project.run("js", "scrollY + ' ' + innerWidth")).toBe("300 900");
    await project.run("viewport", "1280x720");
  });

  it("puts the viewport back when it fails, and leaves no file", async () => {
    await project.run("goto", `${site.url}/stuck`);
    expect(await project.refusal("responsive", "late", "--timeout", "1000")).toMatchObject({ kind: "timeout" });
    expect(await project.run("viewport")).toBe("1280x720");
    expect(readdirSync(project.dir).filter((name) => name.startsWith("late"))).toEqual([]);
  });

  it("refuses before the first picture when one of the three names is taken", async () => {
    // Pictures of this page would take longer than there is time.
    await project.run("goto", `${site.url}/stuck`);
    writeFileSync(join(project.dir, "taken-desktop.png"), "mine");
    expect(await project.refusal("responsive", "taken", "--timeout", "1000")).toMatchObject({ kind: "blocked_path" });
    await open("/plain");
    expect(existsSync(join(project.dir, "taken-mobile.png"))).toBe(false);
    expect(readFileSync(join(project.dir, "taken-desktop.png"), "utf8")).toBe("mine");
    await project.run("responsive", "taken", "--force");
    expect(pictureHeader(readFileSync(join(project.dir, "taken-desktop.png"))).format).toBe("png");
  });

  it.each([
    [["/etc/browse"], "blocked_path"],
    [[""], "invalid_params"],
    [["a", "--max-side", "3"], "invalid_params"],
    [["a", "--format", "webp"], "invalid_params"],
  ])("refuses %j", async (argv, kind) => {
    expect(await project.refusal("responsive", ...argv)).toMatchObject({ kind });
  });
});
