import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pictureHeader } from "../../harness/picture.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

/** Remembers what the page's first script saw. */
const PAGE = `<!doctype html><meta name="viewport" content="width=device-width"><title>Home</title>
<script>var first = { ratio: devicePixelRatio }</script>
<button onclick="this.textContent = 'Pressed'">Press</button><input id="typed">`;

let site: Site;
let project: Project;

/** That the last request for the page came with. */
let headers: IncomingHttpHeaders;

beforeAll(async () => {
  site = await Site.serve({
    "/": (request, response) => {
      headers = request.headers;
      response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    },
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

afterEach(async () => {
  await project.run("viewport", "--reset");
});

async function js(code: string, ...flags: string[]): Promise<unknown> {
  return (await project.json("js", code, ...flags)).value;
}

describe("viewport", () => {
  it("tells and sets its size", async () => {
    expect(await project.run("viewport")).toBe("1280x720");
    expect(await project.run("viewport", "800x600")).toBe("800x600");
    expect(await project.run("js", "[innerWidth, innerHeight].join('x')")).toBe("800x600");
  });

  it.each(["800", "0x100", "wide", "99999x1"])("refuses the size %s", async (size) => {
    const refusal = await project.refusal("viewport", size);
    expect(refusal).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });

  it("at scale 2 doubles the pixels of a page that stays as it is", async () => {
    await project.run("fill", "#typed", "half a letter");
    const ref = await project.ref('"Press"', "-i");
    expect(await project.run("viewport", "--scale", "2")).toBe("1280x720 at scale 2");
    expect(await js("[devicePixelRatio, innerWidth, first.ratio]")).toEqual([2, 1280, 1]);
    expect(await project.run("value", "#typed")).toBe("half a letter");
    expect(await project.run("click", ref)).toContain("Clicked");
    const { path, width, height, scale } = await project.json("screenshot", "--viewport", "--max-side", "4000");
    expect({ width, height, scale }).toEqual({ width: 2560, height: 1440, scale: 1 });
    expect(pictureHeader(readFileSync(String(path)))).toMatchObject({ width: 2560, height: 1440 });
  });

  it("keeps a picture of a scaled screen under the cap, and says so", async () => {
    await project.run("viewport", "--scale", "2");
    expect(await project.run("screenshot", "--viewport")).toContain("(2000x1125, scaled to 78 %)");
    expect(await js("devicePixelRatio")).toBe(2);
  });

  it("keeps its scale over sizes, sites, pictures and tabs", async () => {
    await project.run("viewport", "--scale", "3");
    expect(await project.run("viewport", "800x600")).toBe("800x600 at scale 3");
    await project.run("goto", `${site.url.replace("127.0.0.1", "localhost")}/`);
    expect(await js("first")).toMatchObject({ ratio: 3 });
    expect(await js("innerWidth")).toBe(800);
    await project.run("newtab", site.url);
    expect(await js("first")).toMatchObject({ ratio: 3 });
    await project.run("closetab");
  });

  it("keeps the size of a screen that is plain again over pictures", async () => {
    await project.run("viewport", "800x600", "--scale", "2");
    await project.run("viewport", "1280x720", "--scale", "1");
    await project.run("screenshot");
    expect(await js("innerWidth")).toBe(1280);
  });

  it("takes a device's size, scale, touch, layout and user agent", async () => {
    expect(await project.run("viewport", "--device", "iphone 15")).toBe("393x659 at scale 3 as iPhone 15");
    await project.run("reload");
    expect(await js("[devicePixelRatio, innerWidth, screen.height, navigator.maxTouchPoints]")).toEqual([
      3, 393, 852, 5,
    ]);
    expect(await js("matchMedia('(pointer: coarse)').matches")).toBe(true);
    expect(headers["user-agent"]).toContain("iPhone");
    expect(await project.run("click", "text=Press")).toContain("Clicked");
    expect(await project.run("viewport", "--reset")).toBe("1280x720");
    expect(await js("[devicePixelRatio, innerWidth, navigator.maxTouchPoints]")).toEqual([1, 1280, 0]);
    expect(await project.run("useragent")).not.toContain("iPhone");
  });

  it("names devices that are alike", async () => {
    const refusal = await project.refusal("viewport", "--device", "iPhone 150");
    expect(refusal).toMatchObject({ kind: "invalid_params", flag: "--device", exitCode: 2 });
    expect(refusal.hint).toContain("iPhone 15");
  });

  it.each([
    [["--scale", "4"], "--scale"],
    [["--scale", "0.5"], "--scale"],
    [["--scale", "big"], "--scale"],
    [["800x600", "--device", "iPhone 15"], "not both"],
    [["--reset", "--scale", "2"], "--reset"],
  ])("refuses %j", async (argv, named) => {
    const refusal = await project.refusal("viewport", ...argv);
    expect(refusal).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(refusal.message).toContain(named);
    expect(await project.run("viewport")).toBe("1280x720");
  });
});
