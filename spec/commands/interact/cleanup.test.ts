import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const TEXT = "Lamps give light. They stand on tables, hang from ceilings, or lie forgotten in drawers. ".repeat(20);

const PAGE = `<!doctype html><title>News</title><style>
  .bar { position: fixed; bottom: 0; left: 0; right: 0; background: white }
  .top { position: sticky; top: 0 } #head { position: fixed; top: 0 }
  .veil { position: fixed; inset: 0; background: #0008; z-index: 9 }
  #chat { position: fixed; right: 0; bottom: 60px }
</style><body style="overflow: hidden;">
<header id="head"><nav><a href="/">Home</a> <a href="/cookies">Cookies</a></nav></header>
<div class="top" id="tools">Tools</div>
<main id="story"><h1>Lamps</h1><p>${TEXT}</p>
  <div class="ad-slot ad" id="ad" style="display: block; color: red;">Buy now</div>
  <ins class="adsbygoogle" id="google">Sponsored</ins>
  <div class="share-buttons" id="share"><button>Post it</button></div>
  <div class="download adapter header" id="innocent">Download the adapter</div>
</main>
<div class="bar" id="consent"><p>We use cookies to make this site better for you and our partners.</p><button onclick="window.accepted = true">Accept</button></div>
<div class="veil" id="veil"><div id="newsletter">Subscribe to our newsletter</div></div>
<div id="chat">Chat</div></body>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": PAGE,
    "/app": `<!doctype html><title>App</title><div id="root" class="ad consent-banner" style="position: fixed; inset: 0"><main><h1>App</h1><p>${TEXT}</p></main></div>`,
    "/login": `<!doctype html><title>Login</title><p>${TEXT}</p><div role="dialog" aria-modal="true" id="login" style="position: fixed; inset: 0">
      <label>Password <input type="password"></label></div>`,
    "/modal": `<!doctype html><title>Modal</title><p>${TEXT}</p><button id="behind" onclick="document.title = 'Pressed'">Behind</button>
      <dialog id="dialog">Subscribe <button>Yes</button></dialog><script>document.getElementById("dialog").showModal()</script>`,
    "/cookies": `<!doctype html><title>Cookies</title><div class="cookie-list"><h1>Our cookies</h1><p>${TEXT}</p></div>`,
    "/plain": "<!doctype html><title>Plain</title><main><p>Text</p></main>",
    "/trap": `<!doctype html><title>Trap</title><main><p>${TEXT}</p></main><form class="ad" id="form"><input name="style"><input name="children"></form>`,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function js(code: string): Promise<unknown> {
  return (await project.json("js", code)).value;
}

const shown = (...ids: string[]) =>
  js(`Object.fromEntries(${JSON.stringify(ids)}.map((id) => [id, document.getElementById(id).checkVisibility()]))`);

const ALL = ["head", "tools", "story", "ad", "google", "share", "innocent", "consent", "veil", "chat"];

describe("cleanup", () => {
  it("hides what is in the way, says what, and leaves what people came for", async () => {
    await project.run("goto", site.url);
    const said = await project.run("cleanup");
    expect(await shown(...ALL)).toEqual({
      head: true,
      tools: true,
      story: true,
      ad: false,
      google: false,
      share: false,
      innocent: true,
      consent: false,
      veil: false,
      chat: false,
    });
    for (const part of [
      "hidden ads:",
      "hidden cookies:",
      "We use cookies",
      "hidden overlays:",
      "hidden social:",
      "hidden sticky:",
      "unpinned sticky:",
      "unlocked overlays:",
    ]) {
      expect(said).toContain(part);
    }
    expect(
      await js(
        "[getComputedStyle(document.body).overflowY, getComputedStyle(document.getElementById('tools')).position]",
      ),
    ).toEqual(["auto", "static"]);
    // Nothing was agreed to on the way.
    expect(await js("window.accepted === undefined")).toBe(true);
  });

  it("gives everything back as it was", async () => {
    await project.run("goto", site.url);
    // This one is loosened first, and hidden then.
    await js("document.getElementById('tools').classList.add('ads')");
    const before = await js("document.body.outerHTML");
    await project.run("cleanup", "--sticky");
    await project.run("cleanup", "--ads");
    await project.run("cleanup");
    expect(await js("document.body.outerHTML")).not.toBe(before);
    expect(await project.run("cleanup", "--undo")).toMatch(/^Undid \d+ changes/);
    expect(await js("document.body.outerHTML")).toBe(before);
    expect(await project.run("cleanup", "--undo")).toContain("Nothing was hidden");
  });

  it("leaves alone what the page has set anew in the meantime", async () => {
    await project.run("goto", site.url);
    await project.run("cleanup", "--ads");
    await js("document.getElementById('ad').style.setProperty('display', 'flex', 'important')");
    await project.run("cleanup", "--undo");
    expect(await js("document.getElementById('ad').style.display")).toBe("flex");
    expect(await js("document.getElementById('google').style.display")).toBe("");
  });

  it.each([
    ["--ads", ["ad", "google"]],
    ["--cookies", ["consent"]],
    ["--overlays", ["veil"]],
    ["--social", ["share"]],
    ["--sticky", ["consent", "veil", "chat"]],
  ])("%s hides only %j", async (flag, hidden) => {
    await project.run("goto", site.url);
    await project.run("cleanup", flag);
    const now = (await shown(...ALL)) as Record<string, boolean>;
    expect(ALL.filter((id) => !now[id])).toEqual(ALL.filter((id) => hidden.includes(id)));
  });

  it.each([
    ["an application that lies over the page and is called a banner", "/app", "root"],
    ["a dialog that asks for a password", "/login", "login"],
    ["a page about cookies", "/cookies", ""],
  ])("leaves %s alone", async (_what, path, id) => {
    await project.run("goto", `${site.url}${path}`);
    const before = await js("document.body.outerHTML");
    const { cleared, kept } = await project.json("cleanup");
    expect(cleared).toEqual([]);
    expect(await js("document.body.outerHTML")).toBe(before);
    if (id) expect(Number(kept)).toBeGreaterThan(0);
  });

  it("closes a modal dialog, so that what is behind it can be pressed, and opens it again", async () => {
    await project.run("goto", `${site.url}/modal`);
    await project.run("cleanup");
    expect(await project.run("click", "#behind")).toContain("Clicked");
    expect(await project.title()).toBe("Pressed");
    await project.run("cleanup", "--undo");
    expect(await js("document.getElementById('dialog').matches(':modal')")).toBe(true);
  });

  it("gives refs of what it hid", async () => {
    await project.run("goto", site.url);
    const { cleared } = (await project.json("cleanup", "--cookies")) as { cleared: { ref: string }[] };
    expect(await project.run("is", "hidden", cleared[0]!.ref)).toBe("true");
  });

  it("is not fooled by names that stand for properties", async () => {
    await project.run("goto", `${site.url}/trap`);
    await project.run("cleanup");
    expect(await shown("form")).toEqual({ form: false });
    await project.run("cleanup", "--undo");
    expect(await shown("form")).toEqual({ form: true });
  });

  it("says when nothing is in the way, and refuses to undo and hide at once", async () => {
    await project.run("goto", `${site.url}/plain`);
    expect(await project.run("cleanup")).toContain("Nothing is in the way");
    expect(await project.refusal("cleanup", "--undo", "--ads")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });
});
