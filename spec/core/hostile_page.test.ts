/** What a page chooses, however long, and what it does to a reading, never ends the daemon. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../client.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

/** A run of word characters of this length overflows the stack of a pattern that looks at all of it. */
const LONG = 8e6;

/** Each makes something long that the daemon hears of without being asked to. */
const LONG_THINGS = {
  "a title": `document.title = "a".repeat(${LONG})`,
  "a fragment": `location.hash = "a".repeat(${LONG})`,
  "an address of its history": `history.pushState(0, "", "?" + "a".repeat(${LONG}))`,
  "an address that it asks for": `fetch("/" + "a".repeat(${LONG})).catch(() => {})`,
  "a header that it sends": `fetch("/x", { headers: { "x-a": "a".repeat(${LONG}) } }).catch(() => {})`,
  "a method that it sends": `fetch("/x", { method: "a".repeat(${LONG}) }).catch(() => {})`,
  "a script's name": `document.head.append(Object.assign(document.createElement("script"), {
    textContent: "console.log(1)\\n//# sourceURL=http://x/" + "a".repeat(${LONG}) }))`,
  "a line of its console": `console.log("a".repeat(${LONG}))`,
  "an uncaught error": `setTimeout(() => { throw new Error("a".repeat(${LONG})) })`,
  "a file that it downloads": `Object.assign(document.createElement("a"), {
    download: "f" + ".".repeat(${LONG}) + "x", href: "data:application/x-foo;base64," + "a".repeat(${LONG}) }).click()`,
  "a dialog": `alert("a".repeat(${LONG}))`,
} as const;

const NAMES = Object.keys(LONG_THINGS);

let site: Site;
let project: Project;
let pid: number | undefined;

