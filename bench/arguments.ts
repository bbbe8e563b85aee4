import { parseArgs } from "node:util";
import { GROUPS, type Group } from "./scenario.ts";

export interface BenchArguments {
  groups: readonly Group[];
  /** How often a process is run. */
  runs: number;
  /** Where the results go as JSON. */
  json?: string;
  /** Write `docs/benchmarks.md` too. */
  write: boolean;
  /** Bring the peers that npm has. */
  install: boolean;
}

const DEFAULT_RUNS = 20;

/** Throws an `Error` that names what is accepted. */
export function benchArguments(words: readonly string[]): BenchArguments {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      runs: { type: "string" },
      json: { type: "string" },
      write: { type: "boolean" },
      install: { type: "boolean" },
    },
  });
  const runs = Number(values.runs ?? DEFAULT_RUNS);
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`"--runs ${values.runs}" must be a whole number above 0`);
  for (const word of positionals) {
    if (!isGroup(word)) throw new Error(`Unknown group "${word}": use ${GROUPS.join(", ")}`);
  }
  return {
    groups: positionals.length > 0 ? positionals.filter(isGroup) : GROUPS,
    runs,
    write: values.write === true,
    install: values.install === true,
    ...(values.json === undefined ? {} : { json: values.json }),
  };
}

function isGroup(word: string): word is Group {
  return (GROUPS as readonly string[]).includes(word);
}
