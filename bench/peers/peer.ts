/** Another browser tool for agents, driven by its own command line beside ours. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProcess } from "../run_process.ts";

/** How a peer spells what is measured. */
export interface PeerSyntax {
  name: string;
  /** The environment variable that holds its command prefix. */
  variable: string;
  /** For a browser of its own that starts here. */
  env?(dir: string, executablePath: string): NodeJS.ProcessEnv;
  /** Files it reads its settings from, by name in its folder. */
  files?(executablePath: string): Record<string, string>;
  start(url: string, executablePath: string): string[][];
  url: string[];
  goto(url: string): string[];
  snapshot: string[];
  /** The ref in a snapshot's text of the button with this name. */
  refOf(snapshot: string, button: string): string;
  click(ref: string): string[];
  screenshot(path: string): string[];
  stop: string[];
}

export class Peer implements AsyncDisposable {
  readonly syntax: PeerSyntax;
  readonly #prefix: readonly string[];
  readonly #dir = mkdtempSync(join(tmpdir(), "browse-bench-peer-"));
  readonly #env: NodeJS.ProcessEnv;

  constructor(syntax: PeerSyntax, prefix: string, executablePath: string) {
    this.syntax = syntax;
    this.#prefix = prefix.trim().split(/\s+/);
    this.#env = syntax.env?.(this.#dir, executablePath) ?? {};
  }

  get name(): string {
    return this.syntax.name;
  }

  /** A file in its folder. */
  path(name: string): string {
    return join(this.#dir, name);
  }

  async run(argv: readonly string[]): Promise<string> {
    return await runProcess([...this.#prefix, ...argv], { cwd: this.#dir, env: this.#env });
  }

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
