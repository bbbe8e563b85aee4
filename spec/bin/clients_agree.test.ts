/** Whatever is typed and whatever the daemon says, the native client does what the Node client does. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientIn, isNativeBuilt } from "../harness/client.ts";
import { FakeProject } from "./fake_project.ts";
import { frame, ScriptedDaemon, TEXT, UPGRADE } from "./scripted_daemon.ts";
import { pieces, spoken } from "./spoken.ts";

let project: FakeProject;
let daemon: ScriptedDaemon;
beforeAll(async () => {
  project = new FakeProject();
  daemon = new ScriptedDaemon();
  await daemon.open(project);
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

interface Done {
  stdout: string;
  stderr: string;
  exitCode: unknown;
  /** Each once: a call that is handed over is asked for again. */
  requests: string[];
}

interface Given {
  words?: readonly Uint8Array[];
  session?: Uint8Array | undefined;
  input?: Uint8Array;
}

/** For a shell, since arguments that are not UTF-8 cannot be given otherwise. */
function quoted(bytes: Uint8Array): string {
  return `$'${Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}'`;
}

async function done(native: boolean, { words = [], session, input = Buffer.alloc(0) }: Given): Promise<Done> {
  daemon.requests = [];
  const export_ = session ? `export BROWSE_SESSION=${quoted(session)}; ` : "";
  const command = `${export_}exec "$0" "$@" ${words.map(quoted).join(" ")}`;
  const [program, ...script] = clientIn(project.app, native);
  const child = spawn("bash", ["-c", command, program, ...script], { cwd: project.dir });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (data: Buffer) => stdout.push(data));
  child.stderr.on("data", (data: Buffer) => stderr.push(data));
  child.stdin.on("error", () => {}).end(input);
  const [code, signal] = await once(child, "close");
  const text = (pieces: Buffer[]) => Buffer.concat(pieces).toString("latin1");
  return {
    stdout: text(stdout),
    stderr: text(stderr),
    exitCode: code ?? signal,
    requests: [...new Set(daemon.requests)],
  };
}

async function expectSame(given: Given): Promise<void> {
  const byNode = await done(false, given);
  expect(await done(true, given)).toEqual(byNode);
}

const text = fc.string({ unit: "binary" });
const isWord = (bytes: Uint8Array) => !bytes.includes(0);
const bytes = fc.uint8Array({ maxLength: 12 }).filter(isWord);
const word = fc.oneof(
  text.map((each) => Buffer.from(each)).filter(isWord),
  bytes,
  fc
    .constantFrom(
      "--json",
      "--quiet",
      "--session",
      "--tab",
      "--timeout=1.5s",
      "--timeout",
      "--version",
      "chain",
      "-",
      "url",
    )
    .map((each) => Buffer.from(each)),
);

const RESULT = { jsonrpc: "2.0", id: "1", result: { stdout: "said\n", stderr: "", exitCode: 0 } };

const hasTerminals = spawnSync("script", ["--version"]).status === 0;