beforeAll(async () => {
  const pages = Object.values(LONG_THINGS).map((script, index) => [
    `/long-${index}`,
    `<p>page</p><script>onload = () => { ${script}; done = true; }</script>`,
  ]);
  site = await Site.serve({
    ...Object.fromEntries(pages),
    "/": "<title>quiet</title><p>here",
    "/link": `<a id=get download=x>get</a><script>get.href = "data:application/x-foo;base64," + "a".repeat(1e6)</script>`,
    "/frames": `<p>page</p>${'<iframe src="/"></iframe>'.repeat(3)}<script>onload = () => setTimeout(() => { for (;;); }, 500)</script>`,
  });
  project = new Project();
  await project.run("goto", `${site.url}/`);
  pid = project.daemon()?.pid;
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Of the daemon. */
function residentBytes(): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

/** The daemon that has answered from the beginning answers still, and nothing went wrong in it that nobody caught. */
async function expectAlive(): Promise<void> {
  expect((await project.json("status")).faults).toEqual({ count: 0 });
  expect(project.daemon()?.pid).toBe(pid);
}

test.each(NAMES)("%s of eight million characters leaves the daemon as it was", async (name) => {
  const { id } = await project.json("newtab");
  await project.cli(["goto", `${site.url}/long-${NAMES.indexOf(name)}`, "--timeout", "5s"]);
  // Some end the renderer, which is Chromium's business.
  await project.cli(["wait", "--fn", "window.done", "--timeout", "5s"]);
  await project.cli(["console"]);
  await project.run("closetab", String(id));
  await expectAlive();
});

test("an answer does not carry the megabytes that a page put into an address", async () => {
  const { id } = await project.json("newtab", `${site.url}/link`);
  const { effect } = (await project.json("click", "#get")) as { effect: { downloads: [{ url: string }] } };
  expect(effect.downloads[0].url).toMatch(/^data:application\/x-foo;base64,a+… \(\d+ more characters\)$/);
  await project.run("js", "history.pushState(0, '', '?' + 'a'.repeat(1e6))");
  for (const argv of [["tabs"], ["tab", String(id)], ["snapshot"], ["tab-each", "title"]]) {
    expect((await project.run(...argv)).length, argv.join(" ")).toBeLessThan(20_000);
    expect((await project.run(...argv, "--json")).length, argv.join(" ")).toBeLessThan(20_000);
  }
  await project.run("closetab", String(id));
});

test.runIf(existsSync("/proc/self/status"))(
  "of addresses and bodies without end no more is kept than is shown, with how long they were",
  async () => {
    const { id } = await project.json("newtab", `${site.url}/`);
    const before = residentBytes();
    const asked = "Array.from({ length: 10 }, () => fetch('/?' + 'a'.repeat(4e6)).catch(() => {}))";
    await project.run(
      "js",
      `await Promise.all(${asked}); await fetch("/", { method: "POST", body: "b".repeat(1e6) }); 1`,
    );
    const { entries } = (await project.json("network")) as { entries: { id: number; url: string }[] };
    expect(entries.filter(({ url }) => /a… \(399\d{4} more characters\)$/.test(url))).toHaveLength(10);
    const shown = await project.run("network", String(entries.at(-1)?.id), "--body-offset", "49000");
    expect(shown).toContain("b… (950848 more bytes)");
    // As they were, they would be some 120 MB by now.
    expect(residentBytes() - before).toBeLessThan(80e6);
    await project.run("closetab", String(id));
  },
);

test("a reading of a page with frames that is cut short leaves the daemon as it was", async () => {
  const { id } = await project.json("newtab");
  await project.run("goto", `${site.url}/frames`);
  await project.run("wait", "600");
  const { kind } = await project.refusal("snapshot", "--timeout", "300");
  expect(kind).toBe("timeout");
  await project.run("closetab", String(id));
  await expectAlive();
});

test("a param of fifteen million characters is refused as what it is, and at once", async () => {
  const daemon = project.daemon();
  if (!daemon) throw new Error("No daemon");
  await using browse = await connect({ url: `ws://127.0.0.1:${daemon.port}/rpc`, token: daemon.token });
  const long = "a".repeat(15e6);
  await expect(browse.goto({ url: long })).rejects.toMatchObject({ kind: "invalid_params" });
  await expect(browse.click({ target: long })).rejects.toMatchObject({ kind: "invalid_params" });
  await expect(browse.pdf({ path: long })).rejects.toMatchObject({ kind: "blocked_path" });
  await expect(browse.call("goto", { url: "about:blank", [long]: 1 })).rejects.toMatchObject({
    kind: "invalid_params",
  });
  await expectAlive();
});

test("a page has nothing fetched ahead of being wanted, which no rule would see", async () => {
  const rules = ["prefetch", "prerender"].map((what) => [what, [{ urls: [`/${what}`], eagerness: "immediate" }]]);
  site.set(
    "/ahead",
    `<a href=/prefetch>Go</a><script type="speculationrules">${JSON.stringify(Object.fromEntries(rules))}</script>
    <script>onload = async () => { for (let i = 0; i < 50; i++) await fetch("/tick"); document.title = "Over"; }</script>`,
  );
  site.set("/prefetch", "<title>Shown</title>");
  await project.run("goto", `${site.url}/ahead`);
  await project.run("wait", "--fn", "document.title === 'Over'");
  expect(site.requests.filter((request) => /prefetch|prerender/.test(request))).toEqual([]);
  await project.run("click", "text=Go");
  expect(await project.json("title")).toEqual({ title: "Shown" });
});

test("a frame of another site is drawn by a process of its own, and its endless script ends nobody else's", async () => {
  const other = site.url.replace("127.0.0.1", "localhost");
  site.set(
    "/framing",
    `<title>Top</title><script>onmessage = () => { begun = true }</script><iframe src="${other}/endless"></iframe>`,
  );
  site.set(
    "/endless",
    "<script>onload = () => { parent.postMessage(1, '*'); setTimeout(() => { for (;;); }) }</script>",
  );
  await project.run("newtab", `${site.url}/framing`);
  await project.run("wait", "--fn", "window.begun");
  expect(await project.run("js", "document.title")).toBe("Top");
  await project.run("closetab");
});

test("what a page calls its elements and frames hides nothing of ours from us", async () => {
  const names = ["__browseReader", "browse.reader", "browseWitness", "browseOpened"];
  const clobbered = names.map((name) => `<a id="${name}">x</a><iframe name="${name}" srcdoc="x"></iframe>`).join("");
  site.set("/button", "<button onclick=\"document.title = 'pressed'; this.textContent = 'Pressed'\">Press</button>");
  const frame = `<iframe src="${site.url.replace("127.0.0.1", "localhost")}/button"></iframe>`;
  site.set("/clobbered", `<h1>Here</h1>${clobbered}<p>${frame}`);
  await project.run("goto", `${site.url}/clobbered`, "--wait", "load");
  expect(await project.run("text")).toContain("Here");
  expect(await project.run("click", await project.ref('"Press"'))).toContain('"Pressed"');
});

test("what a page has put in the place of the browser's own functions makes no answer long", async () => {
  site.set(
    "/replaced",
    `<h1>Here</h1><button onclick="setTimeout(() => {}, 100)">Press</button>
     <script>for (const name of ["min", "max"]) Math[name] = () => "x".repeat(1e8);
     performance.now = () => "x".repeat(1e8); for (const name of ["map", "filter", "push"]) Array.prototype[name] = () => "x".repeat(1e8);</script>`,
  );
  await project.run("goto", `${site.url}/replaced`);
  const before = residentBytes();
  expect(await project.run("click", "button")).toMatch(/^Clicked/);
  expect(residentBytes() - before).toBeLessThan(90e6);
  await project.run("goto", `${site.url}/`);
  await expectAlive();
});

test("a line of the console that no string has room for ends the page that logs it, and nobody is cut off", async () => {
  const { id: quiet } = await project.json("newtab", `${site.url}/`);
  // Each of these characters is six of the message.
  const log = `setTimeout(() => console.log("\\u0001".repeat(95e6)), 300)`;
  site.set("/endless-line", `<title>Loud</title><script>onload = () => { ${log} }</script>`);
  const { id: loud } = await project.json("newtab", `${site.url}/endless-line`);
  const logPath = join(project.stateDir, "daemon.log");
  await expect.poll(() => readFileSync(logPath, "utf8"), { timeout: 30_000 }).toMatch(/consoleAPICalled\) was dropped/);
  expect(await project.json("title", "--tab", String(quiet))).toEqual({ title: "quiet" });
  await project.run("closetab", String(loud));
  await expectAlive();
});
