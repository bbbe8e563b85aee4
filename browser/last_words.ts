/** How a browser that ended without being asked to came to its end, for whoever has to find out why. */
import type { ChildProcess } from "node:child_process";
import type { Browser } from "playwright";
import { insideOf } from "./driver_inside.ts";

interface Death {
  /** Such as "killed by SIGKILL" or "exit code 1"; absent where the driver does not tell. */
  how?: string;
  /** What it wrote to its standard error last. */
  lastWords: string[];
}

/** A crash of Chromium says what it has to say in these. */
const KEPT_LINES = 20;
/** The pipe to it breaks a moment before it has ended and said all; what it started may hold its output open for longer. */
const MAX_WAIT_MS = 500;

export class LastWords {
  readonly #child: ChildProcess | undefined;
  #lines: string[] = [];
  #rest = "";

  /** Listens from now on. */
  constructor(browser: Browser) {
    const inside = insideOf<{ options?: { browserProcess?: { process?: ChildProcess } } }>(browser);
    this.#child = inside?.options?.browserProcess?.process;
    this.#child?.stderr?.on("data", (chunk: Buffer | string) => this.#hear(String(chunk)));
  }

  /** Call it when the browser is gone. */
  async death(): Promise<Death> {
    const child = this.#child;
    if (child?.stderr && !child.stderr.closed) await closeOf(child);
    const lastWords = [...this.#lines, this.#rest].filter((line) => line !== "");
    if (child?.signalCode) return { how: `killed by ${child.signalCode}`, lastWords };
    if (typeof child?.exitCode === "number") return { how: `exit code ${child.exitCode}`, lastWords };
    return { lastWords };
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    this.#lines = [...this.#lines, ...lines].slice(-KEPT_LINES);
  }
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
