/** What belongs to a skill, and what was done for something else, in another tab, or taken back. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Site } from "../../harness/site.ts";
import { SkillProject } from "../../harness/skill_project.ts";

let site: Site;
let project: SkillProject;

beforeAll(async () => {
  site = await Site.serve({
    "/tasks": `<title>Tasks</title><form action="/tasks"><input name="t" placeholder="What to do"></form><p>Nothing</p>`,
    "/search": `<title>Search</title><form action="/found"><input type="search" name="q" aria-label="Search"></form>`,
    "/found": (request, response) => {
      const url = new URL(request.url ?? "", site.url);
      const [q, page] = [url.searchParams.get("q"), Number(url.searchParams.get("page") ?? 1)];
      const next = page < 3 ? `<a href="/found?q=${q}&page=${page + 1}">Next</a>` : "";
      response.setHeader("content-type", "text/html").end(`<title>Found</title><h1>${q}, page ${page}</h1>${next}`);
    },
    "/pay": `<title>Pay</title><iframe title="Card" src="/card"></iframe><p id="out">open</p>`,
    "/card": `<input aria-label="Number"><button onclick="parent.out.textContent = 'paid ' + document.querySelector('input').value">Pay</button>`,
    "/account": `<title>Account</title><button onclick="window.open('/choose')">Choose</button><p id="now">none</p>`,
    "/choose": `<title>Choose</title><button onclick="opener.now.textContent = 'chosen'">This one</button>`,
  });
  project = new SkillProject();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.cli(["session", "close", "default"]);
});

async function done(...lines: string[][]): Promise<void> {
  for (const line of lines) await project.run(...line);
}

test("an earlier task in which the same key was pressed is another task", async () => {
  await done(
    ["goto", `${site.url}/tasks`],
    ["fill", "placeholder=What to do", "milk"],
    ["press", "Enter"],
    ["text", "p"],
    ["goto", `${site.url}/search`],
    ["fill", "label=Search", "desk"],
    ["press", "Enter"],
    ["text", "h1"],
  );
  await project.codify("search", "--arg", "q=desk");
  expect(project.script("search")).not.toMatch(/tasks|need\(/);
  expect(await project.resultOf("search", "--arg", "q=wall")).toMatchObject({ lines: ["wall, page 1"] });
});

test("a read before another page was opened is no page of a list", async () => {
  await done(
    ["goto", `${site.url}/found?q=lamp`],
    ["text", "h1"],
    ["goto", `${site.url}/found?q=desk`],
    ["click", "text=Next"],
    ["text", "h1"],
  );
  await project.codify("second");
  expect(await project.resultOf("second")).toMatchObject({ lines: ["desk, page 2"] });
});

test("what was taken back, and done again, is left out as a pair", async () => {
  await done(
    ["goto", `${site.url}/found?q=lamp`],
    ["goto", `${site.url}/found?q=desk`],
    ["back"],
    ["forward"],
    ["text", "h1"],
  );
  await project.codify("forward");
  expect(await project.resultOf("forward")).toMatchObject({ lines: ["desk, page 1"] });
});

test("a frame is left as it was entered", async () => {
  await done(
    ["goto", `${site.url}/pay`],
    ["frame", "iframe[title=Card]"],
    ["fill", "label=Number", "4242"],
    ["click", "button"],
    ["frame", "main"],
    ["text", "#out"],
  );
  await project.codify("pay", "--arg", "number=4242");
  expect(await project.resultOf("pay", "--arg", "number=77")).toMatchObject({ lines: ["paid 77"] });
  // Its page says nothing of it when it is opened by its address.
  const { skills } = (await project.json("skill", "check", "pay", "--live")) as { skills: unknown[] };
  expect(skills).toEqual([expect.objectContaining({ name: "pay", test: "passed", needsSteps: true })]);
});

test("what was done in another tab is told, since the skill does not do it", async () => {
  await done(["goto", `${site.url}/account`]);
  const { effect } = (await project.json("click", "text=Choose")) as { effect: { opened: string[] } };
  await done(["click", "text=This one", "--tab", String(effect.opened[0])], ["text", "#now"]);
  const shown = (await project.codify("choose")).replace(/\s+/g, " ");
  expect(shown).toMatch(/Note: It does nothing in other tabs, and leaves out click \(\S+\) in t\d+/);
});
