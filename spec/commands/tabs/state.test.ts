import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Project } from "../../harness/project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;

let project: Project;

const PAGE = `<!doctype html><title>Shop</title><script>
  const opening = indexedDB.open("shop", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("cart");
  const opened = new Promise((resolve) => opening.onsuccess = resolve);
  window.store = (value) => opened.then(() => new Promise((resolve) => {
    const change = opening.result.transaction("cart", "readwrite");
    change.objectStore("cart").put(value, "lamp");
    change.oncomplete = () => resolve("stored");
  }));
  window.read = () => opened.then(() => new Promise((resolve) => {
    const reading = opening.result.transaction("cart").objectStore("cart").get("lamp");
    reading.onsuccess = () => resolve(reading.result ?? "nothing");
  }));
</script>`;

beforeAll(async () => {
  site = await Site.serve({ "/": PAGE, "/other": PAGE.replace("Shop", "Other") });
  project = new Project({ BROWSE_STATE_KEY: "a key for tests" });
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.cli(["session", "close", "default"]);
  await project.run("goto", site.url);
});

interface Tabs {
  tabs: { id: string; url: string; current: boolean }[];
}

const filePath = (name: string) => join(project.stateDir, "states", `${name}.json`);

async function tabs(...flags: string[]): Promise<Tabs["tabs"]> {
  return ((await project.json("tabs", ...flags)) as unknown as Tabs).tabs;
}

async function js(code: string, ...flags: string[]): Promise<unknown> {
  return (await project.json("js", code, ...flags)).value;
}

async function fillSession(): Promise<void> {
  await js("void (document.cookie = 'sid=very-secret-value; max-age=3600'), localStorage.setItem('theme', 'dark')");
  await js("sessionStorage.setItem('step', '3')");
  await js("await store('two lamps')");
  await project.run("newtab", `${site.url}/other`);
}

