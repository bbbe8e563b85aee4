/**
 * Every example of the README, of the guides and of the head of `browse help`, run by what npm installs, in one daemon and in
 * the order in which they are printed. Examples of single commands are run by commands/contract.test.ts.
 */
import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandsNamed } from "../../commands/command.ts";
import "../../commands/mod.ts";
import { splitWords } from "../../wording.ts";
import { install } from "../harness/installed.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

const ROOT = join(import.meta.dirname, "../..");
const SHOP = join(ROOT, "demo/site");
const PAGES = ["README.md", ...globSync("docs/*.md", { cwd: ROOT }).sort()];

/** Lines that cannot be run as they are printed, and why. Each of them is looked for, so that none stays here in vain. */
const CANNOT_RUN: Readonly<Record<string, string>> = {
  "browse <command>": "stands for all commands",
  "browse select": "the command's name, in a list of what acts",
  "browse wait": "the command's name, in hints that say what to wait for in words",
  "browse confirm <id>": "a person's answer to a call that is held back: bin/confirm.test.ts",
  "browse skill show <name>": "there is no skill of that name: commands/skills/skill.test.ts",
  "browse skill codify cart-total": "needs a flow, and a person: commands/skills/skill_codify.test.ts",
  "browse skill run cart-total": "there is no skill of that name: commands/skills/skill_codify.test.ts",
  "browse skill trust stories": "a person's answer: commands/skills/skill_trust.test.ts",
  "browse events": "goes on until it is ended: commands/events.test.ts",
  "browse setup --native": "needs a native client, which a clone builds: commands/setup_native.test.ts",
};

/** Fenced blocks that are not command lines for this daemon, by their first lines, and where they are run instead. */
const OTHER_BLOCKS: Readonly<Record<string, string>> = {
  "npm run demo     sets everything up in a fresh clone and drives a small shop":
    "needs a clone; its site is used here",
  "npm run demo     sets everything up and drives a page": "needs a clone: the development commands",
  "client ── socket ── connection ── dispatch ── command ── browser, refs": "a drawing",
  "daemon.ts   builds the parts, wires them, listens, ends         client.ts   the SDK: one file, no imports": "a map",
  "browse skill codify cart-total --arg query=lamp": "needs a flow, and a person: commands/skills/skill_codify.test.ts",
  "browse skill run table-to-csv --arg url=https://harbour.example/ships --arg table=Arrivals":
    "needs a site: skills/bundled/bundled.test.ts",
  "browse skill run crawl --each pages.jsonl --arg max=1 --concurrency 8":
    "needs a site: skills/bundled/resumed.test.ts",
  "browse skill run crawl --each pages.jsonl --arg max=1 --resume .browse/artifacts/crawl-mb3k2x1-9f4c.jsonl":
    "needs results: skills/bundled/resumed.test.ts",
  '"advice": {': "part of a result: core/advice.test.ts",
  "---": "a manifest: skills/store/manifest.test.ts",
  "mkdir -p ~/.browse": "core/pairing.test.ts",
  "⟦page 8f3c21ab https://shop.example⟧": "an answer: core/ways_out.test.ts",
  "# 1. Trade the key for a token. Keep the token to yourself.": "core/pairing.test.ts",
  "browse agents": "core/pairing.test.ts",
};

/** Its lines are compared with what they are read as, one by one, by rpc/line/own_words.test.ts. */
const COMPARED = "docs/other-tools.md";

