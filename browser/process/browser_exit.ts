/** How a browser that ended without being asked to came to its end, for whoever has to find out why. */
import type { ChildProcess } from "node:child_process";
import type { Browser } from "playwright";
import { headOf } from "../../security/content/cut_text.ts";
import { processOf } from "../driver/inside.ts";

/** A crash of Chromium says what it has to say in these. */
const KEPT_LINES = 20;
const MAX_LINE = 2_000;
/** The pipe to it breaks a moment before it has ended and said all; what it started may hold its output open for longer. */
const MAX_WAIT_MS = 500;

export class BrowserExit {
  readonly #child: ChildProcess | undefined;
  #lines: string[] = [];
  #rest = "";

  readonly #onLine: (line: string) => void;

  /** Listens from now on. */
  constructor(browser: Browser, onLine: (line: string) => void = () => undefined) {
    this.#onLine = onLine;
    this.#child = processOf(browser);
    this.#child?.stderr?.on("data", (chunk: Buffer | string) => this.#hear(String(chunk)));
  }

  /** How it ended, as far as the driver tells, and what it wrote to its standard error last. Call it when it is gone. */
  async describe(): Promise<string> {
    const child = this.#child;
    if (child?.stderr && !child.stderr.closed) await closeOf(child);
    const said = [...this.#lines, this.#rest].filter((line) => line !== "").map((line) => `\n    ${line}`);
    return `Chromium ended by itself${endOf(child)}${said.length > 0 ? `. It said last:${said.join("")}` : ""}`;
  }

  /** A line may never end, and pages have a say in some. */
  #hear(text: string): void {
    const lines = text.split("\n");
    lines[0] = `${this.#rest}${headOf(lines[0] ?? "", MAX_LINE)}`;
    this.#rest = headOf(lines.pop() ?? "", MAX_LINE);
    for (const line of lines) this.#onLine(line);
    this.#lines = [...this.#lines, ...lines.slice(-KEPT_LINES).map((line) => headOf(line, MAX_LINE))].slice(
      -KEPT_LINES,
    );
  }
}

function endOf(child: ChildProcess | undefined): string {
  if (child?.signalCode) return `, killed by ${child.signalCode}`;
  return typeof child?.exitCode === "number" ? `, with exit code ${child.exitCode}` : "";
}

function closeOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, MAX_WAIT_MS);
    child.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
