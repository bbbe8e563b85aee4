import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Project } from "../../harness/project.ts";

let project: Project;

beforeAll(() => {
  project = new Project();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

const HIDDEN = "Lamp\u202e20 €";

describe("scan", () => {
  it("tells of a file, of standard input and of a flag, in one shape, without a browser", async () => {
    writeFileSync(join(project.dir, "page.txt"), HIDDEN);
    const report = await project.json("scan", "page.txt");
    expect(Object.keys(report)).toEqual(["verdict", "score", "layers", "warnings"]);
    expect(report).toMatchObject({
      verdict: "warn",
      score: 0.75,
      layers: [
        { layer: "structure", status: "ran", findings: [{ kind: "bidi-override", count: 1 }] },
        { layer: "classifier", status: "missing", score: 0 },
      ],
    });
    const { stdout } = await project.cli(["scan", "-"], { stdin: HIDDEN });
    expect(stdout).toMatch(/^verdict: warn \(score 0.75\)\n1 × /);
    expect(await project.run("scan", "--text", "Lamp, 20 €")).toBe("verdict: allow (score 0)");
    expect(await project.run("scan", "--text", HIDDEN, "--source", "https://shop.example/")).toContain(
      "https://shop.example/: 1 ×",
    );
    expect(await project.json("status")).toMatchObject({ browser: "none" });
  });

  it("answers each line of --jsonl by one line, in order, malformed ones too", async () => {
    const texts = ["plain", HIDDEN, "⟦page nonce=1⟧"];
    const lines = [
      ...texts.map((text) => JSON.stringify({ text, label: "ignored" })),
      "not json",
      '{"content": "x"}',
      "",
    ];
    const { stdout, exitCode } = await project.cli(["scan", "-", "--jsonl"], { stdin: lines.join("\n") });
    const results = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { verdict?: string; error?: string });
    expect(results.map(({ verdict, error }) => verdict ?? error)).toEqual([
      "allow",
      "warn",
      "warn",
      "Line 4 is not JSON",
      'Line 5 has no "text"',
    ]);
    expect(exitCode).toBe(1);
  });

  it("answers thousands of lines of a file, beyond what one answer may hold, and as one typed result", async () => {
    const count = 4_000;
    writeFileSync(join(project.dir, "set.jsonl"), `${JSON.stringify({ text: HIDDEN })}\n`.repeat(count));
    const stdout = await project.run("scan", "set.jsonl", "--jsonl");
    expect(stdout.length).toBeGreaterThan(200_000);
    expect(stdout.split("\n").filter((line) => line.startsWith('{"verdict":"warn"'))).toHaveLength(count);
    writeFileSync(join(project.dir, "three.jsonl"), `${JSON.stringify({ text: "plain" })}\n`.repeat(3));
    expect(await project.json("scan", "three.jsonl", "--jsonl")).toMatchObject({
      scanned: 3,
      unreadable: 0,
      results: [{}, {}, {}],
    });
    await project.run("scan", "three.jsonl", "--jsonl", "--out", "results.jsonl");
  });

  it("refuses files elsewhere, no input, two, and a source that is no address", async () => {
    expect(await project.refusal("scan", "/etc/hosts")).toMatchObject({ kind: "blocked_path", exitCode: 4 });
    expect(await project.refusal("scan")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await project.refusal("scan", "page.txt", "--text", "x")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
    });
    expect(await project.refusal("scan", "--text", "x", "--source", "shop")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
    });
  });

  it("keeps the text out of the journal", async () => {
    await project.run("scan", "--text", "private words 7391");
    expect(await project.journal()).not.toContain("7391");
  });
});
