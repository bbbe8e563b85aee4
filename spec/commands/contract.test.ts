/** What every command of the registry has to keep: it is documented, its examples run, and it refuses what it does not know. */
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allCommands } from "../../commands/command.ts";
import "../../commands/mod.ts";
import { paramsJsonSchema } from "../../rpc/line/syntax.ts";
import { splitWords } from "../../wording.ts";
import { install } from "../harness/installed.ts";
import { pngOf } from "../harness/pictures.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

/** The page that examples are written for: `@e3` of a first `snapshot -i` is a button that can be pressed. */
const SHOP = `<!doctype html><title>Shop</title>
<nav><a href="/">Home</a> <a href="/about">About</a></nav>
<main>
  <button onclick="document.getElementById('cart').textContent = '1 item in the cart'">Add to cart</button>
  <p id="cart">Your cart is empty</p>
  <p>Lamp, 20 €</p>
  <label>Search <input type="search" value="chair"></label>
  <label>Size <select><option>Small</option><option>Large</option></select></label>
  <label><input type="checkbox"> Gift wrap</label>
  <label>Receipts <input type="file"></label>
  <p id="receipts" ondragover="event.preventDefault()" ondrop="event.preventDefault()">Drop receipts here</p>
  <table><tr><th>Size<th>Price<tr><td>Small<td>20 €</table><img src="/lamp.png" alt="Lamp">
</main>
<script>console.log("ready"); localStorage.setItem("theme", "light"); document.cookie = "visited=1"; fetch("/api/stock");</script>`;

let site: Site;
let project: Project;
/** Where it is installed. */
const home = mkdtempDisposableSync(join(tmpdir(), "browse-installed-"));

beforeAll(async () => {
  site = await Site.serve({
    "/": SHOP,
    "/about": SHOP.replace("<title>Shop", "<title>About"),
    "/lamp.png": (_request, response) => response.writeHead(200, { "content-type": "image/png" }).end(pngOf(8, 8)),
    "/api/stock": (_request, response) => response.writeHead(200, { "content-type": "application/json" }).end("{}"),
  });
  // As its proxy the site is any host that an example names.
  project = new Project({ BROWSE_PROXY: site.url }, { client: install(home.path) });
  // The tab t1 of examples, which none of them closes.
  await project.run("newtab");
  await project.run("pdf", "receipt.pdf");
  writeFileSync(join(project.dir, "receipt.txt"), "Lamp, 20 €\n");
  writeFileSync(join(project.dir, "receipt.html"), "<!doctype html><title>Receipt</title><p>Lamp, 20 €</p>\n");
  writeFileSync(join(project.dir, "cookies.txt"), ".shop.example\tTRUE\t/\tFALSE\t0\tcart\tlamp\n");
  mkdirSync(join(project.dir, "home"), { recursive: true });
  writeFileSync(join(project.dir, "home/config.json"), '{"tunnel": {"consent": true, "provider": "none"}}');
  writeFileSync(join(project.dir, "look.txt"), "title\nsnapshot -i\n");
  writeFileSync(join(project.dir, "count-links.js"), "document.querySelectorAll('a').length\n");
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  home.remove();
});

describe.each(allCommands().map((command) => [command.name, command] as const))("%s", (name, command) => {
  it("has a summary, examples, and a name that fits", () => {
    expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(name).toMatch(/^[a-z][a-z0-9-]*(?:\.[a-z]+)?$/);
    expect(command.examples.length).toBeGreaterThan(0);
    for (const [param, schema] of Object.entries(paramsJsonSchema(command).properties ?? {})) {
      expect(schema, `--${param} of ${name} has a description`).toHaveProperty("description");
    }
    expect(command.examples.at(-1)).toMatch(new RegExp(`^browse ${command.spelling}(?: |$)`));
  });
});

