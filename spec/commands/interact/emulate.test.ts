import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

/** What a page's first script sees, before anyone could tell it anything. */
const FIRST = `<script>window.first = {
  userAgent: navigator.userAgent, language: navigator.language,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, locale: new Intl.NumberFormat().resolvedOptions().locale,
  dark: matchMedia("(prefers-color-scheme: dark)").matches, ratio: devicePixelRatio,
}</script>`;

const HOME = `<!doctype html><meta name="viewport" content="width=device-width"><title>Home</title>${FIRST}
<button onclick="this.textContent = 'Pressed'">Press</button><input id="typed">
<a href="/popup" target="_blank">Pop-up</a>`;

let site: Site;
let project: Project;

/** By path: the headers that the last request for it came with. */
const headers = new Map<string, Record<string, string | string[] | undefined>>();

beforeAll(async () => {
  const page = (html: string) => (request: IncomingMessage, response: ServerResponse) => {
    headers.set(request.url ?? "", { ...request.headers });
    response.writeHead(200, { "content-type": "text/html" }).end(html);
  };
  site = await Site.serve({});
  site.set("/", page(HOME));
  site.set("/popup", page(`<!doctype html><title>Pop-up</title>${FIRST}`));
  site.set("/inner", page(`<!doctype html>${FIRST}<script>parent.postMessage(first, "*")</script>`));
  // Another host name makes it another site, whose frames live in a process of their own.
  const other = site.url.replace("127.0.0.1", "localhost");
  site.set(
    "/frames",
    page(`<!doctype html><title>Frames</title>
    <script>addEventListener("message", (event) => { window.inner = event.data; document.title = "Told"; })</script>
    <iframe src="${other}/inner"></iframe>`),
  );
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
  await project.run("chain", "emulate --reset | viewport --reset | useragent --reset");
});

async function js(code: string, ...flags: string[]): Promise<unknown> {
  return (await project.json("js", code, ...flags)).value;
}

const first = () => js("first") as Promise<Record<string, unknown>>;