/** What stands for words of the reader's own, and an address that would be encrypted. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  "<command>": "click",
  "<name>": "shop",
  "example.com": "http://example.com",
};

interface Block {
  language: string;
  text: string;
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)].map(([, indent = "", language = "", body = ""]) => ({
    language,
    text: body.replace(new RegExp(`^${indent}`, "gm"), ""),
  }));
}

/** Command lines in the running text. */
function spansOf(page: string): string[] {
  const text = readFileSync(join(ROOT, page), "utf8").replace(/^( *)```[\s\S]*?^\1```$/gm, "");
  return [...text.matchAll(/`(browse [^`\n]+)`/g)].map(([, line = ""]) => line);
}

const WALK = blocksOf("README.md").find(({ text }) => text.startsWith("$ browse "))?.text ?? "";
/** Each command of the walk with what it is shown to answer. */
const STEPS = WALK.split(/^\$ /m)
  .slice(1)
  .map((step) => {
    const [line = "", ...answer] = step.trimEnd().split("\n");
    return { line, answer };
  });
const OF_README = spansOf("README.md");
const OF_GUIDES = PAGES.filter((page) => page !== COMPARED && page !== "README.md").flatMap(spansOf);
const LINES = new Set([...OF_README, ...OF_GUIDES]);
const isRun = (line: string) => !(line in CANNOT_RUN) && line !== "browse stop";

/** Where it is installed. */
const home = mkdtempDisposableSync(join(tmpdir(), "browse-documented-"));
let shop: Site;
let project: Project;

beforeAll(async () => {
  const pages = globSync("*.{html,js}", { cwd: SHOP }).map((name) => [
    `/${name}`,
    readFileSync(join(SHOP, name), "utf8"),
  ]);
  shop = await Site.serve(Object.fromEntries(pages));
  shop.set("/", readFileSync(join(SHOP, "index.html"), "utf8"));
  const style = readFileSync(join(SHOP, "shop.css"));
  shop.set("/shop.css", (_request, response) => response.writeHead(200, { "content-type": "text/css" }).end(style));
  // As the proxy it is at any address that an example names.
  project = new Project({ BROWSE_PROXY: shop.url }, { client: install(home.path) });
  await project.run("start", "--quiet");
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
  home.remove();
});

/** Without the program's own name. */
const wordsOf = (line: string): string[] => (splitWords(line).lines[0] ?? []).slice(1);

async function run(line: string) {
  const filled = line.replace(/<\w+>|(?<=goto )example\.com/g, (word) => PLACEHOLDERS[word] ?? word);
  return await project.cli(wordsOf(filled));
}

async function expectToRun(line: string): Promise<string> {
  const { stdout, stderr, exitCode } = await run(line);
  expect({ line, stderr, exitCode }).toEqual({ line, stderr: "", exitCode: 0 });
  return stdout;
}

/** With the refs of a first look at the shop. */
async function expectToRunAlone(line: string): Promise<void> {
  if (line.includes("@e")) await project.run("chain", "newtab localhost:3000 | snapshot -i");
  await expectToRun(line);
}

/** Of a long answer some lines are shown. The tab's number is that of a first one. */
function expectLines(answer: string, shown: readonly string[]): void {
  const told = answer.split("\n").map((line) => line.trim().replace(/ · t\d+ · /, " · t1 · "));
  let from = 0;
  for (const line of shown.map((each) => each.trim())) {
    const at = told.indexOf(line, from);
    expect(at, `${line}\nin\n${answer}`).toBeGreaterThanOrEqual(from);
    from = at + 1;
  }
}

describe("the README", () => {
  it("shows what is answered, and goes on with lines that run there", async () => {
    await project.run("newtab");
    for (const { line, answer } of STEPS) expectLines(await expectToRun(line), answer);
    for (const line of new Set(OF_README.filter(isRun))) await expectToRunAlone(line);
  });

  it("has a script that runs as it is printed", async () => {
    const script = blocksOf("README.md").find(({ language }) => language === "ts")?.text ?? "";
    const path = join(home.path, "script.mts");
    writeFileSync(path, script);
    const env = { ...process.env, BROWSE_STATE_DIR: project.stateDir, BROWSE_HOME: join(project.dir, "home") };
    const { stdout } = await promisify(execFile)(process.execPath, [path], { cwd: project.dir, env });
    expect(stdout).toContain("Lumen");
  });
});

describe("a line of the guides", () => {
  it.each([...new Set(OF_GUIDES)].filter(isRun))("`%s` runs", async (line) => {
    await expectToRunAlone(line);
  });

  it.each(Object.entries(CANNOT_RUN))("`%s` does not: %s", (line) => {
    expect(LINES).toContain(line);
    const [name = ""] = wordsOf(line);
    expect(name.startsWith("<") || commandsNamed(name).length > 0).toBe(true);
  });

  it("is in a block that is run, here or elsewhere", async () => {
    const blocks = PAGES.flatMap(blocksOf).filter(({ text }) => text !== WALK && !text.startsWith("import "));
    const firsts = blocks.map(({ text }) => text.split("\n")[0] ?? "");
    const own = firsts.filter((line) => !(line in OTHER_BLOCKS));
    expect(firsts.filter((line) => line in OTHER_BLOCKS).sort()).toEqual(Object.keys(OTHER_BLOCKS).sort());
    for (const folder of ["shots", "data"]) mkdirSync(join(project.dir, folder), { recursive: true });
    for (const line of own) await expectToRun(line);
    expect(own).toEqual([
      "browse note save shop.example The search needs Enter     leave one; `-` reads it from standard input",
      "browse pair researcher --files shots,data",
      'browse skill new stories --host news.example --description "Read the stories"',
      "browse skill rm stories",
    ]);
  });
});

it("the command that contributors are shown is one", async () => {
  const source = blocksOf("docs/contributing.md").find(({ language }) => language === "ts")?.text ?? "";
  // As if it stood in the folder that it is meant for.
  const folder = pathToFileURL(join(ROOT, "commands/read/"));
  const path = join(home.path, "heading.ts");
  const registry = new URL("../command.ts", folder).pathname;
  writeFileSync(
    path,
    source
      .replace(/from "(\.\.[^"]+)"/g, (_, relative: string) => `from "${new URL(relative, folder).pathname}"`)
      .replace('from "valibot"', `from "${import.meta.resolve("valibot")}"`)
      .concat(`\nimport { findCommand } from "${registry}";`)
      .concat(
        '\nconst { name, examples } = findCommand("heading");\nconsole.log(JSON.stringify({ name, examples }));\n',
      ),
  );
  // In a process of its own: a command that is defined in this one is there for the files that come after.
  const { stdout } = await promisify(execFile)(process.execPath, [path]);
  expect(JSON.parse(stdout)).toEqual({ name: "heading", examples: ["browse heading"] });
});

describe("the head of `browse help`", () => {
  it("has examples that run", async () => {
    const { stdout } = await project.cli(["help"]);
    const examples = [...stdout.matchAll(/^(browse \S.*?) {2,}\S/gm)].map(([, line = ""]) => line);
    expect(examples.length).toBeGreaterThan(2);
    await project.run("newtab");
    for (const line of examples) await expectToRun(line);
  });
});

it("`browse stop` runs, last of all", async () => {
  expect(LINES).toContain("browse stop");
  await expectToRun("browse stop");
});
