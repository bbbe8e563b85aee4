/** Answers that are too long for a terminal: in parts, or whole into a file. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Project } from "../harness/project.ts";
import { SharedProject } from "../harness/shared_project.ts";
import { Site } from "../harness/site.ts";

const LINES = Array.from({ length: 60_000 }, (_, n) => `Line ${n} of é`);

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/": `<!doctype html><meta charset=utf-8><pre>${LINES.join("\n")}</pre>` });
  project = await SharedProject.open();
  await project.run("goto", site.url);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("a long answer", () => {
  test("is cut at a line, and --offset goes on where it ended until all is there", async () => {
    let seen = "";
    let parts = 0;
    for (let offset: string | undefined = "0"; offset !== undefined; parts++) {
      const part = await project.run("text", "--offset", offset, "--max-chars", "300000");
      const marker: RegExpExecArray | null = /\n?\[\d+ more characters: --offset (\d+) goes on, .*\]$/.exec(part);
      seen += marker ? `${part.slice(0, marker.index)}\n` : part;
      offset = marker?.[1];
    }
    expect(parts).toBe(4);
    expect(seen.split("\n")).toEqual(LINES);
  });

  test("has 24,000 characters by default", async () => {
    const part = await project.run("text");
    expect(part.length).toBeGreaterThan(23_900);
    expect(part.length).toBeLessThan(24_200);
  });

  test("refuses an offset beyond the end, one that is no number, and one of JSON", async () => {
    const { stderr, exitCode } = await project.cli(["text", "--offset", "99999999"]);
    expect(stderr).toMatch(/--offset 99999999 is beyond the end: the output has \d+ characters/);
    expect(exitCode).toBe(2);
    expect(await project.cli(["text", "--offset", "-1"])).toMatchObject({ exitCode: 2 });
    expect(await project.refusal("text", "--offset", "5")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });

  test("as JSON is refused whole over a megabyte, and written whole by --out", async () => {
    expect(await project.refusal("text")).toMatchObject({ kind: "too_large", hint: expect.stringContaining("--out") });
    await project.run("text", "--json", "--out", "whole.json");
    const { text } = JSON.parse(readFileSync(join(project.dir, "whole.json"), "utf8")) as { text: string };
    expect(text.trimEnd().split("\n")).toEqual(LINES);
  });
});

describe("a long answer of what does something", () => {
  const page = `<!doctype html><button onclick="n.value = Number(n.value) + 1">Add</button><output id=n>0</output>
    ${Array.from({ length: 40 }, (_, n) => `<a href="#${n}">Link ${n}</a>`).join(" ")}`;
  const pressed = async () => await project.run("text", "#n");
  const kept = (answer: string) => /\n\[\d+ more characters: (\S+) has all of it\]$/.exec(answer)?.[1] ?? "";

  beforeEach(async () => {
    await project.run("load-html", "--html", page);
  });

  test("is kept whole in a file, so that nobody has to do it again for the rest", async () => {
    const cut = await project.run("click", "text=Add", "-i", "--max-chars", "100");
    expect(cut).toMatch(/^Clicked .*"Add"/);
    expect(cut).not.toContain("--offset");
    expect(readFileSync(kept(cut), "utf8")).toMatch(/^Clicked .*"Add"[\s\S]*"Link 39"\n$/);
    expect(await pressed()).toBe("1");
  });

  test("is kept of a chain and of a script, too", async () => {
    const chained = await project.run("chain", "click text=Add | text", "--max-chars", "60");
    expect(readFileSync(kept(chained), "utf8")).toContain("Link 39");
    const script = await project.run("js", "n.value = 'x'.repeat(500)", "--max-chars", "60");
    expect(readFileSync(kept(script), "utf8")).toBe(`${"x".repeat(500)}\n`);
  });

  test("as JSON is refused with the word that it is done", async () => {
    const { kind, hint } = await project.refusal("click", "text=Add", "-i", "--max-chars", "100");
    expect([kind, hint]).toEqual(["too_large", expect.stringMatching(/^It is done.*do not repeat it/)]);
    expect(await pressed()).toBe("1");
  });
});

describe("--out", () => {
  beforeAll(async () => {
    await project.run("goto", site.url);
  });

  const read = (name: string) => readFileSync(join(project.dir, name), "utf8");

  test.each([
    ["before the command", ["--out", "before.txt", "text"], "before.txt"],
    ["after it", ["text", "--out", "after.txt"], "after.txt"],
    [
      "with an equals sign, in a folder that is not there yet",
      ["text", "--out=new/folder/equals.txt"],
      "new/folder/equals.txt",
    ],
  ])("%s takes all of the answer, megabytes too", async (_where, argv, name) => {
    expect(await project.run(...argv)).toMatch(/^Wrote \d+ bytes of untrusted page content to .*\.txt$/);
    expect(read(name).trimEnd().split("\n")).toEqual(LINES);
  });

  test("takes the text as it is, not as a terminal may show it", async () => {
    await project.run("js", "'a' + String.fromCharCode(27) + 'b'", "--out", "escape.txt");
    expect(read("escape.txt").trimEnd()).toBe("a\u001bb");
  });

  test.each([
    ["twice", ["text", "--out", "a.txt", "--out", "b.txt"], "--out is given twice"],
    ["without a value", ["text", "--out"], "--out needs a value"],
    ["with an empty one", ["text", "--out="], "--out"],
  ])("%s is refused, and nothing is written", async (_how, argv, message) => {
    expect(await project.refusal(...argv)).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
      message: expect.stringContaining(message),
    });
    expect(existsSync(join(project.dir, "a.txt"))).toBe(false);
  });

  test("refuses a name that promises something else than text", async () => {
    expect(await project.refusal("snapshot", "--out", "page.png")).toMatchObject({
      kind: "invalid_params",
      message: expect.stringContaining("--out takes the answer's text"),
    });
    expect(existsSync(join(project.dir, "page.png"))).toBe(false);
  });

  test("refuses a place outside, and a file that is not ours", async () => {
    writeFileSync(join(project.dir, "theirs.txt"), "theirs");
    expect(await project.refusal("title", "--out", "/etc/browse.txt")).toMatchObject({ kind: "blocked_path" });
    expect(await project.refusal("title", "--out", "theirs.txt")).toMatchObject({ kind: "blocked_path" });
    expect(existsSync("/etc/browse.txt")).toBe(false);
    expect(read("theirs.txt")).toBe("theirs");
  });
});
