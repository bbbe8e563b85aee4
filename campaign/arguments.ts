import { parseArgs } from "node:util";

export interface CampaignArguments {
  /** Names of the campaigns to run, in order. */
  names: readonly string[];
  /** Each campaign's own number when absent. */
  cases?: number;
  seed: number;
  /** The only case to play. */
  only?: number;
  baseline?: string;
  save?: string;
}

const DEFAULT_SEED = 1;

/** Throws an `Error` that names what is accepted. */
export function campaignArguments(words: readonly string[], known: readonly string[]): CampaignArguments {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      cases: { type: "string" },
      seed: { type: "string" },
      case: { type: "string" },
      baseline: { type: "string" },
      save: { type: "string" },
    },
  });
  const unknown = positionals.find((name) => name !== "all" && !known.includes(name));
  if (unknown !== undefined || positionals.length === 0) {
    const what = unknown === undefined ? "Name a campaign" : `Unknown campaign "${unknown}"`;
    throw new Error(`${what}: use all or ${known.join(", ")}`);
  }
  return {
    names: positionals.includes("all") ? known : positionals,
    seed: values.seed === undefined ? DEFAULT_SEED : whole("seed", values.seed),
    ...(values.cases !== undefined && { cases: whole("cases", values.cases, 1) }),
    ...(values.case !== undefined && { only: whole("case", values.case) }),
    ...(values.baseline !== undefined && { baseline: values.baseline }),
    ...(values.save !== undefined && { save: values.save }),
  };
}

function whole(flag: string, value: string, least = 0): number {
  const number = Number(value);
  if (value.trim() !== "" && Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`"--${flag} ${value}" must be a whole number from ${least}`);
}
