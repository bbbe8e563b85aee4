/** The layout of the shipped model: a `config.json` that lists its members, how they are combined, and what the sum means. */
import { join } from "node:path";
import * as v from "valibot";
import { BrowseError } from "../../../errors.ts";
import { probability, toVerdictScale } from "./calibrate.ts";
import { checkFiles } from "./checksums.ts";
import { readNgramMember } from "./ngram.ts";
import { OnnxSession } from "./onnx_session.ts";
import type { RawMember, Scorer } from "./scorer.ts";
import { readTokenEncoder } from "./token_encoder.ts";

const FileName = v.pipe(v.string(), v.regex(/^[\w][\w.-]*$/, "must be a file of the folder"));

const Count = v.pipe(v.number(), v.integer(), v.minValue(1));

const NgramSchema = v.looseObject({
  kind: v.literal("ngram"),
  weights: FileName,
  bits: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(24)),
  scale: v.number(),
  bias: v.number(),
  weight: v.number(),
});

const OnnxSchema = v.looseObject({
  kind: v.literal("onnx"),
  model: FileName,
  tokenizer: v.optional(v.literal("tokenizer.json"), "tokenizer.json"),
  maxTokens: Count,
  padId: v.number(),
  /** Windows in one run: quantised models take the range of their numbers from all of it. */
  batch: v.optional(Count, 1),
  weight: v.number(),
  /** Windows that the linear member puts below `below` are not read, and take `value`. */
  skip: v.optional(v.looseObject({ member: v.literal("ngram"), below: v.number(), value: v.number() })),
});

const PlattSchema = v.looseObject({ kind: v.literal("platt"), a: v.number(), b: v.number() });
const LinearSchema = v.looseObject({ kind: v.literal("linear"), intercept: v.number() });

const ConfigSchema = v.looseObject({
  name: v.string(),
  version: v.string(),
  window: v.looseObject({ characters: Count, step: Count }),
  members: v.pipe(v.array(v.variant("kind", [NgramSchema, OnnxSchema])), v.minLength(1)),
  combination: LinearSchema,
  calibration: PlattSchema,
  thresholds: v.looseObject({ log: v.number(), warn: v.number(), block: v.number() }),
  files: v.record(v.string(), v.looseObject({ sha256: v.string() })),
});

type Config = v.InferOutput<typeof ConfigSchema>;
type MemberConfig = Config["members"][number];

/** Is it the config of such a model? */
export function isOwnConfig(config: unknown): boolean {
  return typeof config === "object" && config !== null && "members" in config;
}

/** Throws `unsupported` for a config that is not one, and for files that are not those that it names. */
export async function loadOwnModel(folder: string, rawConfig: unknown): Promise<{ name: string; scorer: Scorer }> {
  const config = parsed(folder, rawConfig);
  const sums = Object.fromEntries(Object.entries(config.files).map(([name, { sha256 }]) => [name, sha256]));
  await checkFiles(folder, config.members.flatMap(filesOf), sums);
  const members: WeighedMember[] = [];
  for (const member of config.members) {
    const { kind, weight } = member;
    const skip = kind === "onnx" ? member.skip : undefined;
    members.push({ kind, weight, member: await openMember(folder, member), ...(skip && { skip }) });
  }
  return { name: `${config.name} ${config.version}`, scorer: combined(members, config) };
}

function parsed(folder: string, rawConfig: unknown): Config {
  const result = v.safeParse(ConfigSchema, rawConfig);
  if (result.success) return result.output;
  throw new BrowseError("unsupported", `config.json of "${folder}" cannot be used: ${v.summarize(result.issues)}`, {
    hint: "Install browse again, or use a model's folder as it was published",
  });
}

function filesOf(member: MemberConfig): string[] {
  return member.kind === "ngram" ? [member.weights] : [member.model, member.tokenizer];
}

async function openMember(folder: string, member: MemberConfig): Promise<RawMember> {
  if (member.kind === "ngram") return await readNgramMember(join(folder, member.weights), member);
  return await onnxMember(folder, member);
}

async function onnxMember(folder: string, config: v.InferOutput<typeof OnnxSchema>): Promise<RawMember> {
  const { model, maxTokens, padId, batch } = config;
  const encoder = await readTokenEncoder(folder, { maxTokens, padId });
  const session = await OnnxSession.open(join(folder, model));
  return {
    async raw(windows) {
      const sequences = windows.map((window) => encoder.plainIds(window.toLowerCase()).slice(0, maxTokens));
      return (await session.run(sequences, { padId, batch })).map(([logit = 0]) => logit);
    },
    close: async () => await session.close(),
  };
}

interface WeighedMember {
  weight: number;
  kind: MemberConfig["kind"];
  skip?: { below: number; value: number };
  member: RawMember;
}

function combined(members: readonly WeighedMember[], config: Config): Scorer {
  const { window, combination, calibration, thresholds } = config;
  return {
    windows: { length: window.characters, step: window.step },
    async score(windows) {
      const sums = windows.map(() => combination.intercept);
      let linear: readonly number[] = [];
      for (const { kind, weight, member, skip } of members) {
        const values = await valuesOf(member, windows, { skip, linear });
        if (kind === "ngram") linear = values;
        for (const [window, value] of values.entries()) sums[window] = (sums[window] ?? 0) + weight * value;
      }
      return sums.map((sum) => toVerdictScale(probability(sum, calibration), thresholds));
    },
    async close() {
      for (const { member } of members) await member.close();
    },
  };
}

interface Skipping {
  skip: WeighedMember["skip"];
  /** What the linear member made of each window. */
  linear: readonly number[];
}

/** A network takes a hundred times as long for a window as the linear member, which most windows are harmless to. */
async function valuesOf(member: RawMember, windows: readonly string[], { skip, linear }: Skipping): Promise<number[]> {
  if (!skip) return await member.raw(windows);
  const isRead = windows.map((_, window) => (linear[window] ?? 0) >= skip.below);
  const read = await member.raw(windows.filter((_, window) => isRead[window]));
  return isRead.map((isOne) => (isOne ? read.shift() : undefined) ?? skip.value);
}
