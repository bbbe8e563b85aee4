/** Real daemons whose tunnels are forwarded by programs of their own: what is left of them, and when. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isRunning } from "../harness/is_running.ts";
import { Project } from "../harness/project.ts";

const FORWARDER = [process.execPath, join(import.meta.dirname, "../security/tunnel/programs/forwarder.ts"), "{port}"];

function makeProject(tunnel: object, env: Record<string, string> = {}): Project {
  const project = new Project(env);
  mkdirSync(join(project.dir, "home"));
  writeFileSync(join(project.dir, "home/config.json"), JSON.stringify({ tunnel }));
  return project;
}

const forwarded = () =>
  makeProject({ consent: true, provider: "command", command: FORWARDER, host: "127.0.0.1", idleMinutes: 60 });

interface Opened {
  url: string;
  /** Of the forwarder. */
  pid: number;
}

async function open(project: Project): Promise<Opened> {
  const { url } = (await project.json("tunnel", "start")) as { url: string };
  const record = JSON.parse(readFileSync(join(project.stateDir, "browser.json"), "utf8")) as {
    browsers: { identity: { pid: number } }[];
  };
  return { url, pid: record.browsers[0]!.identity.pid };
}

async function isReachable({ url }: Opened): Promise<boolean> {
  return await fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

test("Two daemons forward side by side; each tunnel ends with its own, however that ends", async () => {
  await using first = forwarded();
  await using second = forwarded();
  const [one, two] = await Promise.all([open(first), open(second)]);
  expect(one.url).not.toBe(two.url);
  expect([isRunning(one.pid), isRunning(two.pid)]).toEqual([true, true]);
  expect([await isReachable(one), await isReachable(two)]).toEqual([true, true]);

  expect(await first.run("tunnel", "stop")).toBe("The tunnel is closed");
  expect([isRunning(one.pid), await isReachable(one)]).toEqual([false, false]);
  expect([isRunning(two.pid), await isReachable(two)]).toEqual([true, true]);

  process.kill(second.daemon()!.pid, "SIGKILL");
  await expect.poll(() => isRunning(two.pid), { timeout: 20_000 }).toBe(false);
  expect(await isReachable(two)).toBe(false);

  const again = await open(first);
  expect(await isReachable(again)).toBe(true);
  const daemon = first.daemon()!.pid;
  await first.run("stop");
  await expect.poll(() => isRunning(daemon) || isRunning(again.pid), { timeout: 20_000 }).toBe(false);
  expect(await isReachable(again)).toBe(false);
});

test("Without consent, or with a configuration that cannot be used, nothing is opened, and it is said why", async () => {
  await using project = makeProject({ consent: false, provider: "none" });
  expect(await project.refusal("tunnel", "start")).toMatchObject({ kind: "forbidden", exitCode: 4 });
  expect(await project.refusal("pair", "bob", "--tunnel")).toMatchObject({ kind: "forbidden" });
  expect(await project.json("agents")).toEqual({ agents: [], waiting: [] });
  expect(await project.json("tunnel", "status")).toEqual({ isOpen: false });
  expect(await project.json("security", "status")).toMatchObject({ tunnel: { isOpen: false }, agents: 0 });
  await project.run("stop");
  writeFileSync(join(project.dir, "home/config.json"), '{"tunnel": {"consent": true}}');
  expect((await project.refusal("tunnel", "start")).message).toContain("config.json");
});

test("Consent that is withdrawn closes the tunnel, and an agent can be kept out whatever the configuration says", async () => {
  await using project = makeProject({ consent: true, provider: "none" });
  await project.run("pair", "bob", "--tunnel");
  const opened = (await project.json("tunnel", "status")) as { url: string };
  const config = join(project.dir, "home/config.json");
  writeFileSync(config, '{"tunnel": {"consent": false, "provider": "none"}}');
  await expect
    .poll(async () => await project.json("tunnel", "status"), { timeout: 20_000 })
    .toEqual({
      isOpen: false,
      closed: "Your consent was withdrawn",
    });
  expect(await isReachable({ ...opened, pid: 0 })).toBe(false);
  writeFileSync(config, "{");
  await expect.poll(async () => (await project.cli(["agents"])).exitCode, { timeout: 20_000 }).toBe(4);
  expect(await project.run("unpair", "bob")).toBe('Revoked "bob"');
});

test("An idle daemon goes on while its tunnel is open, and ends once that has closed", async () => {
  await using project = makeProject(
    { consent: true, provider: "none", idleMinutes: 0.02 },
    { BROWSE_IDLE_TIMEOUT: "300" },
  );
  await project.run("tunnel", "start");
  const { pid } = project.daemon()!;
  await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
  const log = readFileSync(join(project.stateDir, "daemon.log"), "utf8");
  expect(log).toContain("The tunnel is closed: Nobody used it");
});

test("A pairing that cannot be is refused before anything is opened or ended", async () => {
  await using project = makeProject({ consent: true, provider: "none" });
  const wrong = [
    "pair Root",
    "pair bob --scopes reed",
    "pair bob --scopes ''",
    "pair bob --domains http://x/",
    "pair bob --ttl 25h",
    "pair bob --rate 0",
    "pair bob --share 3",
    "pair bob --tabs",
    "pair bob --share t9",
  ].map((line) => `${line} --tunnel`);
  const { stderr, stdout } = await project.cli(["--json", "-"], { stdin: wrong.join("\n") });
  const kinds = stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).error.kind);
  expect(kinds).toEqual([...Array(wrong.length - 1).fill("invalid_params"), "tab_gone"]);
  expect(stderr).toContain('There is no tab \\"t9\\"');
  expect(stdout).toBe("");
  expect(await project.json("tunnel", "status")).toEqual({ isOpen: false });
  expect(await project.refusal("unpair", "bob")).toMatchObject({ kind: "not_found" });
  expect(await project.json("pair-agent")).toMatchObject({
    name: "agent-1",
    isTunnelled: true,
    isPrivateGranted: false,
  });
  expect(await project.json("tunnel", "status")).toMatchObject({ isOpen: true });
});
