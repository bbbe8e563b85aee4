import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Shop } from "../../harness/shop.ts";
import { Site } from "../../harness/site.ts";
import { SkillProject } from "../../harness/skill_project.ts";
import { writeSkill } from "../../harness/skills.ts";

let shop: Shop;
let project: SkillProject;

beforeAll(async () => {
  shop = await Shop.open();
  project = new SkillProject();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
});

beforeEach(async () => {
  shop.empty();
  shop.design = "first";
  await project.cli(["session", "close", "default"]);
});

/** Searches, puts it into the cart and reads the total, with every wrong turn that there is. */
async function shopWithWrongTurns(): Promise<void> {
  await project.run("goto", `${shop.url}/offers`);
  await project.run("text");
  await project.run("goto", shop.url);
  await project.cli(["click", "#buy-now"]);
  await project.run("fill", await project.ref('[searchbox] "Search"'), "lmap");
  await project.run("press", "Enter");
  await project.run("fill", await project.ref('[searchbox] "Search"'), "lamp");
  await project.run("press", "Enter");
  await project.run("click", await project.ref('[link] "Desk lamp"'));
  await project.run("click", await project.ref('[link] "Offers"'));
  await project.run("back");
  await project.run("click", await project.ref('[button] "Add to cart"'));
  await project.run("text", await project.ref('[region] "Summary"'));
}