describe("every command", () => {
  it("refuses a flag it does not know, and says which it does", async () => {
    const stdin = allCommands().map(({ name }) => `${name} --no-such-flag-here`);
    const { stderr, exitCode } = await project.cli(["--json", "-"], { stdin: stdin.join("\n") });
    const errors = stderr
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { error: object }).error);
    expect(errors).toEqual(
      allCommands().map(({ name }) =>
        expect.objectContaining({
          kind: "invalid_params",
          flag: "--no-such-flag-here",
          hint: expect.stringMatching(`^"${name}" (?:accepts --|has no flags of its own; )`),
        }),
      ),
    );
    expect(exitCode).toBe(2);
  });
});

describe("the help", () => {
  it("of every command has its summary and examples", async () => {
    const stdin = allCommands().map(({ name }) => `help ${name}`);
    const { stdout } = await project.cli(["-"], { stdin: stdin.join("\n") });
    for (const { summary, examples } of allCommands()) {
      expect(stdout).toContain(`\n${summary}.\n`);
      for (const example of examples) expect(stdout).toContain(`\n  ${example}\n`);
    }
  });
});

describe("the example", () => {
  /** A page of its own, with refs that start anew. */
  const BEFORE = "newtab http://shop.example/ | snapshot -i";
  /** A page before it and one after it, for what goes there. */
  const HISTORY = "goto http://shop.example/about | goto http://shop.example/ | goto http://shop.example/about | back";
  /** These leave no tab of ours to close. */
  const ENDING = new Set(["closetab", "stop", "restart"]);

  /** Of these the examples ask for no page. Some end the browser, which would be started again for each. */
  /** A daemon on which all examples were run keeps more events than `events --history` shows. */
  const OLDER_EVENTS = expect.stringMatching(
    /^(?:Warning: \d+ older events are kept: --since 0 shows them first\n|headline: "Reading about:blank"\n)?$/,
  );
  const WITHOUT_PAGE = new Set(["daemon", "security", "skills"]);

  /** What examples name that is not there: the id of a call, skills that nobody has made. */
  const MISSING: readonly [begin: string, says: string][] = [
    ["confirm", "No call with the id"],
    ["note promote", "There is no note"],
    ["skill check cart-total", 'There is no skill "cart-total"'],
    ["skill codify cart-total", "Nothing that the script does was given the value of --arg q"],
    ["skill codify prices", "has no calls from 7f3a-12"],
  ];

  let isPrepared = false;

  /** Is the page as it was before, for the next example? */
  function leavesPage({ category, effect, needs }: (typeof examples)[number]["command"]): boolean {
    if (effect === "browser") return category !== "tabs";
    return effect === "none" || effect === "disk" || needs === "daemon";
  }

  const examples = allCommands()
    .flatMap((command) => command.examples.map((example) => ({ example, command })))
    // What one begins for another to end is begun once.
    .filter(({ example }, index, all) => all.findIndex((other) => other.example === example) === index);

  it.each(examples)("`$example` works", async ({ example, command }) => {
    const hasPage = !WITHOUT_PAGE.has(command.category);
    if (hasPage && !isPrepared) await project.run("chain", BEFORE);
    const [, ...argv] = splitWords(example).lines[0] ?? [];
    if (/^(back|forward)$/.test(argv[0] ?? "")) await project.run("chain", HISTORY);
    const answer = await project.cli(argv);
    const missing = MISSING.find(([begin]) => argv.join(" ").startsWith(begin))?.[1];
    if (missing !== undefined)
      expect(answer).toMatchObject({
        exitCode: expect.toSatisfy((code) => code > 0),
        stderr: expect.stringContaining(missing),
      });
    else expect(answer).toMatchObject({ exitCode: 0, stderr: OLDER_EVENTS, stdout: expect.stringMatching(/\S/) });
    const isEnding = ENDING.has(argv[0] ?? "");
    isPrepared = !isEnding && leavesPage(command) && (hasPage || isPrepared);
    if (hasPage && !isPrepared && !isEnding) await project.cli(["closetab"]);
  });
});
