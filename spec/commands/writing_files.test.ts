/**
 * Every command of the registry that writes a file whose name the caller gives: each refuses the same places, and leaves
 * nothing where it could not write.
 */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allCommands } from "../../commands/command.ts";
import "../../commands/mod.ts";
import { pngOf } from "../harness/pictures.ts";
import type { Project } from "../harness/project.ts";
import { SharedProject } from "../harness/shared_project.ts";
import { Site } from "../harness/site.ts";

interface Row {
  /** The command line that writes to this path. */
  argv: (path: string) => string[];
  /** Ending of a name that is accepted; absent for a folder and for the beginning of names. */
  extension?: string;
  /** One that is not; absent where any is. */
  wrong?: string;
  /** What comes behind the path in the name of a file that is written. */
  suffix?: string;
  /** Has to run before, where anything is to be written. */
  before?: string[];
}

/** By command and param. A command that is not here fails the first test. */
const ROWS: Record<string, Row> = {
  "archive.path": { argv: (path) => ["archive", path], extension: ".mhtml", wrong: ".html" },
  "download.path": { argv: (path) => ["download", `${site.url}/red.png`, path], extension: ".png", wrong: ".jpg" },
  "eval.out": { argv: (path) => ["eval", "large.js", "--out", path], extension: ".txt" },
  "js.out": { argv: (path) => ["js", "'x'.repeat(100000)", "--out", path], extension: ".txt" },
  "network.har": { argv: (path) => ["network", "--har", path], extension: ".har", wrong: ".json" },
  "pdf.path": { argv: (path) => ["pdf", path], extension: ".pdf", wrong: ".png" },
  "prettyscreenshot.path": { argv: (path) => ["prettyscreenshot", path], extension: ".png", wrong: ".gif" },
  "record.stop.path": {
    argv: (path) => ["record", "stop", path],
    extension: ".webm",
    wrong: ".mp4",
    before: ["record", "start"],
  },
  "responsive.prefix": { argv: (path) => ["responsive", path], suffix: "-mobile.png" },
  "scrape.dir": { argv: (path) => ["scrape", "images", "--dir", path], suffix: "/manifest.json" },
  "screenshot.path": { argv: (path) => ["screenshot", "--path", path], extension: ".png", wrong: ".ts" },
  "snapshot.output": { argv: (path) => ["snapshot", "-ia", "-o", path], extension: ".png", wrong: ".txt" },
  "trace.stop.path": {
    argv: (path) => ["trace", "stop", path],
    extension: ".zip",
    wrong: ".tar",
    before: ["trace", "start"],
  },
};

let site: Site;
let project: Project;
/** Neither in the project nor in a temporary folder, which may all be written to. */
let outside: string;

beforeAll(async () => {
  const red = pngOf(40, 30);
  site = await Site.serve({
    "/": '<!doctype html><title>Files</title><h1>Files</h1><button>Press</button><img src="/red.png">',
    "/red.png": (_request, response) => response.writeHead(200, { "content-type": "image/png" }).end(red),
  });
  project = await SharedProject.open();
  outside = mkdtempSync(join(realpathSync(homedir()), ".browse-outside-"));
  writeFileSync(join(project.dir, "large.js"), "'x'.repeat(100000)\n");
  await project.run("goto", site.url, "--wait", "load");
});