describe("skill codify", () => {
  it("makes of a winding way a skill that runs with other arguments on a page that was rebuilt, and check tells when it has changed", async () => {
    await shopWithWrongTurns();
    const shown = await project.codify("cart-total", "--arg", "q=lamp");
    expect(shown).toContain("Keep this skill? [y/N]");
    const script = project.script("cart-total");
    expect(project.callsOf("cart-total")).toEqual([
      "goto",
      "wait",
      "fill",
      "press",
      "wait",
      "click",
      "wait",
      "click",
      "wait",
      "text",
    ]);
    expect(script).not.toMatch(/@e\d|offers|Offers|lmap/);
    shop.empty();
    shop.design = "moved";
    expect(await project.resultOf("cart-total", "--arg", "q=chair")).toEqual({
      lines: ["Items: 1", "Total: €120.00"],
      fields: { Items: "1", Total: "€120.00" },
    });
    expect(await project.json("skill", "check", "cart-total", "--live")).toMatchObject({
      skills: [{ test: "passed", isStale: false }],
    });
    shop.design = "changed";
    const { stdout, exitCode } = await project.cli(["skill", "check", "cart-total", "--live", "--json"]);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      skills: [{ isStale: true, diff: expect.arrayContaining(["- result.fields.Total: text with a number"]) }],
    });
  });

  it("asks the person at the terminal, keeps nothing where there is none, and takes a no for a no", async () => {
    await project.run("goto", shop.url);
    await project.run("text", "h1");
    expect(await project.cannotCodify("asked")).toMatch(/Only a person at a terminal .*\n?.*Run it in a terminal/);
    expect(await project.atTerminal(["skill", "codify", "asked"], "n")).toContain("was not agreed to");
    expect(existsSync(project.skillDir("asked"))).toBe(false);
    expect(readdirSync(join(project.home, ".tmp")).filter((name) => !name.startsWith("."))).toEqual([]);
  });

  it("begins after work that had its own answer, and takes an address that was typed as it is", async () => {
    await project.run("goto", shop.url);
    await project.run("click", await project.ref('[link] "Offers"'));
    await project.run("fill", await project.ref('[searchbox] "Search"'), "lamp");
    await project.run("press", "Enter");
    await project.run("click", await project.ref('[link] "Desk lamp"'));
    await project.run("click", await project.ref('[button] "Add to cart"'));
    await project.run("text", await project.ref('[region] "Summary"'));
    await project.run("goto", shop.url);
    await project.run("links");
    await project.run("goto", `${shop.url}/offers`);
    await project.run("text", "h1");
    const shown = await project.codify("offers");
    expect(project.callsOf("offers")).toEqual(["goto", "wait", "text"]);
    expect(project.script("offers")).toContain(JSON.stringify(`${shop.url}/offers`));
    expect(shown).toMatch(/Left out click .*--from/);
  });

  it("keeps what was done when nothing was read before the page was opened", async () => {
    await project.run("goto", `${shop.url}/product/1`);
    await project.run("click", await project.ref('[button] "Add to cart"'));
    await project.run("goto", `${shop.url}/cart`);
    await project.run("text", await project.ref('[region] "Summary"'));
    await project.codify("cart");
    expect(project.callsOf("cart")).toContain("click");
  });

  it("refuses a name for a value that was never used, and says which fields were filled", async () => {
    await project.run("goto", shop.url);
    await project.run("fill", await project.ref('[searchbox] "Search"'), "lamp");
    await project.run("press", "Enter");
    await project.run("text", "h1");
    const { stderr, exitCode } = await project.cli(["skill", "codify", "unused", "--arg", "q=nothere"]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('fill searchbox "Search"')]);
    expect(stderr).not.toContain("lamp");
  });

  it("says why there is nothing to make a skill of", async () => {
    await project.run("goto", shop.url);
    expect(await project.cannotCodify("none")).toContain("no read has answered anything");
    await project.run("text");
    expect(await project.cannotCodify("none", "--from", "ffff-1..ffff-2")).toContain("has no calls from ffff-1");
    expect(await project.cannotCodify("none", "--from", "yesterday")).toContain("--from takes last, or two ids");
    expect(await project.cannotCodify("none", "--host", "other.example")).toContain("not on other.example");
    await project.run("goto", shop.url.replace("127.0.0.1", "localhost"));
    await project.run("fill", "input[type=search]", "lamp");
    await project.run("click", "role=button[name=Find]");
    await project.run("click", 'role=link[name="Desk lamp"]');
    await project.run("click", 'role=button[name="Add to cart"]');
    await project.run("goto", shop.url);
    await project.run("text", "h1");
    expect(await project.cannotCodify("none")).toContain("it went through several hosts: ");
  });

  it("takes no calls of a skill, whatever that calls itself", async () => {
    const body = `process.send(JSON.stringify({ jsonrpc: "2.0", id: "forged", method: "session.hello", params: { client: "browse-cli", version: "1" } }));
      await browse.title(); return (await browse.text({ target: "h1" })).text;`;
    writeSkill(project.home, "forging", { manifest: "source: human\ntabs: shared", body });
    await project.run("goto", shop.url);
    await project.run("skill", "run", "forging");
    expect(await project.cannotCodify("forged")).toContain("no read has answered anything");
    const { entries } = (await project.json("journal", "--last", "5")) as {
      entries: { command: string; client: string; by: string }[];
    };
    const read = entries.find(({ command }) => command === "text");
    expect(read).toMatchObject({ by: "skill forging", client: expect.stringMatching(/^skill\//) });
  });

  it("refuses a range with calls of another session in it, and one in which all failed", async () => {
    await project.run("goto", shop.url);
    await project.run("goto", shop.url, "--session", "apart");
    await project.run("text", "h1");
    const { entries } = (await project.json("journal", "--last", "4")) as {
      entries: { id: string; command: string }[];
    };
    const calls = entries.filter(({ command }) => command === "goto" || command === "text");
    const range = `${calls.at(0)?.id}..${calls.at(-1)?.id}`;
    expect(await project.cannotCodify("none", "--from", range)).toContain('calls of another session, "apart"');
    await project.cli(["click", "#nowhere"]);
    const failed = (await project.json("journal", "--last", "1")) as { entries: { id: string }[] };
    const only = failed.entries[0]?.id ?? "";
    expect(await project.cannotCodify("none", "--from", `${only}..${only}`)).toContain("all of its calls failed");
    await project.run("session", "close", "apart");
  });

  it("puts nothing that a page says into the code of a script but as text", async () => {
    await using site = await Site.serve({
      "/": `<!doctype html><title>T</title><button>*/ process.exit(1) // \u2028 \`\${process.exit(1)}\` "'</button><p id="p">Said: 1</p>`,
    });
    await project.run("goto", site.url);
    await project.run("click", await project.ref("[button]"), "--no-settle");
    await project.run("text", "#p");
    await project.codify("hostile");
    expect(await project.resultOf("hostile")).toEqual({ lines: ["Said: 1"], fields: { Said: "1" } });
  });
});
