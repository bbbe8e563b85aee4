/** What a page, or a session's service workers, said: kept without its secrets, and told. */
import type { BrowserContext, Page } from "playwright";
import { headOf } from "../../security/content/cut_text.ts";
import { redactCut, redactUrl } from "../../security/secrets/redact.ts";
import { type ConsoleLine, onConsole, onServiceWorkerConsole } from "../driver/console.ts";
import { TimeBudget } from "../limits/time_budget.ts";
import { timeNow } from "./clock.ts";
import { Ring } from "./ring.ts";

/** Entries kept (protocol.md, Topics). */
const CAPACITY = 50_000;
/** Longer text is cut. Characters. */
const MAX_TEXT = 20_000;
/** Of a script's address: `sourceURL` makes it whatever the page likes. Characters. */
const MAX_SOURCE = 2_000;
const MAX_ARGUMENTS = 20;
/** Places in scripts that were written out once already. */
const MAX_PLACES = 1_000;
/** Characters of all texts, stacks included: entries are bounded by number, not by how long each is. */
const MAX_CHARACTERS = 16_000_000;
/** How long lines are left out at most before it is told how many. */
const TELL_LOST_MS = 500;

/** A type, since an interface would not do as what is reported. */
export type ConsoleEntry = {
  /** Counts from 1 in its tab, or among its session's service workers. */
  id: number;
  level: "log" | "debug" | "info" | "warning" | "error";
  text: string;
  /** Each as the text shows it, where it is more than one piece of text; left out where one of them held a secret. */
  arguments?: string[];
  /** `url:line:column`, where the page's script said it. */
  location?: string;
  /** True for an uncaught exception or unhandled rejection. */
  uncaught?: boolean;
  stack?: string;
  time: string;
};

export interface ConsoleCaptureOptions {
  report: (entry: Readonly<ConsoleEntry>) => void;
}

export class ConsoleCapture {
  readonly entries = new Ring<ConsoleEntry>(CAPACITY, { maxSize: MAX_CHARACTERS, sizeOf: lengthOf });
  readonly #options: ConsoleCaptureOptions;
  readonly #places = new Map<string, string>();
  readonly #budget = new TimeBudget();
  /** Lines that were left out and not told of yet. */
  #lost = 0;

  constructor(options: ConsoleCaptureOptions) {
    this.#options = options;
  }

  /** Takes down what this page says from now on, beside what is here. */
  followPage(page: Page): void {
    onConsole(page, (line, stack) => this.#take(() => this.#said(line, stack)));
    page.on("pageerror", (error) => this.#take(() => this.#keep({ id: this.entries.total + 1, ...uncaught(error) })));
  }

  /** Takes down what the service workers of this context say. */
  followServiceWorkers(context: BrowserContext): void {
    onServiceWorkerConsole(context, (line) => this.#take(() => this.#said(line)));
  }

  /** A warning of ours. */
  say(text: string): void {
    this.#keep({ id: this.entries.total + 1, level: "warning", text, time: timeNow() });
  }

  /** Takes the line in, unless this page has had its share of the daemon's time; then it is counted. */
  #take(line: () => void): void {
    if (this.#budget.isLeft) this.#budget.spend(line);
    else if (++this.#lost === 1) setTimeout(() => this.#tellLost(), TELL_LOST_MS).unref();
  }

  #tellLost(): void {
    const lines = this.#lost === 1 ? "1 line" : `${this.#lost.toLocaleString("en")} lines`;
    this.#lost = 0;
    this.say(`browse left out ${lines} here: they came faster than it can take them in`);
  }

  #said(line: ConsoleLine, stack?: string): void {
    const said = line.text();
    const text = shown(said);
    const args = line.args();
    const location = this.#placeOf(line);
    const hasArguments = text === said && (args.length > 1 || (args.length === 1 && String(args[0]) !== said));
    this.#keep({
      id: this.entries.total + 1,
      level: LEVELS[line.type()] ?? "log",
      text,
      ...(hasArguments && { arguments: args.slice(0, MAX_ARGUMENTS).map(String) }),
      ...(location !== undefined && { location }),
      ...(stack !== undefined && { stack: shown(stack) }),
      time: timeNow(),
    });
  }

  /** The same object is kept here and where it is told: of a storm, 50,000 are. */
  #keep(entry: ConsoleEntry): void {
    this.entries.push(entry);
    this.#options.report(entry);
  }

  /** A script says most of what it says in few places. */
  #placeOf(line: ConsoleLine): string | undefined {
    const { url: source, lineNumber, columnNumber } = line.location();
    const url = headOf(source, MAX_SOURCE);
    if (!url) return undefined;
    const place = `${url}:${lineNumber + 1}:${columnNumber + 1}`;
    let known = this.#places.get(place);
    if (known === undefined) {
      if (this.#places.size >= MAX_PLACES) this.#places.clear();
      known = `${redactUrl(url)}:${lineNumber + 1}:${columnNumber + 1}`;
      this.#places.set(place, known);
    }
    return known;
  }
}

const LEVELS: Readonly<Record<string, ConsoleEntry["level"]>> = {
  debug: "debug",
  info: "info",
  warning: "warning",
  error: "error",
  assert: "error",
};

function uncaught(error: Error): Omit<ConsoleEntry, "id"> {
  return {
    level: "error",
    text: shown(error.message ? `${error.name}: ${error.message}` : String(error)),
    uncaught: true,
    ...(error.stack ? { stack: shown(error.stack) } : {}),
    time: timeNow(),
  };
}

function lengthOf({ text, stack, arguments: args }: ConsoleEntry): number {
  const length = text.length + (stack?.length ?? 0);
  return args ? args.reduce((sum, argument) => sum + argument.length, length) : length;
}

function shown(text: string): string {
  return redactCut(text, MAX_TEXT);
}