afterAll(async () => {
  rmSync(outside, { recursive: true, force: true });
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const nameFor = ({ extension = "" }: Row, stem: string) => `${stem}${extension}`;

/** What each of these command lines was refused with. */
async function refusals(lines: readonly string[][]): Promise<{ kind: string; hint: string; exitCode: number }[]> {
  const stdin = lines.map((argv) => argv.map((word) => `'${word.replaceAll("'", `'"'"'`)}'`).join(" ")).join("\n");
  const { stderr, stdout } = await project.cli(["--json", "-"], { stdin });
  const errors = stderr
    .trim()
    .split("\n")
    .filter((line) => line.startsWith('{"error"'))
    .map((line) => (JSON.parse(line) as { error: { kind: string; hint: string; exitCode: number } }).error);
  expect(errors, stdout).toHaveLength(lines.length);
  return errors;
}

describe("the rows of this file", () => {
  it("are every param of the registry that names a file to write", () => {
    const params = allCommands().flatMap(({ name, paths }) =>
      paths.filter(({ access }) => access === "write").map(({ param }) => `${name}.${param}`),
    );
    // It goes on with a file that is there, and makes none: skills/bundled/resumed.test.ts.
    expect([...Object.keys(ROWS), "skill.run.resume"].sort()).toEqual(params.sort());
  });
});

describe.each(Object.entries(ROWS))("%s", (key, row) => {
  const stem = key.replaceAll(".", "-");
  const written = (path: string) => `${path}${row.suffix ?? ""}`;

  it("refuses places outside, links, state folders and other endings, and leaves nothing there", async () => {
    const link = join(project.dir, `${stem}-link`);
    symlinkSync(outside, link);
    const dangling = nameFor(row, `${stem}-dangling`);
    if (row.suffix === undefined) symlinkSync(join(outside, "new"), join(project.dir, dangling));
    const paths = [
      join(outside, nameFor(row, "absolute")),
      `../../${nameFor(row, "../../etc/browse-spec")}`,
      join(`${stem}-link`, nameFor(row, "through")),
      join(".browse", nameFor(row, "state")),
      ...(row.suffix === undefined ? [dangling] : []),
      ...(row.wrong === undefined ? [] : [`${stem}${row.wrong}`]),
    ];
    const kinds = (await refusals(paths.map((path) => row.argv(path)))).map(({ kind }) => kind);
    // What a download may be called is known only when it has come.
    const isSlip = (path: string) => path === `${stem}${row.wrong}` && key !== "download.path";
    expect(kinds).toEqual(paths.map((path) => (isSlip(path) ? "invalid_params" : "blocked_path")));
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(join(project.stateDir, nameFor(row, "state")))).toBe(false);
    if (row.wrong !== undefined) expect(existsSync(join(project.dir, `${stem}${row.wrong}`))).toBe(false);
  });

  it("refuses to write over a file that browse did not make", async () => {
    const path = nameFor(row, `${stem}-theirs`);
    const file = join(project.dir, written(path));
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, "mine");
    const [refusal] = await refusals([row.argv(path)]);
    expect(refusal).toMatchObject({ kind: "blocked_path" });
    expect(readFileSync(file, "utf8")).toBe("mine");
  });
});

describe("--out", () => {
  /** Their answer is text, whatever else they write; where --out is their own, it is the row. */
  const inText = ["eval.out", "js.out", "network.har", "snapshot.output"];

  it("is refused to commands that write a file of their own, which say how that is named", async () => {
    const lines = Object.entries(ROWS)
      .filter(([key]) => !inText.includes(key))
      .map(([, row]) => ["--out", "answer.txt", ...row.argv(nameFor(row, "own"))]);
    const told = await refusals(lines);
    expect(told.map(({ kind }) => kind)).toEqual(lines.map(() => "invalid_params"));
    for (const { hint } of told) expect(hint).toMatch(/^Name it with (<(path|prefix)>|--dir)/);
    expect(existsSync(join(project.dir, "answer.txt"))).toBe(false);
  });

  it("takes a picture that is text", async () => {
    await project.run("screenshot", "--base64", "--out", "picture.b64");
    const picture = Buffer.from(readFileSync(join(project.dir, "picture.b64"), "utf8"), "base64");
    expect(picture.toString("latin1", 1, 4)).toBe("PNG");
  });
});

describe("on a full disk", () => {
  const isRoot = process.getuid?.() === 0 && process.platform === "linux";
  let folder: string;

  beforeAll(() => {
    if (!isRoot) return;
    folder = join(project.dir, "full");
    mkdirSync(folder);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]);
    const { bavail, bsize } = statfsSync(folder);
    // There is still room for a folder, which takes no block: one that was made has to go again.
    writeFileSync(join(folder, "filler"), Buffer.alloc(bavail * bsize));
  });

  afterAll(() => {
    if (isRoot) execFileSync("umount", [folder]);
  });

  it.skipIf(!isRoot).each(Object.entries(ROWS))("%s says so, and leaves nothing", async (_key, row) => {
    if (row.before) await project.run(...row.before);
    const refusal = await project.refusal(...row.argv(join("full/new", nameFor(row, "file"))));
    expect(refusal).toMatchObject({ kind: "too_large", message: expect.stringContaining("the disk is full") });
    expect(readdirSync(folder)).toEqual(["filler"]);
    // What ran before is not lost: it can be written elsewhere.
    if (row.before) await project.run(...row.argv(nameFor(row, "elsewhere")));
  });
});
