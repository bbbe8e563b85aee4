/** Sessions whose cookies and storage outlive a stop and a crash, as a person has asked. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { temporaryName } from "../../security/files/private_file.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

const LOGIN = `<!doctype html><title>Login</title>
<button onclick="document.cookie = 'sid=' + Math.random() + '; max-age=3600'; localStorage.who = 'Ada'; show()">Log in</button>
<p id=said></p><script>const show = () => { said.textContent = [document.cookie, localStorage.who] }; show()</script>`;

let site: Site;
beforeAll(async () => {
  site = await Site.serve({
    "/login": LOGIN,
    "/endless": (_request, response) =>
      response
        .writeHead(200, { "content-disposition": "attachment; filename=a.bin", "content-length": 9_999 })
        .write("a"),
    "/never": () => {},
  });
});
afterAll(() => site[Symbol.asyncDispose]());

/** Twenty times what writing down took last may go by until the next: on a busy machine that is long. */
const WAIT = { timeout: 60_000, interval: 20 };
const WAITING_MS = 150_000;
/** Of the network process, each followed by a stop. */
const DEATHS = 4;

function writtenIn(project: Project): string[] {
  const folder = join(project.dir, "home/sessions");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files.filter(({ name }) => name.endsWith(".json")).map(({ parentPath, name }) => join(parentPath, name));
}

/** What the page shows of the login. */
async function logIn(project: Project, session: string): Promise<string> {
  await project.run("--session", session, "goto", `${site.url}/login`);
  await project.run("--session", session, "click", "text=Log in");
  return await project.run("--session", session, "text", "#said");
}

async function said(project: Project, session: string): Promise<string> {
  await project.run("--session", session, "goto", `${site.url}/login`);
  return await project.run("--session", session, "text", "#said");
}

test.concurrent("a stop gives up the tabs of one that persists, and neither its logins nor its storage", async () => {
  await using project = new Project({}, { ownProcesses: true });
  expect(await project.run("session", "new", "bank", "--persist")).toContain("outlive a stop and a crash");
  const login = await logIn(project, "bank");
  await logIn(project, "default");
  await project.run("stop");
  expect(writtenIn(project).map((path) => statSync(path).mode & 0o777)).toEqual([0o600]);
  expect(await project.run("sessions")).toBe("No session is open\nbank: not open, persists");
  expect(await project.run("--session", "bank", "url")).toBe("about:blank");
  expect(await said(project, "bank")).toBe(login);
  expect(await said(project, "default")).toBe(",");
  expect(await project.refusal("session", "new", "bank")).toMatchObject({
    message: 'The session "bank" already exists',
  });
});

test.concurrent(
  "a crash gives up no more than what came after the last writing, and says so",
  async () => {
    await using project = new Project({}, { ownProcesses: true });
    await project.run("session", "persist", "default");
    const [path = ""] = writtenIn(project);
    const login = await logIn(project, "default");
    await vi.waitFor(() => expect(readFileSync(path, "utf8")).toContain("sid"), WAIT);
    process.kill(project.daemon()?.pid ?? 0, "SIGKILL");
    const { stderr } = await project.cli(["url"]);
    expect(stderr).toContain(
      'its tabs, logins and storage are gone, but for the logins and storage that were last written down of "default"',
    );
    expect(await said(project, "default")).toBe(login);
  },
  WAITING_MS,
);

test.concurrent(
  "what is written down is so again when its file was damaged or removed meanwhile",
  async () => {
    await using project = new Project({}, { ownProcesses: true });
    await project.run("session", "persist", "default");
    const login = await logIn(project, "default");
    const [path = ""] = writtenIn(project);
    await vi.waitFor(() => expect(readFileSync(path, "utf8")).toContain("sid"), WAIT);
    writeFileSync(path, "{");
    await project.title();
    await vi.waitFor(() => expect(readFileSync(path, "utf8")).toContain("sid"), WAIT);
    rmSync(dirname(path), { recursive: true });
    await project.run("stop");
    expect(await said(project, "default")).toBe(login);
  },
  WAITING_MS,
);

test.concurrent("what was left by a process that was killed while it wrote is removed, and no write that goes on", async () => {
  await using project = new Project({}, { ownProcesses: true });
  await project.run("session", "persist", "default");
  const [path = ""] = writtenIn(project);
  const folders = [project.stateDir, join(project.dir, "home/kept"), dirname(path)];
  const [left, fresh] = [1, 2].map(() => folders.map((folder) => join(folder, temporaryName("of.json"))));
  for (const file of [...left!, ...fresh!]) writeFileSync(file, "sid");
  const hourAgo = Date.now() / 1_000 - 3_600;
  for (const file of left!) utimesSync(file, hourAgo, hourAgo);
  await project.run("stop");
  await logIn(project, "default");
  await project.run("stop");
  expect(left!.filter((file) => existsSync(file))).toEqual([]);
  expect(fresh!.filter((file) => !existsSync(file))).toEqual([]);
});

/** Chromium's process for the network, which holds the cookies. */
function networkPid(project: Project): number {
  const text = readFileSync(join(project.stateDir, "browser.json"), "utf8");
  const { browsers } = JSON.parse(text) as { browsers: { identity: { pid: number } }[] };
  const group = String(browsers[0]?.identity.pid);
  return Number(execFileSync("pgrep", ["-g", group, "-f", "utility-sub-type=network"], { encoding: "utf8" }));
}

