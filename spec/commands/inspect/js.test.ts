import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pngOf } from "../../harness/pictures.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const STATES = `<!doctype html><title>States</title>
<button id="on" class="big red" data-kind="main" style="color: rgb(1, 2, 3)">On</button>
<button id="off" disabled>Off</button>
<button id="gone" style="display:none">Gone</button>
<input id="text" value="written"><input id="fixed" readonly value="fixed">
<input id="yes" type="checkbox" checked><input id="no" type="checkbox">
<input id="secret" type="password" value="hunter2">
<select id="many" multiple><option selected>One</option><option>Two</option><option selected>Three</option></select>
<p id="plain">Text</p>`;

let site: Site;
let project: Project;

/** A page on which nothing is left of what scripts are built on. */
const REPLACED = `<!doctype html><title>Replaced</title><p>Readable</p><script>
  const fail = () => { throw new Error("not here"); };
  JSON.stringify = JSON.parse = Object.keys = Function.prototype.call = Function.prototype.apply = fail;
  for (const name of Object.getOwnPropertyNames(Array.prototype)) {
    if (typeof Array.prototype[name] === "function") Array.prototype[name] = fail;
  }
  Object.defineProperty(Object.prototype, "value", { get: fail, set() {} });
</script>`;

beforeAll(async () => {
  site = await Site.serve({ "/": STATES, "/replaced": REPLACED });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.run("goto", site.url);
});

describe("js", () => {
  it.each([
    ["an expression", "1 + 2", "3"],
    ["a string", "document.title", "States"],
    ["an object literal", "{ a: 1, b: [2] }", '{"a":1,"b":[2]}'],
    ["an awaited expression", "await Promise.resolve('done')", "done"],
    ["statements, by their last expression", "const a = 2; const b = 3; a * b", "6"],
    ["statements that await", "const r = await fetch(location.href); r.status", "200"],
    ["a returned value", "if (true) return 'early'; 'late'", "early"],
    ["the word await in a string", "'await nothing'", "await nothing"],
    ["the word await in a comment", "/* await */ 5 // await", "5"],
    ["undefined as nothing", "undefined", ""],
    ["null", "null", "null"],
    ["statements without a value", "let unused = 1;", ""],
    ["a trailing semicolon", "7;", "7"],
    ["a big integer", "10n", "10n"],
    ["a function", "(function load() {})", "[Function load]"],
  ])("gives %s", async (_what, code, expected) => {
    expect(await project.run("js", code)).toBe(expected);
  });

  it("gives a long list with an item a line", async () => {
    const lines = (await project.run("js", "Array.from({ length: 40 }, (_, n) => ({ n, next: [n + 1] }))")).split("\n");
    expect(lines).toHaveLength(42);
    expect(lines[1]).toBe('{"n":0,"next":[1]},');
  });

  it("gives what JSON does not hold as what it is", async () => {
    const code = `const frame = document.body.appendChild(document.createElement("iframe"));
      [10n, new Map([["a", { b: 1n }]]), new Set([[1]]), function load() {}, () => {}, Symbol("s"), /x/g,
        document, frame, window, frame.contentWindow, frame.contentDocument.body, new BigInt64Array(1),
        new TypeError("No lamp"), new Date(NaN), new Proxy({}, { ownKeys: () => 1 })]`;
    expect((await project.json("js", code)).value).toEqual([
      "10n",
      [["a", { b: "1n" }]],
      [[1]],
      "[Function load]",
      "[Function]",
      "Symbol(s)",
      "/x/g",
      "[HTMLDocument]",
      "[HTMLIFrameElement]",
      "[Window]",
      "[Window]",
      "[HTMLBodyElement]",
      { "0": "0n" },
      { name: "TypeError", message: "No lamp" },
      null,
      "[Object]",
    ]);
  });

  it("gives what JSON holds as JSON", async () => {
    const code = `const twice = { n: 1 };
      ({ twice, again: twice, none: undefined, method() {}, hole: [1, , NaN], at: new Date(0), url: new URL(location) })`;
    expect((await project.json("js", code)).value).toEqual({
      twice: { n: 1 },
      again: { n: 1 },
      hole: [1, null, null],
      at: "1970-01-01T00:00:00.000Z",
      url: `${site.url}/`,
    });
  });

  it("marks where a value comes back to itself, however many ways lead there", async () => {
    const code = `const parts = Array.from({ length: 60 }, () => ({}));
      for (const part of parts) Object.assign(part, { first: parts[0], rest: parts });
      parts[0]`;
    const { value } = await project.json("js", code);
    expect(value).toMatchObject({ first: "[Circular]", rest: { 0: "[Circular]", 1: { first: "[Circular]" } } });
    const twice = "const part = {}, whole = { part, again: part }; whole.whole = whole; whole";
    expect((await project.json("js", twice)).value).toEqual({ part: {}, again: "[Repeated]", whole: "[Circular]" });
  });

  it("cuts what is nested deeper than can be told", async () => {
    const deep = "let list = []; for (let level = 0; level < 5000; level++) list = [{ list }]; list";
    expect(JSON.stringify((await project.json("js", deep)).value)).toContain('"[Array]"');
  });

  it("joins words, and takes code from standard input", async () => {
    expect(await project.run("js", "1", "+", "1")).toBe("2");
    expect(await project.cli(["js", "-"], { stdin: "'from a pipe'\n" })).toMatchObject({ stdout: "from a pipe\n" });
  });

  it("tells what was thrown", async () => {
    expect(await project.refusal("js", "throw new TypeError('No lamp')")).toMatchObject({
      kind: "script_error",
      message: "The script threw TypeError: No lamp",
      exitCode: 1,
    });
    expect(await project.refusal("js", "await Promise.reject('a plain reason')")).toMatchObject({
      message: "The script threw a plain reason",
    });
  });

  it("tells where the code does not parse", async () => {
    const refusal = await project.refusal("js", "1 +* 2");
    expect(refusal.kind).toBe("script_error");
    expect(refusal.message).toContain("does not parse");
  });

  it("says so on a page that has replaced what scripts are built on, which can still be read", async () => {
    await project.run("goto", `${site.url}/replaced`);
    for (const argv of [
      ["js", "JSON.stringify({a: 1})"],
      ["js", "({a: [1]})"],
      ["wait", "--fn", "true"],
    ]) {
      expect(await project.refusal(...argv)).toMatchObject({
        kind: "script_error",
        message: expect.stringContaining("not here"),
        hint: expect.stringContaining("replaced built-in functions"),
      });
    }
    expect(await project.run("text")).toBe("Readable");
    await project.run("goto", site.url);
  });

  it("takes code that begins with a dash after --", async () => {
    expect(await project.run("js", "--", "-5 + 2")).toBe("-3");
  });
});

describe("--out", () => {
  const written = (name: string) => readFileSync(join(project.dir, name));

  it("writes the value, wherever the flag stands and however it is written", async () => {
    expect(await project.run("js", "'one'", "--out", "one.txt")).toContain("Wrote 3 bytes");
    await project.run("js", "--out=two.txt", "'two'");
    await project.run("js", "'three'", "--json", "--out", "three.txt", "--timeout=5s");
    expect(written("one.txt").toString()).toBe("one");
    expect(written("two.txt").toString()).toBe("two");
    expect(written("three.txt").toString()).toBe("three");
  });

  it("writes an object as JSON, and megabytes whole", async () => {
    await project.run("js", "({ a: [1] })", "--out", "object.json");
    expect(JSON.parse(written("object.json").toString())).toEqual({ a: [1] });
    await project.run("js", "'x'.repeat(3_000_000)", "--out", "long.txt");
    expect(written("long.txt").length).toBe(3_000_000);
  });

  it("decodes a data URL, unless it is wanted raw", async () => {
    const url = `data:application/octet-stream;base64,${Buffer.from([0, 255, 7]).toString("base64")}`;
    await project.run("js", `'${url}'`, "--out", "bytes.bin");
    expect([...written("bytes.bin")]).toEqual([0, 255, 7]);
    await project.run("js", `'${url}'`, "--out", "literal.txt", "--raw");
    expect(written("literal.txt").toString()).toBe(url);
    await project.run("js", "'data:text/plain,a%20lamp'", "--out", "percent.txt");
    expect(written("percent.txt").toString()).toBe("a lamp");
  });

  it("writes no data URL into a file whose name promises something else, by its own bytes where they tell", async () => {
    const picture = `'data:text/plain;base64,${pngOf(2, 2).toString("base64")}'`;
    expect(await project.refusal("js", '"data:text/html,hi"', "--out", "page.png")).toMatchObject({
      kind: "blocked_path",
      hint: expect.stringContaining(".html"),
    });
    expect(await project.refusal("js", picture, "--out", "picture.txt")).toMatchObject({ kind: "blocked_path" });
    expect(["page.png", "picture.txt"].filter((name) => existsSync(join(project.dir, name)))).toEqual([]);
    await project.run("js", picture, "--out", "picture.png");
    expect(written("picture.png")).toEqual(pngOf(2, 2));
  });

  it("writes nothing when a data URL is malformed", async () => {
    expect(await project.refusal("js", "'data:image/png;base64,@@@'", "--out", "broken.png")).toMatchObject({
      kind: "script_error",
    });
    expect(existsSync(join(project.dir, "broken.png"))).toBe(false);
  });

  it("makes the folders on the way", async () => {
    await project.run("js", "'deep'", "--out", "new/folder/deep.txt");
    expect(written("new/folder/deep.txt").toString()).toBe("deep");
  });

  it("refuses to be given twice, without a value, or empty", async () => {
    expect(await project.refusal("js", "1", "--out", "a.txt", "--out", "b.txt")).toMatchObject({
      kind: "invalid_params",
      flag: "--out",
      exitCode: 2,
    });
    expect(await project.refusal("js", "1", "--out")).toMatchObject({ flag: "--out", exitCode: 2 });
    expect(await project.refusal("js", "1", "--out=")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });

  it("does not run the script when the file may not be written", async () => {
    mkdirSync(join(project.dir, "taken"), { recursive: true });
    writeFileSync(join(project.dir, "source.ts"), "mine");
    for (const path of ["/etc/browse-out.txt", "../../../../outside.txt", "taken", "source.ts"]) {
      expect(await project.refusal("js", "document.title = 'Ran'", "--out", path)).toMatchObject({
        kind: "blocked_path",
        exitCode: 4,
      });
    }
    expect(await project.title()).toBe("States");
    expect(written("source.ts").toString()).toBe("mine");
  });

  it("overwrites its own file, and another's only with --force", async () => {
    await project.run("js", "'first'", "--out", "own.txt");
    await project.run("js", "'second'", "--out", "own.txt");
    expect(written("own.txt").toString()).toBe("second");
    writeFileSync(join(project.dir, "other.txt"), "theirs");
    expect((await project.refusal("js", "'mine'", "--out", "other.txt")).hint).toContain("--force");
    await project.run("js", "'mine'", "--out", "other.txt", "--force");
    expect(written("other.txt").toString()).toBe("mine");
  });
});
