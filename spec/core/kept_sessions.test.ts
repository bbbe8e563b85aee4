/** What outlives a daemon whose place another one takes. */
import { existsSync, readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isRunning } from "../harness/is_running.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";
import { recordedBrowsers } from "./traces_of_daemon.ts";

const LOGIN = `<!doctype html><title>Login</title>
<button onclick="document.cookie = 'sid=abc; max-age=3600'; localStorage.who = 'Ada'; sessionStorage.tab = 'one'; show()">Log in</button>
<p id=said></p><script>const show = () => { said.textContent = [document.cookie, localStorage.who, sessionStorage.tab] }; show()</script>`;

let site: Site;
beforeAll(async () => {
  site = await Site.serve({ "/login": LOGIN, "/other": "<!doctype html><title>Other</title><button>Here</button>" });
});
afterAll(() => site[Symbol.asyncDispose]());

const SAID = "sid=abc,Ada,one";

function keptIn(project: Project): string[] {
  const folder = join(project.dir, "home/kept");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

const WAIT = { timeout: 15_000, interval: 20 };

async function untilIdle(project: Project): Promise<void> {
  const { pid = 0 } = project.daemon() ?? {};
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), WAIT);
}

/** Tabs t2 and t3 are left, the latter shown and logged in; another session has a tab of its own. */
async function openTabs(project: Project): Promise<void> {
  await project.run("goto", `${site.url}/other`);
  await project.run("newtab", `${site.url}/other`);
  await project.run("newtab", `${site.url}/login`);
  await project.run("closetab", "t1");
  await project.run("click", "text=Log in");
  await project.run("--session", "work", "goto", `${site.url}/other`);
}

test.concurrent("a restart keeps logins, storage and tabs, under the names that they had", async () => {
  await using project = new Project({}, { ownProcesses: true });
  await openTabs(project);
  await project.run("--session", "constructor", "goto", `${site.url}/other`);
  const ref = await project.ref('"Log in"', "-i");
  const old = project.daemon()?.pid;
  await project.run("restart");
  await vi.waitFor(() => expect([undefined, old]).not.toContain(project.daemon()?.pid), WAIT);
  expect(await project.run("text", "#said")).toBe(SAID);
  expect(await project.run("tabs")).toBe(`  t2 "Other" ${site.url}/other\n* t3 "Login" ${site.url}/login`);
  expect(await project.run("--session", "work", "tabs")).toBe(`* t4 "Other" ${site.url}/other`);
  expect(await project.run("--session", "constructor", "tabs")).toBe(`* t5 "Other" ${site.url}/other`);
  // No name means something else than it did.
  expect(await project.refusal("click", ref)).toMatchObject({ kind: "stale_ref" });
  expect(await project.run("newtab")).toContain("t6");
  expect(keptIn(project)).toEqual([]);
});

test.concurrent("so does the end of one that is idle, which is told, and what nobody has asked for yet is kept on", async () => {
  await using project = new Project({ BROWSE_IDLE_TIMEOUT: "1500" }, { ownProcesses: true });
  await openTabs(project);
  for (let ends = 0; ends < 2; ends++) {
    await untilIdle(project);
    expect(keptIn(project).map((path) => statSync(path).mode & 0o777)).toEqual([0o600]);
    const { stderr, stdout } = await project.cli(["text", "#said"]);
    expect(stderr).toBe(
      "Warning: The browser had been closed after being idle: its tabs are loaded again, with logins and storage; gone: what was typed into pages\n",
    );
    expect(stdout).toBe(`${SAID}\n`);
  }
  expect(await project.run("--session", "work", "tabs")).toBe(`* t4 "Other" ${site.url}/other`);
});

test.concurrent("a stop gives all of it up, and what is too old is not used", async () => {
  await using project = new Project({ BROWSE_IDLE_TIMEOUT: "1500" }, { ownProcesses: true });
  await openTabs(project);
  await project.run("stop");
  expect(keptIn(project)).toEqual([]);
  expect(await project.run("url")).toBe("about:blank");
  await untilIdle(project);
  const [path = ""] = keptIn(project);
  const old = Date.now() / 1_000 - 8 * 24 * 60 * 60;
  utimesSync(path, old, old);
  const { stderr } = await project.cli(["url"]);
  expect(stderr).toContain("its tabs, logins and storage are gone");
  expect(keptIn(project)).toEqual([]);
});

test("a browser that does not answer costs no tabs, and the logins alone that nobody had written down", async () => {
  await using project = new Project({}, { ownProcesses: true });
  await project.run("session", "new", "bank", "--persist");
  for (const session of ["default", "bank"]) {
    await project.run("--session", session, "goto", `${site.url}/login`);
    await project.run("--session", session, "click", "text=Log in");
  }
  await project.run("newtab", `${site.url}/other`);
  await project.run("session", "persist", "bank");
  for (const { identity } of recordedBrowsers(project)) process.kill(-identity.pid, "SIGSTOP");
  await project.run("restart");
  const { stdout, stderr } = await project.cli(["tabs"]);
  expect(stderr).toMatch(
    /its tabs are loaded again; gone: what was typed into pages, .*logins and storage of the session "default", as the browser gave no answer/,
  );
  expect(stdout).toMatch(/t1 "Login".*\n.*t3 "Other"/);
  expect(await project.run("--session", "bank", "text", "#said")).toMatch(/^sid=abc,Ada,/);
}, 40_000);

test.concurrent("a page that hangs or does not come costs the others nothing, and is told", async () => {
  await using slow = await Site.serve({ "/slow": () => undefined, "/fine": "<!doctype html><title>Fine</title>" });
  await using project = new Project({}, { ownProcesses: true });
  await project.run("goto", `${site.url}/login`);
  await project.run("click", "text=Log in");
  await project.run("newtab", `${slow.url}/fine`);
  await project.run("js", "history.replaceState(null, '', '/slow')");
  await project.run("newtab", `${slow.url}/fine`);
  await project.run("js", "void setTimeout(() => { for (;;); }, 10)");
  await project.run("restart");
  const hasty = await project.cli(["text", "#said", "--tab", "t1", "--timeout", "1s"]);
  expect(hasty.exitCode).toBe(124);
  expect(hasty.stderr).toContain(
    "its tabs are loaded again, with logins; gone: what was typed into pages, what pages of the session",
  );
  expect(hasty.stderr).toContain("Waited 1000 ms for the tabs of before: they are still being loaded again");
  const { stdout, stderr } = await project.cli(["text", "#said", "--tab", "t1"]);
  expect(stdout).toBe("sid=abc,,\n");
  expect(stderr).toBe(`Warning: ${slow.url}/slow is not loaded again: it did not load within 5 s\n`);
  expect(await project.run("tabs")).toContain("t3");
}, 40_000);