test.concurrent(
  "the death of the browser's network process takes no login of it, and is told for the others",
  async () => {
    await using project = new Project({}, { ownProcesses: true });
    await project.run("session", "new", "bank", "--persist");
    const login = await logIn(project, "bank");
    await logIn(project, "default");
    const [path = ""] = writtenIn(project);
    await vi.waitFor(() => expect(readFileSync(path, "utf8")).toContain("sid"), WAIT);
    const files = ["endless", "never"].map((name) => project.cli(["download", `${site.url}/${name}`]));
    await vi.waitFor(() => expect(site.requests.filter((line) => /endless|never/.test(line))).toHaveLength(2), WAIT);
    process.kill(networkPid(project), "SIGKILL");
    const answers = await Promise.all(files);
    for (const { stderr } of answers)
      expect(stderr).toContain("The transfer was cut off: the browser's network process died");
    // Told once, by whichever answer comes first.
    const told = answers.map(({ stderr }) => stderr).join("");
    expect(told).toContain(
      "network process died: the cookies of all sessions, and logins with them, are gone, but for",
    );
    expect(told).toContain('written down of "bank"');
    expect(await said(project, "bank")).toBe(login);
    expect(await said(project, "default")).toBe(",Ada");
    await project.run("stop");
    expect(readFileSync(path, "utf8")).toContain("sid");
    expect(await said(project, "bank")).toBe(login);
  },
  WAITING_MS,
);

test.concurrent("a saved state is not replaced by what is left after that death, unless it is removed or given back", {
  timeout: WAITING_MS,
  // A second try would hide that it is lost now and then.
  retry: 0,
}, async () => {
  await using project = new Project({}, { ownProcesses: true });
  const login = await logIn(project, "default");
  await project.run("state", "save", "good");
  const path = join(project.stateDir, "states/good.json");
  const saved = readFileSync(path, "utf8");
  process.kill(networkPid(project), "SIGKILL");
  for (const _ of ["at once", "and when it has been told"]) {
    expect(await project.refusal("state", "save", "good")).toMatchObject({
      kind: "browser_gone",
      message: expect.stringContaining('Kept the state "good" as it was: the browser\'s network process died'),
    });
    expect(readFileSync(path, "utf8")).toBe(saved);
  }
  await project.run("state", "save", "other");
  await project.run("state", "save", "other");
  await project.run("state", "load", "good");
  expect(await said(project, "default")).toBe(login);
  expect(await project.run("state", "save", "good")).toContain("1 cookie");
  process.kill(networkPid(project), "SIGKILL");
  await project.refusal("state", "save", "good");
  await project.run("state", "rm", "good");
  await project.run("state", "save", "good");
});

test.concurrent("a stop right after that death writes down no session as the browser has it then", {
  // A second try would hide that it is lost now and then.
  timeout: WAITING_MS,
  retry: 0,
}, async () => {
  await using project = new Project({}, { ownProcesses: true });
  await project.run("session", "persist", "default");
  const login = await logIn(project, "default");
  await project.run("stop");
  // The browser still names the dead process for some milliseconds: one time in a few a stop comes within these.
  for (let round = 0; round < DEATHS; round++) {
    expect(await said(project, "default"), `round ${round}`).toBe(login);
    process.kill(networkPid(project), "SIGKILL");
    await project.run("stop");
  }
  expect(await said(project, "default")).toBe(login);
});

test.concurrent("is encrypted with the user's key, and what cannot be read is told and kept as it is", async () => {
  await using project = new Project({ BROWSE_STATE_KEY: "a-key-of-mine" }, { ownProcesses: true });
  await project.run("session", "persist", "default");
  const login = await logIn(project, "default");
  await project.run("stop");
  const [path = ""] = writtenIn(project);
  const written = readFileSync(path, "utf8");
  expect(written).not.toContain("sid");
  const env = { BROWSE_STATE_KEY: "" };
  const { stderr } = await project.cli(["goto", `${site.url}/login`], { env });
  expect(stderr).toContain('The session "default" begins without the logins and storage that it had');
  expect((await project.cli(["text", "#said"], { env })).stdout).toBe(",\n");
  await project.cli(["stop"], { env });
  expect(readFileSync(path, "utf8")).toBe(written);
  expect(await said(project, "default")).toBe(login);
});

test.concurrent("all of the user's own do where config.json says so, until they are forgotten or closed", async () => {
  await using project = new Project({}, { ownProcesses: true });
  mkdirSync(join(project.dir, "home"));
  writeFileSync(join(project.dir, "home/config.json"), '{"persist": true}');
  const login = await logIn(project, "default");
  await logIn(project, "work");
  expect(await project.run("sessions")).toMatch(/^default: 1 tab, on t1, persists\nwork: 1 tab, on t2, persists$/);
  await project.run("restart");
  expect(await said(project, "default")).toBe(login);
  expect(await project.run("session", "forget", "default")).toContain("persists no more");
  expect(await project.run("session", "close", "work")).toContain('Closed the session "work"');
  expect(writtenIn(project)).toEqual([]);
  expect(await project.refusal("session", "forget", "default")).toMatchObject({ kind: "not_found" });
  await project.run("stop");
  expect(await said(project, "default")).toBe(",");
});

test.concurrent("what does not come back is told to the user, not to an agent that comes before", async () => {
  await using project = new Project({}, { ownProcesses: true });
  await project.run("session", "persist", "default");
  await project.run("stop");
  writeFileSync(String(writtenIn(project)[0]), "{}");
  const { key, url } = await project.json("pair", "ann");
  const answer = await fetch(`${url}/pair`, { method: "POST", body: String(key), headers: { accept: "text/plain" } });
  const env = { BROWSE_URL: `${url}/rpc`, BROWSE_TOKEN: (await answer.text()).trim() };
  expect(await project.cli(["newtab"], { env })).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await project.cli(["tabs"])).stderr).toContain('The session "default" begins without the logins');
});
