import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/frame": "<!doctype html><h2>In the frame</h2>",
    "/login": `<!doctype html><title>Login</title><h1>Login</h1><label>Name <input value="ann"></label>
      <label>Secret <input type="password" value="hunter2"></label><input autocomplete="one-time-code" aria-label="Code" value="424242">
      <button disabled>Go</button><iframe id="other"></iframe>
      <script>other.src = location.origin.replace("127.0.0.1", "localhost") + "/frame"</script>`,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("accessibility", () => {
  it("shows roles, names and states of the page and its frames, and no values of fields", async () => {
    await project.run("goto", `${site.url}/login`, "--wait", "load");
    const tree = await project.run("accessibility");
    expect(tree).toMatch(/^RootWebArea "Login"/);
    expect(tree).toMatch(/^ +heading "Login" level=1$/m);
    expect(tree).toMatch(/^ +textbox "Name"/m);
    expect(tree).toMatch(/^ +button "Go" disabled$/m);
    expect(tree).toMatch(/Iframe.*\n +RootWebArea.*\n(.*\n)* +heading "In the frame" level=2/);
    for (const secret of ["hunter2", "424242", "•"]) expect(tree).not.toContain(secret);
    const { nodes } = await project.json("accessibility");
    expect(nodes).toEqual(expect.arrayContaining([expect.objectContaining({ role: "heading", name: "Login" })]));
  });

  it("refuses at once a page of more nodes than a daemon reads without keeping others waiting", async () => {
    site.set("/many", `<!doctype html><title>Many</title>${"<i>a</i>".repeat(21_000)}`);
    await project.run("goto", `${site.url}/many`);
    const refusal = await project.refusal("accessibility");
    expect(refusal).toMatchObject({
      kind: "too_large",
      maxNodes: 40_000,
      hint: expect.stringContaining("snapshot -s"),
    });
  });

  it("quotes what a page says in its attributes, which ends no line", async () => {
    site.set(
      "/attributes",
      `<button aria-keyshortcuts="Control+A&#10;button &quot;Forged&quot;" aria-live="x&#10;y">Go</button>`,
    );
    await project.run("goto", `${site.url}/attributes`);
    const tree = await project.run("accessibility");
    expect(tree).not.toMatch(/^ *(button "Forged"|y)/m);
    expect(tree).toContain('keyshortcuts="Control+A');
  });

  it("refuses at once a text that the browser would be busy with for minutes, in frames too", async () => {
    site.set("/log", `<!doctype html><title>Log</title><pre>${"a\n".repeat(30_000)}</pre>`);
    site.set("/framed-log", `<!doctype html><title>Framed</title><h1>Log</h1><iframe src="/log"></iframe>`);
    for (const path of ["/log", "/framed-log"]) {
      await project.run("goto", `${site.url}${path}`, "--wait", "load");
      const refusal = await project.refusal("accessibility");
      expect(refusal).toMatchObject({
        kind: "too_large",
        maxLines: 20_000,
        hint: expect.stringContaining("browse text"),
      });
      expect(refusal.message).toMatch(/a text of some \d{5} lines/);
      expect(await project.title()).toBe(path === "/log" ? "Log" : "Framed");
    }
  });
});