describe("emulate", () => {
  it("shows nothing, then what is set, and takes it away by name or all at once", async () => {
    expect(await project.run("emulate")).toBe("Nothing is emulated");
    await project.run("emulate", "--color-scheme", "dark", "--timezone", "Asia/Tokyo", "--geolocation", "1.5,-2");
    expect(await project.run("emulate", "--network", "4g")).toBe(
      "color scheme: dark\ntimezone: Asia/Tokyo\ngeolocation: 1.5, -2\nnetwork: 8100 kbit/s down, 1350 up, 165 ms latency",
    );
    expect(await project.json("emulate", "--timezone", "default")).toMatchObject({
      settings: { colorScheme: "dark", geolocation: { latitude: 1.5, longitude: -2 } },
    });
    expect(await project.run("emulate", "--reset")).toBe("Nothing is emulated");
    expect(await js("matchMedia('(prefers-color-scheme: dark)').matches")).toBe(false);
  });

  it("leaves the page, its refs and what was typed as they are", async () => {
    await project.run("fill", "#typed", "half a letter");
    const ref = await project.ref('"Press"', "-i");
    await project.run(
      "emulate",
      "--color-scheme",
      "dark",
      "--locale",
      "pt-PT",
      "--timezone",
      "Asia/Tokyo",
      "--cpu",
      "2",
    );
    expect(await project.run("value", "#typed")).toBe("half a letter");
    expect(await js("[navigator.language, first.language === 'pt-PT']")).toEqual(["pt-PT", false]);
    expect(await project.run("click", ref)).toContain("Clicked");
  });

  it.each([
    ["--media=print", "matchMedia('print').matches"],
    ["--color-scheme=dark", "matchMedia('(prefers-color-scheme: dark)').matches"],
    ["--reduced-motion=reduce", "matchMedia('(prefers-reduced-motion: reduce)').matches"],
    ["--contrast=more", "matchMedia('(prefers-contrast: more)').matches"],
    ["--forced-colors=active", "matchMedia('(forced-colors: active)').matches"],
    [
      "--locale=pt-PT",
      "new Intl.NumberFormat().resolvedOptions().locale === 'pt-PT' && navigator.language === 'pt-PT'",
    ],
    ["--timezone=Asia/Tokyo", "Intl.DateTimeFormat().resolvedOptions().timeZone === 'Asia/Tokyo'"],
    ["--offline", "await fetch('/popup').then(() => false, () => true)"],
    ["--network=400,300,2000", "navigator.connection.rtt > 1500"],
  ])("%s is what the page sees, and no longer after it is taken away", async (flag, seen) => {
    expect(await js(seen)).toBe(false);
    await project.run("emulate", flag);
    expect(await js(seen)).toBe(true);
    await project.run("emulate", "--reset");
    expect(await js(seen)).toBe(false);
  });

  it("tells pages where they are, without asking anyone", async () => {
    const where = `await new Promise((resolve) => navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve([coords.latitude, coords.longitude, coords.accuracy]), (error) => resolve(error.code)))`;
    // Served from loopback, which counts as secure.
    await project.run("emulate", "--geolocation", "38.72,-9.14,50");
    expect(await js(where)).toEqual([38.72, -9.14, 50]);
    await project.run("emulate", "--geolocation=default");
    expect(await js("(await navigator.permissions.query({ name: 'geolocation' })).state")).not.toBe("granted");
  });

  it("leaves a page the right to copy what is pressed, in every session", async () => {
    const copies = `<button onclick="navigator.clipboard.writeText('x').then(() => { document.title = 'Copied' },
      (error) => { document.title = error.name })">Copy</button>`;
    site.set("/copies", copies);
    const press = async (...where: string[]): Promise<void> => {
      await project.run("goto", `${site.url}/copies`, ...where);
      await project.run("click", "text=Copy", ...where);
      await expect.poll(() => project.title(...where)).toBe("Copied");
    };
    await press();
    await press("--session", "other");
    await project.run("emulate", "--geolocation", "1,2");
    await press();
    await project.run("emulate", "--reset");
    await press();
    await project.run("viewport", "--scale", "2");
    await press();
    await project.run("session", "close", "other");
  });

  it("is offline and slow at once, and only slow after --no-offline", async () => {
    await project.run("emulate", "--network", "slow-3g", "--offline");
    expect(await js("[navigator.onLine, await fetch('/').then(() => 'came', () => 'failed')]")).toEqual([
      false,
      "failed",
    ]);
    await project.run("emulate", "--no-offline");
    expect(await js("[navigator.onLine, navigator.connection.rtt > 1500]")).toEqual([true, true]);
  });

  it("slows the processor", async () => {
    const work =
      "(() => { const end = performance.now() + 200; let n = 0; while (performance.now() < end) n++; return n; })()";
    // Of several, as others work at the same time.
    const done = async () => [Number(await js(work)), Number(await js(work)), Number(await js(work))];
    const before = Math.max(...(await done()));
    await project.run("emulate", "--cpu", "20");
    expect(Math.min(...(await done()))).toBeLessThan(before / 2);
  });

  it("holds on other sites, in new tabs and in pop-ups, from their first script or as soon as they are there", async () => {
    await project.run("emulate", "--locale", "pt-PT", "--timezone", "Asia/Tokyo", "--color-scheme", "dark");
    const wanted = { timezone: "Asia/Tokyo", locale: "pt-PT", language: "pt-PT", dark: true };
    await project.run("goto", `${site.url.replace("127.0.0.1", "localhost")}/`);
    expect(await first()).toMatchObject(wanted);
    expect(headers.get("/")?.["accept-language"]).toContain("pt-PT");
    await project.run("newtab", site.url);
    expect(await first()).toMatchObject(wanted);
    const { effect } = (await project.json("click", "text=Pop-up")) as { effect: { opened: string[] } };
    const inPopUp = "[matchMedia('(prefers-color-scheme: dark)').matches, navigator.language]";
    expect(await js(inPopUp, "--tab", String(effect.opened[0]))).toEqual([true, "pt-PT"]);
    await project.run("closetab", String(effect.opened[0]));
    await project.run("closetab");
  });

  it("is what a frame of another site sees, from its first script", async () => {
    await project.run("chain", "emulate --locale pt-PT --timezone Asia/Tokyo --color-scheme dark | useragent Bot/1");
    await project.run("goto", `${site.url}/frames`);
    await project.run("wait", "--fn", "window.inner");
    expect(await js("inner")).toMatchObject({
      timezone: "Asia/Tokyo",
      locale: "pt-PT",
      userAgent: "Bot/1",
      dark: true,
    });
    // A frame that is there already is told of a change.
    await project.run("emulate", "--timezone", "America/Lima");
    await project.run("frame", "iframe");
    expect(await js("Intl.DateTimeFormat().resolvedOptions().timeZone")).toBe("America/Lima");
    await project.run("frame", "main");
  });

  it("outlives the tab that was there first", async () => {
    const { id } = await project.json("newtab", site.url);
    // A tab that its opener can reach shares its process, where one of them sets the time zone for both.
    await js("await new Promise((done) => { open('/popup').onload = () => done(1); })");
    await project.run("emulate", "--timezone", "Asia/Tokyo");
    await project.run("closetab", String(id));
    const { tabs } = (await project.json("tabs")) as { tabs: { id: string; url: string }[] };
    await project.run("tab", tabs.find(({ url }) => url.endsWith("/popup"))!.id);
    expect(await js("Intl.DateTimeFormat().resolvedOptions().timeZone")).toBe("Asia/Tokyo");
    await project.run("closetab");
  });

  it("keeps to its session", async () => {
    await project.run("emulate", "--color-scheme", "dark");
    await project.run("goto", site.url, "--session", "plain");
    expect(await js("matchMedia('(prefers-color-scheme: dark)').matches", "--session", "plain")).toBe(false);
    expect(await project.run("emulate", "--session", "plain")).toBe("Nothing is emulated");
  });

  it("refuses, and changes nothing, while a dialog would hold back the answer", async () => {
    await project.run("dialog-policy", "ask");
    await project.cli(["js", "setTimeout(() => alert('Wait'))"]);
    await project.cli(["wait", "100"]);
    expect(await project.refusal("emulate", "--color-scheme", "dark")).toMatchObject({ kind: "dialog_open" });
    await project.run("dialog-accept");
    await project.run("dialog-policy", "accept");
    expect(await project.run("emulate")).toBe("Nothing is emulated");
  });

  it.each([
    ["--timezone", "Mars/Olympus"],
    ["--timezone", "+01:00"],
    ["--locale", "not a locale"],
    ["--geolocation", "91,0"],
    ["--geolocation", "1"],
    ["--network", "turtle"],
    ["--network", "0,1,1"],
    ["--color-scheme", "blue"],
    ["--cpu", "0.5"],
  ])("refuses %s %s by the flag's name", async (flag, value) => {
    const refusal = await project.refusal("emulate", `${flag}=${value}`);
    expect(refusal).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(refusal.message).toContain(flag);
    expect(await project.run("emulate")).toBe("Nothing is emulated");
  });
});
