/** The pages of the ARIA Authoring Practices patterns, and what a test does with them through the client. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { Project } from "../../harness/project.ts";
import { Site } from "../../harness/site.ts";

const FOLDER = join(import.meta.dirname, "../../fixtures/apg");

/** Serves every pattern by its name to a project of its own, for all tests of a file. */
export function usePatterns() {
  let site: Site;
  let project: Project;

  beforeAll(async () => {
    site = await Site.serve(Object.fromEntries(readdirSync(FOLDER).map(pageOf)));
    project = new Project();
  });

  afterAll(async () => {
    await project[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const run = (...argv: string[]): Promise<string> => project.run(...argv);

  /** The ref of the first thing to operate whose line holds `node`, such as `[tab] "Nielsen"`. */
  const ref = (node: string): Promise<string> => project.ref(node, "-i");

  const js = async (code: string): Promise<unknown> => {
    const { value } = await project.json("js", code);
    return value;
  };

  /** The lines of `snapshot -i` below its header, without refs: what an agent is told there is, and in what state. */
  const lines = async (): Promise<string[]> => {
    const [, ...rest] = (await run("snapshot", "-i")).split("\n");
    return rest.map((line) => line.trim().replace(/^@\w+ /, ""));
  };

  return {
    run,
    ref,
    js,
    lines,
    refusal: (...argv: string[]) => project.refusal(...argv),
    open: (pattern: string) => run("goto", `${site.url}/${pattern}`),
    click: async (node: string, ...flags: string[]) => await run("click", await ref(node), ...flags),
    focus: async (node: string) => await run("focus", await ref(node)),
    async press(...keys: string[]): Promise<void> {
      for (const key of keys) await run("press", key);
    },
    /** The lines of one role. */
    linesOf: async (role: string) => (await lines()).filter((line) => line.startsWith(`[${role}]`)),
    /** What an element of the page holds or says, by its id. */
    textOf: (id: string) =>
      js(`document.getElementById("${id}").value ?? document.getElementById("${id}").textContent`),
    /** Where the keyboard is: what the focused element says. */
    focused: () => js("document.activeElement.textContent.trim() || document.activeElement.getAttribute('aria-label')"),
  };
}

function pageOf(file: string): [path: string, html: string] {
  return [`/${file.replace(".html", "")}`, readFileSync(join(FOLDER, file), "utf8")];
}