describe.skipIf(!isNativeBuilt)("Both clients", { timeout: 120_000 }, () => {
  it("send the same for any words, any session and any input", async () => {
    daemon.script = Buffer.concat([UPGRADE, frame(TEXT, JSON.stringify(RESULT))]);
    daemon.pieces = [];
    const given = fc.record({
      words: fc.array(word, { maxLength: 6 }),
      session: fc.option(bytes, { nil: undefined }),
      input: fc.oneof(
        text.map((each) => Buffer.from(each)),
        fc.uint8Array(),
      ),
    });
    await fc.assert(fc.asyncProperty(given, expectSame), { numRuns: 40 });
  });

  it("print the same for any answer, in any pieces", async () => {
    const words = fc.subarray(["--json", "--quiet"]).map((flags) => ["url", ...flags].map((each) => Buffer.from(each)));
    await fc.assert(
      fc.asyncProperty(spoken, pieces, words, async (script, lengths, given) => {
        daemon.script = script;
        daemon.pieces = lengths;
        await expectSame({ words: given });
      }),
      { numRuns: 60 },
    );
  });

  it.each<[string, string | Buffer]>([
    [
      "bytes that are not UTF-8",
      Buffer.from(`{"id":"1","result":{"stdout":"a\xff\xe2\x82b\xed\xa0\x80","stderr":"","exitCode":0}}`, "latin1"),
    ],
    ["a member twice", `{"id":"2","id":"1","result":{},"result":{"stdout":"a","stdout":"b","stderr":"","exitCode":3}}`],
    ["names with escapes", `{"i\\u0064":"\\u0031","r\\u0065sult":{"stdout":"a","stderr":"","exitCode":0}}`],
    [
      "an answer to nothing",
      `{"id":null,"error":{"code":-32700,"message":"What","data":{"kind":"internal","hint":"x"}}}`,
    ],
    ["an error without data", `{"id":"1","error":{"code":1,"message":"What"}}`],
    ["no result", `{"id":"1"}`],
    ["null for an error", `{"id":"1","error":null,"result":{"stdout":"a","stderr":"","exitCode":0}}`],
    [
      "halves of characters",
      `{"id":"1","result":{"stdout":"\\ud83da\\ude00\\ud83d\\ude00\\ud83d","stderr":"","exitCode":0}}`,
    ],
    ["an exit code that is none", `{"id":"1","result":{"stdout":"a","stderr":"b","exitCode":1.5}}`],
    ["an exit code that is too high", `{"id":"1","result":{"stdout":"a","stderr":"b","exitCode":256}}`],
    ["a text that is none", `{"id":"1","result":{"stdout":7,"stderr":"","exitCode":0}}`],
    ["half an object", `{"id":"1","result":{"stdout":"a"`],
    ["two objects", `{"id":"1","result":{"stdout":"a","stderr":"","exitCode":0}} {}`],
    ["nothing", ""],
    [
      "70 levels",
      `{"deep":${"[".repeat(70)}${"]".repeat(70)},"id":"1","result":{"stdout":"a","stderr":"","exitCode":0}}`,
    ],
    ["a number that is none", `{"n":01,"id":"1","result":{"stdout":"a","stderr":"","exitCode":0}}`],
  ])("do the same with %s", async (_what, message) => {
    daemon.script = Buffer.concat([UPGRADE, frame(TEXT, message)]);
    daemon.pieces = [];
    await expectSame({ words: [Buffer.from("url")] });
  });

  it.runIf(hasTerminals)("say the same of a terminal, and show the same on it", async () => {
    const progress = (members: object) =>
      frame(TEXT, JSON.stringify({ jsonrpc: "2.0", method: "progress", params: { id: "1", ...members } }));
    daemon.script = Buffer.concat([
      UPGRADE,
      ...[{ done: 1 }, { done: 2.5, total: 10, unit: "MB" }, { done: 3, total: 0, unit: "" }].map(progress),
      frame(TEXT, JSON.stringify(RESULT)),
    ]);
    daemon.pieces = [];
    const onTerminal = (native: boolean) => {
      daemon.requests = [];
      const line = `stty cols 91; ${[...clientIn(project.app, native), "url"].join(" ")}`;
      const child = spawn("script", ["-qec", line, "/dev/null"], { cwd: project.dir });
      let shown = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (shown += text));
      return once(child, "close").then(() => ({ shown, requests: daemon.requests }));
    };
    const byNode = await onTerminal(false);
    expect(byNode.shown).toContain("2.5 of 10 MB");
    expect(byNode.requests[0]).toContain('"tty":true,"columns":91');
    expect(await onTerminal(true)).toEqual(byNode);
  });

  it.each([
    ["before anything is accepted", 124, []],
    ["after it has accepted the call", 1, [frame(TEXT, `{"jsonrpc":"2.0","method":"accepted","params":{"id":"1"}}`)]],
  ])("give up a daemon that says nothing %s", async (_when, exitCode, frames) => {
    daemon.script = Buffer.concat([UPGRADE, ...frames]);
    daemon.pieces = [];
    const words = ["click", "@e1", "--timeout=1ms"].map((each) => Buffer.from(each));
    expect(await done(true, { words })).toMatchObject({ exitCode, stderr: expect.stringContaining("in 1 ms") });
    await expectSame({ words });
  });
});
