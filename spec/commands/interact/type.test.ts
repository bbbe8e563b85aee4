/** Pages that build themselves by script, forms that were sent, downloads: what an answer says once they are there. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;
let sent = 0;

/** Asks for its content in a task of its own, as frameworks do. */
const APP = `
  async function show() {
    root.textContent = "Loading…";
    root.textContent = (await (await fetch("/api" + location.pathname)).json()).title;
  }
  addEventListener("popstate", show);
  more.onclick = () => { history.pushState({}, "", "/app/second"); show(); };
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = show;
  port2.postMessage(1);`;
const SHELL = `<!doctype html><title>App</title><p id=root></p><button id=more>More</button><a href=/app/first>Home</a>
  <script type=module src=/app.js></script>`;
const FORM = "<!doctype html><title>Form</title><form method=post action=/order><button>Order</button></form>";

beforeAll(async () => {
  site = await Site.serve({
    "/app.js": APP,
    "/app/first": SHELL,
    "/app/second": SHELL,
    "/app/silent": SHELL,
    "/api/app/first": (_request, response) => void setTimeout(() => response.end('{"title":"First"}'), 150),
    "/api/app/second": (_request, response) => void setTimeout(() => response.end('{"title":"Second"}'), 150),
    "/api/app/silent": () => undefined,
    "/form": FORM,
    "/order": (request, response) => {
      if (request.method === "POST") sent++;
      response.setHeader("content-type", "text/html").end(`<!doctype html><title>Thanks</title>${sent} sent`);
    },
    "/files": "<!doctype html><title>Files</title><a href=/list.csv download>List</a>",
    "/list.csv": (_request, response) => {
      response.writeHead(200, { "content-type": "text/csv" }).write("a,b\n");
      setTimeout(() => response.end("1,2\n"), 200);
    },
    "/pops": `<!doctype html><title>Pops</title><button onclick="window.open('/api/app/silent')">Silent</button>
      <a href=mailto:a@example.com target=_blank>Mail</a>`,
    "/fields": `<!doctype html><title>Fields</title><label>Search <input value=old></label><label>Mail <input type=email
      value=a@b.c></label><label>Notes <textarea>One</textarea></label><div contenteditable aria-label=Rich>Two</div>`,
  });
  project = await SharedProject.open();
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** A machine that is busy may take longer than is waited: then the answer has to say so. */
async function shows(title: string, ...argv: string[]): Promise<void> {
  const answer = await project.run(...argv);
  if (answer.includes("not answered yet")) await project.run("wait", "--text", title);
  expect(await project.run("text", "#root")).toBe(title);
}

describe("a page that builds itself by script", () => {
  it("is there when goto, click, back and forward have answered", async () => {
    await shows("First", "goto", `${site.url}/app/first`);
    await shows("Second", "click", "#more");
    await shows("First", "back");
    await shows("Second", "forward");
    await shows("First", "click", "text=Home");
  });

  it("is said to wait for what is not answered", async () => {
    const answer = await project.run("goto", `${site.url}/app/silent`);
    expect(answer).toBe(`Navigated to ${site.url}/app/silent (200) → GET ${site.url}/api/app/silent not answered yet`);
  });
});

describe("reload of the answer to a form", () => {
  it("sends the form again only with --resend", async () => {
    await project.run("goto", `${site.url}/form`);
    await project.run("click", "text=Order");
    const before = sent;
    const { kind, message, hint } = await project.refusal("reload");
    expect({ kind, message }).toEqual({
      kind: "invalid_params",
      message: "This page is the answer to a form: loading it again would send the form again",
    });
    expect(hint).toContain("--resend");
    expect(sent).toBe(before);
    await project.run("reload", "--resend");
    expect(sent).toBe(before + 1);
    await project.run("goto", `${site.url}/form`);
    await project.run("reload");
  });
});

describe("a click that downloads", () => {
  it("is told with the file's path", async () => {
    await project.run("goto", `${site.url}/files`);
    expect(await project.run("click", "text=List")).toMatch(/→ download list\.csv \(\/.*list\.csv\)/);
  });
});

describe("a click that asks for a tab", () => {
  it("says so when the tab is not there after a while", async () => {
    await project.run("goto", `${site.url}/pops`);
    expect(await project.run("click", "text=Silent")).toContain(
      `→ opening a tab for ${site.url}/api/app/silent (not there yet)`,
    );
    expect(await project.run("click", "text=Mail")).not.toContain("opening");
  });
});

describe("type", () => {
  it("types into the element before the text, and says what has it", async () => {
    await project.run("goto", `${site.url}/fields`);
    expect(await project.run("type", "hello")).toMatch(/^Typed 5 characters; nothing had the focus/);
    expect(await project.run("type", "label=Search", "desk", "lamp")).toMatch(
      /^Typed 9 characters into @e\d+ \[textbox\] "Search"/,
    );
    expect(await project.run("value", "label=Search")).toContain("desk lamp");
    const { stdout } = await project.cli(["type", await project.ref("Search", "-i"), "-"], { stdin: "!" });
    expect(stdout).toMatch(/^Typed 1 character into/);
    expect(await project.run("type", "again")).toMatch(/^Typed 5 characters into @e\d+ \[textbox\] "Search"/);
  });

  it.each([
    ["label=Search", "old"],
    ["label=Mail", "a@b.c"],
    ["label=Notes", "One"],
    ["label=Rich", "Two"],
  ])("adds to what %s holds, and goes on where the caret is", async (field, held) => {
    await project.run("goto", `${site.url}/fields`);
    await project.run("type", "--into", field, "xy");
    expect(await project.run("value", field)).toBe(`${held}xy`);
    await project.run("press", "ArrowLeft");
    await project.run("type", field, "z");
    expect(await project.run("value", field)).toBe(`${held}xzy`);
  });

  it.each(["#id", ".name", "input[type=email]", "[type=email]", "textarea"])(
    "asks which it is where the first word may be the selector %s or text",
    async (word) => {
      await project.run("goto", `${site.url}/fields`);
      await project.run("focus", "label=Search");
      const { kind, message, hint } = await project.refusal("type", word, "hidden words");
      expect([kind, hint]).toEqual(["invalid_params", expect.stringContaining("--into <selector>")]);
      expect(message + hint).not.toContain("hidden");
      expect(await project.run("value", "label=Search")).toBe("old");
      await project.run("type", "--into", "label=Search", word, "words");
      expect(await project.run("value", "label=Search")).toContain(`${word} words`);
    },
  );

  it("takes one word for text, whatever it looks like", async () => {
    await project.run("goto", `${site.url}/fields`);
    await project.run("focus", "label=Search");
    await project.run("type", "@e3");
    expect(await project.run("value", "label=Search")).toContain("@e3");
  });
});
