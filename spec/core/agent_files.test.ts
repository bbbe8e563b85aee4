/** The files of an agent on this machine: its own folder in the artifacts, those it was lent, and nothing else. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Token } from "../../security/tokens/token.ts";
import { Gate } from "../harness/gate.ts";
import { Site } from "../harness/site.ts";

let gate: Gate;
let site: Site;
let bob: Token;
let lent: string;

const modeOf = (path: string) => statSync(path).mode & 0o777;

beforeAll(async () => {
  gate = await Gate.open();
  lent = join(realpathSync(gate.dir), "lent");
  mkdirSync(join(lent, ".git"), { recursive: true });
  writeFileSync(join(gate.dir, "project.html"), "<p>Of the project");
  writeFileSync(join(lent, "page.html"), "<p>Lent");
  writeFileSync(join(lent, "theirs.txt"), "theirs");
  bob = gate.pair({ name: "Bob", perSecond: 1_000, fileRoots: [lent] });
  site = await Site.serve({
    "/": "<title>Home</title><input type=file id=f><a href=/file>Get</a>",
    "/file": (_request, response) =>
      void response
        .writeHead(200, { "content-type": "text/plain", "content-disposition": "attachment; filename=file.txt" })
        .end("content"),
  });
  await gate.call(bob, "newtab", { url: `${site.url}/` });
});

afterAll(async () => {
  await gate[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const own = () => join(gate.artifactsDir, "bob");

describe("An agent's file", () => {
  it("goes to its own folder when no path is named or a relative one is, for this user alone", async () => {
    const shot = String((await gate.call(bob, "screenshot")).path);
    const { path } = await gate.call(bob, "download", { url: `${site.url}/file`, path: "deep/got.txt" });
    expect(shot.startsWith(`${own()}/`)).toBe(true);
    expect(String(path)).toBe(join(realpathSync(own()), "deep/got.txt"));
    expect([own(), join(own(), "deep"), shot, String(path)].map(modeOf)).toEqual([0o700, 0o700, 0o600, 0o600]);
  });

  it("is there when a page downloads it, in a tab of the agent's", async () => {
    await gate.call(bob, "click", { target: "text=Get" });
    const got = () => readdirSync(own()).find((name) => name.endsWith("-file.txt"));
    while (!got()) await gate.call(gate.root, "wait", { what: "20" });
    expect(modeOf(join(own(), got()!))).toBe(0o600);
  });

  it("is written anew by its own calls, and nobody else's is, --force or not", async () => {
    const get = (path: string, more = {}) =>
      gate.refusal(bob, "download", { url: `${site.url}/file`, path: join(lent, path), ...more });
    expect(await get("mine.txt")).toBeUndefined();
    expect(await get("mine.txt")).toBeUndefined();
    expect(await get("theirs.txt")).toBe("blocked_path");
    expect(await get("theirs.txt", { force: true })).toBe("forbidden");
    expect(await get(".git/config")).toBe("blocked_path");
    expect(readFileSync(join(lent, "theirs.txt"), "utf8")).toBe("theirs");
    expect(existsSync(join(lent, ".git/config"))).toBe(false);
  });

  it("says by its ending what it is", async () => {
    const get = (path: string) => gate.refusal(bob, "download", { url: `${site.url}/`, path: join(lent, path) });
    expect(await get("Makefile")).toBe("blocked_path");
    expect(await get("home.html")).toBeUndefined();
    expect(await gate.refusal(gate.root, "download", { url: `${site.url}/`, path: "Makefile" })).toBeUndefined();
  });

  it("is given to a page only if it was lent", async () => {
    const upload = (path: string) => gate.refusal(bob, "upload", { target: "#f", files: [path] });
    expect(await upload(join(lent, "theirs.txt"))).toBeUndefined();
    for (const path of ["project.html", join(gate.dir, "project.html"), "/etc/hosts"]) {
      expect([path, await upload(path)]).toEqual([path, path === "project.html" ? "not_found" : "blocked_path"]);
    }
  });

  it("is opened in a tab only if it was lent", async () => {
    expect(await gate.refusal(bob, "goto", { url: `file://${lent}/page.html` })).toBeUndefined();
    expect(await gate.refusal(bob, "goto", { url: `file://${gate.dir}/project.html` })).toBe("blocked_url");
    expect(await gate.refusal(gate.root, "goto", { url: `file://${gate.dir}/project.html` })).toBeUndefined();
  });
});

it("A file that an agent opens in a tab of the user's shows nothing that the agent was not lent, and the user's own page stays", async () => {
  const project = `file://${realpathSync(gate.dir)}/project.html`;
  writeFileSync(join(lent, "evil.html"), `<iframe src="${project}"></iframe><iframe src="page.html"></iframe>`);
  const { id } = (await gate.call(gate.root, "newtab", { url: project })) as { id: string };
  const ann = gate.pair({ name: "ann", share: [String(id)], perSecond: 1_000, fileRoots: [lent] });
  const text = async () => JSON.stringify(await gate.call(ann, "text", {}, { tab: id }));
  expect(await text()).toContain("Of the project");
  await gate.call(ann, "goto", { url: `file://${lent}/evil.html` }, { tab: id });
  await gate.call(ann, "wait", { text: "Lent" }, { tab: id });
  expect(await text()).not.toContain("Of the project");
  await gate.call(gate.root, "goto", { url: project }, { tab: id });
  expect(await text()).toContain("Of the project");
});

it("A link that a project has in the place of an agent's folder leads the agent nowhere", async () => {
  const elsewhere = join(gate.dir, "elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "note.html"), "<p>Not lent");
  mkdirSync(gate.artifactsDir, { recursive: true });
  symlinkSync(elsewhere, join(gate.artifactsDir, "eve"));
  const eve = gate.pair({ name: "eve", perSecond: 1_000 });
  await gate.call(eve, "newtab", { url: `${site.url}/` });
  expect(await gate.refusal(eve, "load-html", { file: "note.html" })).toBe("blocked_path");
  expect(await gate.refusal(eve, "pdf", { path: "new.pdf" })).toBe("blocked_path");
  expect(await gate.refusal(eve, "screenshot")).toBe("blocked_path");
  expect(readdirSync(elsewhere)).toEqual(["note.html"]);
});

it("A trace, which holds all cookies, is for this user alone, wherever the user puts it", async () => {
  await gate.call(gate.root, "trace.start", {});
  const path = join(gate.dir, "trace.zip");
  await gate.call(gate.root, "trace.stop", { path });
  const har = join(gate.dir, "all.har");
  await gate.call(gate.root, "network", { har });
  expect([path, har].map(modeOf)).toEqual([0o600, 0o600]);
});
