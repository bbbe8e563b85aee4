import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PictureHeader, pictureHeader } from "../../harness/picture.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Picture</title><style>body { margin: 0 }</style>
      <div id="box" style="width:300px;height:120px;background:rgb(255,0,0)">Box</div>
      <button>Press</button>
      <div style="height:1500px"></div><div id="low" style="width:50px;height:40px;background:blue"></div>`,
    "/tall": "<!doctype html><title>Tall</title><style>body { margin: 0 }</style><div style='height:6000px'>Tall</div>",
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.run("goto", site.url);
});

function header(path: string): PictureHeader {
  return pictureHeader(readFileSync(path));
}

describe("screenshot", () => {
  it("goes to the artifacts when no path is given, never to the caller's folder", async () => {
    const before = readdirSync(project.dir);
    const { path, width, height, bytes, scale } = await project.json("screenshot");
    expect(String(path).startsWith(join(project.stateDir, "artifacts"))).toBe(true);
    expect(header(String(path))).toEqual({ format: "png", width, height });
    expect(readFileSync(String(path)).length).toBe(bytes);
    expect(scale).toBe(1);
    expect(readdirSync(project.dir)).toEqual(before);
  });

  it("takes the whole page, what is in view, an element by selector or ref, or an area", async () => {
    const sizeOf = async (...argv: string[]) => {
      const { path } = await project.json("screenshot", ...argv);
      const { width, height } = header(String(path));
      return [width, height];
    };
    const [width, height] = await sizeOf();
    expect(width).toBe(1280);
    expect(height).toBeGreaterThan(1600);
    expect(await sizeOf("--viewport")).toEqual([1280, 720]);
    expect(await sizeOf("#box")).toEqual([300, 120]);
    expect(await sizeOf("#low")).toEqual([50, 40]);
    expect(await sizeOf("--clip", "10,20,200,100")).toEqual([200, 100]);
    const button = await sizeOf(await project.ref('"Press"', "-i"));
    expect(button[0]).toBeLessThan(200);
  });

  it("shows what is there: an element's own pixels", async () => {
    const { base64 } = await project.json("screenshot", "#box", "--base64");
    await project.run("goto", `${site.url}/tall`);
    const code = `const picture = new Image();
      picture.src = "data:image/png;base64,${base64}";
      await picture.decode();
      const canvas = new OffscreenCanvas(300, 120).getContext("2d");
      canvas.drawImage(picture, 0, 0);
      [...canvas.getImageData(250, 100, 1, 1).data].join()`;
    expect(await project.run("js", code)).toBe("255,0,0,255");
  });

  it("gives the data itself with --base64, and writes nothing", async () => {
    const artifacts = join(project.stateDir, "artifacts");
    const before = readdirSync(artifacts).length;
    const text = await project.run("screenshot", "#box", "--base64");
    expect(pictureHeader(Buffer.from(text, "base64"))).toEqual({ format: "png", width: 300, height: 120 });
    expect(readdirSync(artifacts).length).toBe(before);
  });

  it("takes an element whose selector ends like a file name by --selector", async () => {
    await project.run("js", "box.className = 'a png'");
    const { width, height } = await project.json("screenshot", "--selector", ".a.png");
    expect([width, height]).toEqual([300, 120]);
  });

  it("says with --base64 too that it was scaled down, beside the data", async () => {
    await project.run("goto", `${site.url}/tall`);
    const { stdout, stderr } = await project.cli(["screenshot", "--base64"]);
    expect(pictureHeader(Buffer.from(stdout, "base64"))).toMatchObject({ width: 427, height: 2000 });
    expect(stderr).toContain("scaled to 33 %; --max-side allows more");
  });

  it("gives the data whole or not at all", async () => {
    const refusal = await project.refusal("screenshot", "--base64", "--max-chars", "100");
    expect(refusal).toMatchObject({ kind: "too_large", hint: expect.stringContaining("--out") });
    const { stdout, stderr } = await project.cli(["screenshot", "--base64", "--max-chars", "100"]);
    expect([stdout, stderr]).toEqual(["", expect.stringContaining("over the 100 allowed")]);
  });

  it("has the pixels of a screen that has more than CSS counts, within the limit", async () => {
    await project.run("viewport", "--scale", "2");
    expect(await project.json("screenshot", "--clip", "0,0,300,120")).toMatchObject({
      width: 600,
      height: 240,
      scale: 1,
    });
    const { path, ...size } = await project.json("screenshot", "--viewport");
    expect(size).toMatchObject({ width: 2000, height: 1125 });
    expect(header(String(path))).toMatchObject({ width: 2000, height: 1125 });
    expect(size.scale).toBeCloseTo(2000 / 2560);
    await project.run("viewport", "--scale", "1");
  });

  it.each(["png", "jpeg", "webp"])("is %s when asked for", async (format) => {
    const { path } = await project.json("screenshot", "--viewport", "--format", format);
    expect(header(String(path))).toEqual({ format, width: 1280, height: 720 });
    const named = `named.${format === "jpeg" ? "jpg" : format}`;
    await project.run("screenshot", "#box", named);
    expect(header(join(project.dir, named))).toEqual({ format, width: 300, height: 120 });
  });

  it("is scaled down to 2000 pixels, and says so; another limit may be given", async () => {
    await project.run("goto", `${site.url}/tall`);
    expect(await project.run("screenshot", "tall.png")).toBe(
      `Wrote ${join(project.dir, "tall.png")} (427x2000, scaled to 33 %)`,
    );
    expect(header(join(project.dir, "tall.png"))).toMatchObject({ width: 427, height: 2000 });
    await project.run("screenshot", "full.png", "--max-side", "8000");
    expect(header(join(project.dir, "full.png"))).toMatchObject({ width: 1280, height: 6000 });
    await project.run("screenshot", "small.png", "--viewport", "--max-side=640");
    expect(header(join(project.dir, "small.png"))).toMatchObject({ width: 640, height: 360 });
  });

  it("leaves the page where it was scrolled to", async () => {
    await project.run("goto", `${site.url}/tall`);
    await project.run("scroll", "--by", "777");
    await project.run("screenshot");
    await project.run("screenshot", "--viewport");
    expect(await project.run("js", "scrollY")).toBe("777");
  });

  it("takes ./a.png for a path, in any order with an element", async () => {
    await project.run("screenshot", "./a.png");
    expect(header(join(project.dir, "a.png")).width).toBe(1280);
    await project.run("screenshot", "sub/b.png", "#box");
    expect(header(join(project.dir, "sub/b.png")).width).toBe(300);
  });

  it.each([
    [["#box", "--viewport"], "takes <target> or --viewport, not both"],
    [["--viewport", "--clip", "0,0,9,9"], "takes --viewport or --clip, not both"],
    [["--selector", "#box", "--clip", "0,0,9,9"], "takes --selector or --clip, not both"],
    [["#box", "--selector", "#low"], "takes <target> or --selector, not both"],
    [["x.png", "--base64"], "or --base64, not both"],
    [["x.png", "y.png"], "takes one path"],
    [["#box", "#low"], "takes one target"],
    [["x.png", "--format", "jpeg"], "does not fit the file name"],
    [["--clip", "0,0,0,9"], "is an empty area"],
    [["--clip", "1,2,3"], "--clip must be x,y,width,height"],
    [["--clip", "-1,0,5,5"], "--clip"],
    [["--format", "gif"], "png, jpeg, webp"],
    [["--max-side", "1"], "--max-side must be at least 16"],
    [["--max-side", "big"], "--max-side"],
  ])("refuses %j", async (argv, reason) => {
    const refusal = await project.refusal("screenshot", ...argv);
    expect(refusal).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(refusal.message).toContain(reason);
  });

  it("refuses an element that is hidden or nowhere", async () => {
    expect(await project.refusal("screenshot", "#nowhere")).toMatchObject({ kind: "not_found" });
    await project.run("js", "box.style.display = 'none'");
    expect(await project.refusal("screenshot", "#box")).toMatchObject({ kind: "not_visible" });
    expect(await project.refusal("screenshot", "--clip", "99999,99999,10,10")).toMatchObject({
      kind: "not_visible",
      message: expect.stringMatching(/lies outside the page, which is 1280x\d+$/),
    });
  });
});

describe("a screenshot's path", () => {
  it.each(["x.txt", "shot.gif", "./x.txt", "/tmp/x"])("has to end like a picture, which %s does not", async (path) => {
    const hint = "Give it a name that ends in .png or .jpg or .jpeg or .webp";
    expect(await project.refusal("screenshot", path)).toMatchObject({ kind: "invalid_params", hint });
  });

  it.each(["/etc/browse.png", "../../outside.png", "a.pdf", "source.ts.png/", ".browse/daemon.json.png"])(
    "is refused as %s",
    async (path) => {
      const refusal = await project.refusal("screenshot", "--viewport", "--", path);
      expect(["blocked_path", "not_found", "invalid_params"]).toContain(refusal.kind);
      expect(existsSync(join(project.dir, path))).toBe(false);
    },
  );

  it("is refused when another's file is there, unless --force is given", async () => {
    writeFileSync(join(project.dir, "theirs.png"), "mine");
    const refusal = await project.refusal("screenshot", "theirs.png");
    expect(refusal).toMatchObject({ kind: "blocked_path", exitCode: 4, hint: expect.stringContaining("--force") });
    expect(readFileSync(join(project.dir, "theirs.png"), "utf8")).toBe("mine");
    await project.run("screenshot", "#box", "theirs.png", "--force");
    await project.run("screenshot", "#low", "theirs.png");
    expect(header(join(project.dir, "theirs.png"))).toMatchObject({ width: 50 });
  });

  it("does not lead through a link to another kind of file", async () => {
    writeFileSync(join(project.dir, "code.ts"), "mine");
    symlinkSync(join(project.dir, "code.ts"), join(project.dir, "link.png"));
    expect(await project.refusal("screenshot", "link.png", "--force")).toMatchObject({ kind: "blocked_path" });
    expect(readFileSync(join(project.dir, "code.ts"), "utf8")).toBe("mine");
  });
});