describe("state", () => {
  it("saves what the session holds and brings it back, in a session that holds something else", async () => {
    await fillSession();
    const saved = await project.run("state", "save", "shop");
    expect(saved).toContain(`Saved "shop": 1 cookie of 127.0.0.1; storage of ${site.url}; 1 database; 2 tabs`);
    await project.cli(["session", "close", "default"]);
    await project.run("goto", `${site.url}/other`);
    await js("void (document.cookie = 'later=1'), localStorage.setItem('theme', 'light')");
    const before = await tabs();
    expect(await project.run("state", "load", "shop")).toContain('Loaded "shop": 1 cookie');
    const after = await tabs();
    expect(after.map(({ url, current }) => [url, current])).toEqual([
      [`${site.url}/`, false],
      [`${site.url}/other`, true],
    ]);
    // Ids are never used again.
    expect(after.map(({ id }) => id)).not.toContain(before[0]?.id);
    const first = ["--tab", String(after[0]?.id)];
    expect(await js("[document.cookie, localStorage.theme, sessionStorage.step]", ...first)).toEqual([
      "sid=very-secret-value",
      "dark",
      "3",
    ]);
    expect(await js("await read()", ...first)).toBe("two lamps");
  });

  it("of pages with blank frames and of files keeps what their sites stored, and can be read", async () => {
    writeFileSync(join(project.dir, "page.html"), "<!doctype html><script>sessionStorage.file = 1</script>");
    await js("document.body.append(document.createElement('iframe')); sessionStorage.setItem('step', '4')");
    await project.run("newtab", `file://${join(project.dir, "page.html")}`);
    await project.run("state", "save", "blank");
    await project.run("session", "new", "again", "--state", "blank");
    const [first] = await tabs("--session", "again");
    expect(await js("sessionStorage.step", "--tab", first!.id)).toBe("4");
    await project.run("session", "close", "again");
  });

  it("is in files for this user only, with no more shown of them than counts, names and addresses", async () => {
    await fillSession();
    await project.run("state", "save", "private");
    expect(statSync(filePath("private")).mode & 0o777).toBe(0o600);
    const shown = await project.run("state", "show", "private");
    expect(shown).toContain(`${site.url}/other`);
    expect(shown).not.toContain("very-secret-value");
    expect(await project.journal()).not.toContain("very-secret-value");
  });

  it("lists, shows and removes without a browser", async () => {
    await using fresh = new Project();
    expect(await fresh.run("state", "list")).toBe("No states are saved");
    expect(await fresh.refusal("state", "show", "none")).toMatchObject({ kind: "not_found" });
    expect(await fresh.refusal("state", "rm", "none")).toMatchObject({ kind: "not_found" });
    expect(await fresh.json("status")).toMatchObject({ browser: "none" });
  });

  it("tells of no file, whoever wrote it, in lines of their own", async () => {
    await project.run("state", "save", "planted");
    const whole = readFileSync(filePath("planted"), "utf8");
    const file = JSON.parse(whole) as { savedAt: string; content: { tabs: unknown[]; cookies: object[] } };
    writeFileSync(filePath("planted"), JSON.stringify({ ...file, savedAt: `${file.savedAt}\n@e1` }));
    expect(await project.run("state", "list")).toMatch(/^planted unreadable/m);
    expect(await project.refusal("state", "show", "planted")).toMatchObject({ kind: "state_unreadable" });
    const tabs = [{ url: "https://shop.example/\n@e1", sessionStorage: [] }];
    writeFileSync(filePath("planted"), JSON.stringify({ ...file, content: { ...file.content, tabs } }));
    expect(await project.refusal("state", "show", "planted")).toMatchObject({ kind: "state_unreadable" });
    await project.run("state", "rm", "planted");
  });

  it("is listed, and gone when it is removed", async () => {
    await project.run("state", "save", "to-remove");
    expect(await project.run("state", "list")).toMatch(/^to-remove \d{4}-.*Z \d+ bytes$/m);
    expect(await project.run("state", "rm", "to-remove")).toBe('Removed "to-remove"');
    expect(await project.refusal("state", "load", "to-remove")).toMatchObject({ kind: "not_found" });
  });

  it("leaves out documents that load-html showed, and what they stored", async () => {
    await project.run("newtab", site.url);
    await project.run(
      "load-html",
      "--html",
      "<script>localStorage.setItem('draft', 'private 7391')</script><p>Draft</p>",
    );
    await project.run("state", "save", "drafts");
    const written = readFileSync(filePath("drafts"), "utf8");
    expect(written).not.toMatch(/7391|loaded-/);
    expect(JSON.parse(written)).toMatchObject({ content: { current: 0 } });
    expect(await project.json("state", "show", "drafts")).toMatchObject({ shown: { tabs: [`${site.url}/`] } });
  });

  it("is refused under names that are none", async () => {
    for (const name of ["../up", ".hidden", "a/b", "a b"]) {
      expect(await project.refusal("state", "save", "--", name)).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    }
    expect(await project.refusal("state", "save")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await project.refusal("state", "keep", "x")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await project.refusal("state", "load", "x", "--encrypt")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
    });
  });
});

describe("an encrypted state", () => {
  it("comes back with the key, and not when the file was changed", async () => {
    await fillSession();
    await project.run("state", "save", "sealed", "--encrypt");
    expect(readFileSync(filePath("sealed"), "utf8")).not.toContain("very-secret-value");
    expect(await project.run("state", "list")).toMatch(/^sealed .* encrypted$/m);
    expect(await project.run("state", "load", "sealed")).toContain("1 cookie");
    const text = readFileSync(filePath("sealed"), "utf8");
    writeFileSync(
      filePath("sealed"),
      text.replace(/"data":"(.)/, (_all, first: string) => `"data":"${first === "A" ? "B" : "A"}`),
    );
    const before = await tabs();
    expect(await project.refusal("state", "load", "sealed")).toMatchObject({ kind: "state_unreadable", exitCode: 1 });
    expect(await tabs()).toEqual(before);
  });

  it("is refused to another key", async () => {
    await project.run("state", "save", "locked", "--encrypt");
    await using other = new Project({ BROWSE_STATE_KEY: "another key" });
    mkdirSync(join(other.stateDir, "states"), { recursive: true, mode: 0o700 });
    writeFileSync(join(other.stateDir, "states", "locked.json"), readFileSync(filePath("locked")));
    expect(await other.refusal("state", "show", "locked")).toMatchObject({
      kind: "state_unreadable",
      message: "The state was saved with another key",
    });
  });
});
