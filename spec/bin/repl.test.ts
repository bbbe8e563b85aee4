/** `browse repl` as a person types it: real client, real daemon, real terminal. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientIn } from "../harness/client.ts";
import { Project } from "../harness/project.ts";

const UP = "\x1b[A";
const CTRL_C = "\x03";
const CTRL_D = "\x04";

let project: Project;
beforeAll(async () => {
  project = new Project();
  await project.run("status");
});
afterAll(() => project[Symbol.asyncDispose]());

class Terminal {
  readonly child: ChildProcessWithoutNullStreams;
  #shown = "";
  #seen = 0;

  constructor() {
    this.child = spawn("script", ["-qec", [...clientIn(), "repl"].join(" "), "/dev/null"], {
      cwd: project.dir,
      env: { ...process.env, BROWSE_STATE_DIR: project.stateDir, TERM: "xterm" },
    });
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => (this.#shown += text));
  }

  /** Types, and resolves with what is shown from there on, once that has the text. */
  async type(keys: string, awaited: string): Promise<string> {
    this.#seen = this.#shown.length;
    this.child.stdin.write(keys);
    return await this.shows(awaited);
  }

  async shows(awaited: string): Promise<string> {
    for (;;) {
      const shown = stripVTControlCharacters(this.#shown.slice(this.#seen));
      if (shown.includes(awaited)) return shown;
      await once(this.child.stdout, "data");
    }
  }

  async ended(): Promise<number> {
    const [code] = await once(this.child, "close");
    return code as number;
  }
}

const hasTerminals = (() => {
  try {
    execFileSync("script", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

it.runIf(hasTerminals)("runs what is typed, completes it by Tab, and has what was typed before", async () => {
  const terminal = new Terminal();
  await terminal.shows("browse> ");
  await terminal.type("emul\t", "emulate ");
  await terminal.type("--med\t", "--media ");
  await terminal.type("pri\t", "print ");
  await terminal.type(CTRL_C, "browse> ");
  expect(await terminal.type("wait 1\r", "\nbrowse> ")).toMatch(/Waited \d+ ms/);
  expect(await terminal.type(`${UP}\r`, "\nbrowse> ")).toMatch(/Waited \d+ ms/);
  expect(await terminal.type("no-such\r", "\nbrowse> ")).toContain('no command "no-such"');
  terminal.child.stdin.write(CTRL_D);
  expect(await terminal.ended()).toBe(2);
});

it.runIf(hasTerminals)("runs every line that is pasted, and ends by `exit`", async () => {
  const terminal = new Terminal();
  await terminal.shows("browse> ");
  const shown = terminal.type("url\rtitle\rwait 1\rexit\r", "Waited");
  expect(await terminal.ended()).toBe(0);
  expect(await shown).toMatch(/about:blank\s.*\sWaited/s);
});

it.runIf(hasTerminals)("loses nothing of what is typed while a command runs", async () => {
  const terminal = new Terminal();
  await terminal.shows("browse> ");
  // One line and the beginning of the next come together.
  terminal.child.stdin.write("wait 30\rno-su");
  await terminal.shows("Waited");
  const shown = await terminal.type("ch-command\r", "for the list\r\nbrowse> ");
  expect(shown).toContain('There is no command "no-such-command"');
  // Not before the prompt: of a terminal that is a command's own, Ctrl-D ends nothing.
  terminal.child.stdin.write(CTRL_D);
  expect(await terminal.ended()).toBe(2);
});

it.runIf(hasTerminals)("ends by Ctrl-C where nothing is typed", async () => {
  const terminal = new Terminal();
  await terminal.shows("browse> ");
  terminal.child.stdin.write(CTRL_C);
  expect(await terminal.ended()).toBe(0);
});

it("takes a line as hints print it, with browse before it", async () => {
  const stdin = "browse help url\nbrowse exit\nnosuch\n";
  expect(await project.cli(["repl"], { stdin })).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("Print the tab's address"),
    stderr: "",
  });
});
