/** Another browser tool for agents, driven by its own command line beside ours. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { runProcess } from "../run_process.ts";
import type { Program, ProgramWanted } from "./program.ts";

/** How a tool spells what is measured. */
export interface Syntax {
  goto(url: string): string[];
  url: string[];
  /** The text of the first element of that kind. */
  text(tag: string): string[];
  js(expression: string): string[];
  snapshot: string[];
  /** The ref in a snapshot's text of the element, which is given as `button "Save"`. */
  refOf(snapshot: string, element: string): string;
  fill(ref: string, text: string): string[];
  click(ref: string): string[];
  /** Without a wait for what it leads to, where that is something else. */
  clickOnly?(ref: string): string[];
  screenshot(file: string): string[];
}

/** A tool that is started and ended. */
export interface PeerSyntax extends Syntax {
  start(url: string): string[][];
  stop: string[];
}

/** With a browser and a daemon of its own. */
export interface PeerSetup {
  syntax: PeerSyntax;
  env?: NodeJS.ProcessEnv;
  /** Files that it reads its settings from, by name in its folder. */
  files?: Record<string, string>;
}

export interface PeerKind extends ProgramWanted {
  /** `session`: a name that no other has. */
  setUp(how: { session: string; chromium: string }): PeerSetup;
}

export interface PeerOptions {
  kind: PeerKind;
  program: Program;
  /** The executable. */
  chromium: string;
}

export class Peer implements AsyncDisposable {
  readonly name: string;
  readonly syntax: PeerSyntax;
  readonly #prefix: readonly string[];
  readonly #dir = mkdtempSync(join(tmpdir(), "browse-bench-peer-"));
  readonly #env: NodeJS.ProcessEnv;

  constructor({ kind, program, chromium }: PeerOptions) {
    const { syntax, env = {}, files = {} } = kind.setUp({ session: basename(this.#dir), chromium });
    this.name = kind.name;
    this.syntax = syntax;
    this.#prefix = program.prefix;
    this.#env = env;
    for (const [name, text] of Object.entries(files)) writeFileSync(this.path(name), text);
  }

  /** A file in its folder. */
  path(name: string): string {
    return join(this.#dir, name);
  }

  /** On the page, its browser up. */
  async start(url: string): Promise<void> {
    for (const argv of this.syntax.start(url)) await this.run(argv);
  }

  run = async (argv: readonly string[]): Promise<string> =>
    await runProcess([...this.#prefix, ...argv], { cwd: this.#dir, env: this.#env });

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.run(this.syntax.stop);
    } finally {
      rmSync(this.#dir, { recursive: true, force: true });
    }
  }
}

/** The first match of `pattern` on a line that holds `text`. */
export function matchOnLine(output: string, text: string, pattern: RegExp): string {
  const line = output.split("\n").find((candidate) => candidate.includes(text));
  const match = line && pattern.exec(line)?.[1];
  if (!match) throw new Error(`No ref with ${text} in:\n${output.slice(0, 2000)}`);
  return match;
}
