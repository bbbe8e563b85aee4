import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({});
  // Another host name makes it another site, whose frames live in a process of their own.
  const other = site.url.replace("127.0.0.1", "localhost");
  site.set(
    "/",
    `<!doctype html><title>Outer</title><button>Same</button><h1>Outer</h1>
    <iframe id="near" name="near" src="/near"></iframe><iframe id="far" src="${other}/far"></iframe>
    <iframe id="twin" src="/twins/near"></iframe>`,
  );
  site.set(
    "/near",
    `<!doctype html><h1>Near</h1><button onclick="top.document.title = 'Near pressed'">Same</button>
    <iframe name="deep" srcdoc="<h1>Deep</h1>"></iframe>`,
  );
  site.set("/twins/near", "<!doctype html><h1>Twin</h1>");
  site.set("/far", "<!doctype html><h1>Far</h1>");
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.run("goto", site.url, "--wait", "load");
});

describe("frame", () => {
  it("tells where selectors are looked up", async () => {
    expect(await project.run("frame")).toBe(`In the main frame: ${site.url}/`);
    expect(await project.run("frame", "#near")).toBe(`In the frame "near" ${site.url}/near`);
    expect(await project.json("frame")).toEqual({ url: `${site.url}/near`, name: "near", main: false });
  });

  it.each([
    ["an element", ["#near"], "Near"],
    ["a name", ["--name", "near"], "Near"],
    ["a frame of another site", ["#far"], "Far"],
    ["a part of the address", ["--url", "/far"], "Far"],
    ["an address with a wildcard", ["--url", "localhost*far"], "Far"],
    ["a frame in a frame", ["--name", "deep"], "Deep"],
  ])("goes into the frame of %s, and out again", async (_what, argv, heading) => {
    await project.run("frame", ...argv);
    expect(await project.run("text", "h1")).toBe(heading);
    expect(await project.run("js", "document.querySelector('h1').textContent")).toBe(heading);
    await project.run("frame", "main");
    expect(await project.run("text", "h1")).toBe("Outer");
  });

  it("is told with what is not here, in words that can be run", async () => {
    const found =
      /^(?:Warning|Hint): In the frame .*\/far it matches (@e\d+) \[heading\] "Far": use @e\d+, or `browse (.*)` first$/m;
    const heading = 'role=heading[name="Far"]';
    for (const argv of [
      ["count", heading],
      ["is", "visible", heading],
      ["is", "hidden", heading],
      ["wait", "--gone", heading],
      ["wait", heading, "--timeout", "1s"],
      ["text", heading],
    ])
      expect((await project.cli(argv)).stderr, argv.join(" ")).toMatch(found);
    const [, ref = "", way = ""] = found.exec((await project.cli(["count", heading])).stderr) ?? [];
    expect(await project.run("text", ref)).toBe("Far");
    await project.run(...way.split(" "));
    expect(await project.cli(["count", heading])).toMatchObject({ stdout: "1\n", stderr: "" });
    expect((await project.cli(["count", 'role=heading[name="Outer"]'])).stderr).toMatch(
      /In the main frame .*`browse frame main` first/,
    );
  });

  it("has nothing to tell of what was here and has gone", async () => {
    await project.run("js", "setTimeout(() => document.querySelector('h1').remove(), 300)");
    expect(await project.cli(["wait", "--gone", "h1"])).toMatchObject({ exitCode: 0, stderr: "" });
  });

  it("goes by a ref, and from one frame into the next", async () => {
    await project.run("frame", await project.ref('[iframe] "near"'));
    await project.run("frame", "iframe");
    expect(await project.run("text", "h1")).toBe("Deep");
  });

  it("decides which of two elements of one name is pressed", async () => {
    await project.run("frame", "#near");
    await project.run("click", "text=Same");
    expect(await project.title()).toBe("Near pressed");
  });

  it("leaves refs of all frames alone", async () => {
    const ref = await project.ref('"Same"', "-i");
    await project.run("frame", "#far");
    expect(await project.run("click", ref)).toContain("Clicked");
  });

  it("is the tab's own", async () => {
    await project.run("frame", "#near");
    await project.run("newtab", site.url);
    expect(await project.run("text", "h1")).toBe("Outer");
    await project.run("closetab");
    expect(await project.run("text", "h1")).toBe("Near");
  });

  it("says so once when the frame has left by itself, and means the main frame then", async () => {
    await project.run("frame", "#near");
    await project.cli(["js", "parent.document.getElementById('near').remove()"]);
    expect(await project.refusal("text", "h1")).toMatchObject({ kind: "frame_gone" });
    expect(await project.run("text", "h1")).toBe("Outer");
  });

  it("is left by whoever sends the tab elsewhere", async () => {
    await project.run("frame", "#near");
    await project.run("reload");
    expect(await project.run("text", "h1")).toBe("Outer");
  });

  it("refuses what is no frame, unknown, ambiguous or said twice, and stays where it was", async () => {
    expect(await project.refusal("frame", "button")).toMatchObject({ kind: "invalid_params" });
    expect((await project.refusal("frame", "--name", "nobody")).hint).toContain("/near");
    expect(await project.refusal("frame", "--url", "/near")).toMatchObject({ kind: "ambiguous" });
    expect(await project.refusal("frame", "#near", "--name", "near")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
    });
    expect(await project.refusal("frame", "--name", "")).toMatchObject({ exitCode: 2 });
    expect(await project.json("frame")).toMatchObject({ main: true });
  });
});
