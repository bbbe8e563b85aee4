/** Help where no daemon runs: as the build has written it down, from what a daemon of this build would say. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readArguments } from "../cli/arguments.ts";

/** `help.json` beside the client. */
export interface WrittenHelp {
  overview: string;
  /** By what may be typed: names, aliases, `state` and `state.save`. */
  pages: Record<string, string>;
  /** Commands whose words are another command's, its flags too. */
  raw: string[];
}

/** Flags that change nothing of a help that is printed whole, or only how. */
const PLAIN = new Set(["--json", "--quiet", "--help", "-h"]);

/** What to print; undefined where nothing else than help is asked for, or only a daemon can tell. */
export function writtenHelp(argv: readonly string[], script: string): string | undefined {
  const asked = askedFor(argv);
  const help = asked && readHelp(script);
  if (!help) return undefined;
  const { words, isCommand } = asked;
  if (!isCommand && help.raw.includes(words[0] ?? "") && words.length > 1) return undefined;
  const names = isCommand ? [words.join(".")] : [words.slice(0, 2).join("."), words[0] ?? ""];
  const text = words.length === 0 ? help.overview : pageOf(help, names);
  return text && (isCommand && argv.includes("--json") ? JSON.stringify({ text }) : text);
}

function pageOf({ pages }: WrittenHelp, names: readonly string[]): string | undefined {
  const name = names.find((each) => Object.hasOwn(pages, each));
  return name === undefined ? undefined : pages[name];
}

interface Asked {
  /** The name, in one word or two, and what else is there that is no flag. */
  words: string[];
  /** By the command `help`, whose words are all of the name. */
  isCommand: boolean;
}

function askedFor(argv: readonly string[]): Asked | undefined {
  const words = argv.filter((word) => !word.startsWith("-"));
  const { command, globals, isHelp } = readArguments(argv);
  const isPlain = argv.every((word) => !word.startsWith("-") || PLAIN.has(word));
  if (words.length === 0) return isPlain ? { words, isCommand: false } : undefined;
  if (isHelp && !argv.includes("--") && command !== undefined) {
    const after = argv.slice(globals.length + 1).filter((word) => !word.startsWith("-"));
    return { words: [command, ...after], isCommand: false };
  }
  return command === "help" && isPlain ? { words: words.slice(1), isCommand: true } : undefined;
}

function readHelp(script: string): WrittenHelp | undefined {
  try {
    return JSON.parse(readFileSync(join(dirname(script), "help.json"), "utf8")) as WrittenHelp;
  } catch {
    // Run from its sources, where nothing is built: a daemon tells.
    return undefined;
  }
}
