/** What the native client does by itself, and what it leaves to the Node client, which is a stub here that tells of it. */
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isNativeBuilt } from "../harness/client.ts";
import { version } from "../harness/version.ts";
import { FakeProject, type RunOptions } from "./fake_project.ts";
import { frame, ScriptedDaemon, TEXT, UPGRADE } from "./scripted_daemon.ts";

const STUB = `
import { readFileSync } from "node:fs";
const { BROWSE_RESUME: resume } = process.env;
console.log(JSON.stringify({ argv: process.argv.slice(2), stdin: readFileSync(0, "utf8"), resume }));
`;
const reply = (members: object) => frame(TEXT, JSON.stringify({ jsonrpc: "2.0", ...members }));
const told = (method: string, params: object = {}) => reply({ method, params: { id: "1", ...params } });
const ANSWER = reply({ id: "1", result: { stdout: "said\n", stderr: "", exitCode: 0 } });

interface HandedOver {
  argv: string[];
  stdin: string;
  resume?: string;
}

describe.skipIf(!isNativeBuilt)("The native client", () => {
  let project: FakeProject;
  let daemon: ScriptedDaemon;
  let state: string;
  const change = (members: object) =>
    writeFileSync(state, JSON.stringify({ ...JSON.parse(readFileSync(state, "utf8")), ...members }));

  beforeEach(async () => {
    project = new FakeProject();
    daemon = new ScriptedDaemon();
    daemon.script = Buffer.concat([UPGRADE, ANSWER]);
    state = join(project.stateDir, "daemon.json");
    await daemon.open(project);
    writeFileSync(join(project.app, "browse.mjs"), STUB);
  });
  afterEach(async () => {
    await daemon[Symbol.asyncDispose]();
    await project[Symbol.asyncDispose]();
  });

  const run = (argv: string[], options: RunOptions = {}) => project.run(argv, { ...options, native: true });

  /** What the stub got; fails where the native client has printed something. */
  async function handedOver(argv: string[], options: RunOptions = {}): Promise<HandedOver> {
    const { stdout, stderr } = await run(argv, options);
    expect(stderr).toBe("");
    return JSON.parse(stdout) as HandedOver;
  }

  it("answers without Node", async () => {
    rmSync(join(project.app, "browse.mjs"));
    expect(await run(["url"])).toEqual({ stdout: "said\n", stderr: "", exitCode: 0 });
  });

  it("says so where there is no Node client to hand over to", async () => {
    rmSync(join(project.app, "browse.mjs"));
    expect(await run(["version"])).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("find browse.mjs") });
  });

  it.each([
    { words: ["version"] },
    { words: ["--version"] },
    { words: ["--session", "--version", ""] },
    { words: ["--session", "s", "stop"] },
    { words: ["restart"] },
    { words: ["start"] },
    { words: ["repl"] },
    { words: ["-"] },
    { words: ["--tab", "t1", "-"] },
  ])("hands $words over, and asks no daemon", async ({ words }) => {
    expect(await handedOver(words, { stdin: "x" })).toEqual({ argv: words, stdin: "x" });
    expect(daemon.requests).toEqual([]);
  });

  it.each<[string, RunOptions]>([
    ["BROWSE_URL is set", { env: { BROWSE_URL: "ws://127.0.0.1:1" } }],
    ["the state folder is written in another way", { env: { BROWSE_STATE_DIR: "./a/../.browse" } }],
    ["there is no daemon", { env: { BROWSE_STATE_DIR: "nowhere" } }],
    ["the project is another", { cwd: "/" }],
  ])("hands over when %s", async (_what, options) => {
    expect(await handedOver(["url", "ä", ""], options)).toEqual({ argv: ["url", "ä", ""], stdin: "" });
    expect(daemon.requests).toEqual([]);
  });

  it.each<[string, () => void]>([
    ["is of another version", () => change({ version: "0.0.1" })],
    ["is of another build", () => change({ version: `${version.slice(0, -8)}00000000` })],
    ["has a token that would break a header", () => change({ token: "a\r\nb" })],
    ["has no port", () => change({ port: "1" })],
    ["has a port that is none", () => change({ port: 70_000 })],
    ["is another process", () => change({ startTime: "then" })],
    ["is a process that is gone", () => change({ pid: 2 ** 22 + 1 })],
    ["is cut short", () => writeFileSync(state, readFileSync(state).subarray(0, 50))],
    ["is nested too deep", () => writeFileSync(state, `{"a":${"[".repeat(5_000)}`)],
    ["is large", () => writeFileSync(state, readFileSync(state, "utf8").padEnd(70_000))],
    ["may be read by others", () => chmodSync(state, 0o644)],
    ["is in a folder that others may write to", () => chmodSync(project.stateDir, 0o777)],
    ["is a folder", () => [rmSync(state), mkdirSync(state)]],
    ["is a link", () => [renameSync(state, `${state}.x`), symlinkSync(`${state}.x`, state)]],
    ["takes no connection", () => change({ port: 1 })],
  ])("hands over when what daemon.json names %s", async (_what, harm) => {
    harm();
    expect(await handedOver(["url"])).toEqual({ argv: ["url"], stdin: "" });
    expect(daemon.requests).toEqual([]);
  });

  it("takes a file with two names for what it is", async () => {
    linkSync(state, `${state}.x`);
    expect(await run(["url"])).toMatchObject({ stdout: "said\n" });
  });

  describe("once it has sent the call", () => {
    const inDoubt: [string, Buffer[]][] = [
      ["is no frame that it can hold", [UPGRADE, Buffer.from([129, 127, 255, 255, 255, 255, 255, 255, 255, 255])]],
      ["is no JSON", [UPGRADE, frame(TEXT, "{")]],
      ["is a question", [UPGRADE, told("ask", { question: "Sure?" })]],
      ["is text that is none", [UPGRADE, told("output", { stream: "stdout", text: 1 })]],
    ];
    it.each<[string, Buffer[], string]>([
      ["refuses the upgrade", [Buffer.from("HTTP/1.1 401 Unauthorized\r\n\r\n")], "sent"],
      ["closes the connection", [], "sent"],
      ["closes it after it has accepted the call", [UPGRADE, told("accepted")], "accepted"],
      ["says goodbye", [UPGRADE, told("accepted"), frame(8, "")], "accepted"],
      ["answers with a result that is none", [UPGRADE, reply({ id: "1", result: {} })], "sent"],
      ...inDoubt.map(([what, script]) => [`says what ${what}`, script, "accepted"] as [string, Buffer[], string]),
    ])("hands it over by its id when the daemon %s", async (_what, script, acceptance) => {
      daemon.script = Buffer.concat(script);
      daemon.closes = true;
      const { resume, ...rest } = await handedOver(["url", "-"], { stdin: "typed" });
      expect(rest).toEqual({ argv: ["url", "-"], stdin: "typed" });
      const [client, ...said] = resume?.split(" ") ?? [];
      expect(client).toMatch(/^\d+-[0-9a-f]{16}$/);
      const { pid, startTime } = JSON.parse(readFileSync(state, "utf8"));
      expect(said).toEqual([acceptance, "lost", `${pid}@${startTime}`]);
    });

    it("tells when the daemon was silent for too long", async () => {
      daemon.script = UPGRADE;
      expect(await handedOver(["url", "--timeout", "1ms"])).toMatchObject({
        resume: expect.stringMatching(/ sent silent /),
      });
    });

    it("prints what came before, and nothing of its own", async () => {
      daemon.script = Buffer.concat([UPGRADE, told("output", { stream: "stdout", text: "one\n" })]);
      daemon.closes = true;
      const { stdout, stderr } = await run(["url"]);
      expect([stdout.slice(0, 4), JSON.parse(stdout.slice(4)).argv, stderr]).toEqual(["one\n", ["url"], ""]);
    });
  });

  it("leaves no word of an earlier call to the Node client", async () => {
    expect(await handedOver(["version"], { env: { BROWSE_RESUME: "x accepted lost 1@1" } })).not.toHaveProperty(
      "resume",
    );
    expect(existsSync(state)).toBe(true);
  });
});
