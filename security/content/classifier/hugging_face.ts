/** A folder as Hugging Face lays it out: `config.json`, `tokenizer.json`, `model.onnx`, the last also in `onnx/`. */
import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import * as v from "valibot";
import { BrowseError } from "../../../errors.ts";
import { logistic } from "./calibrate.ts";
import { checkFiles, listedChecksums } from "./checksums.ts";
import { attackOutputs } from "./labels.ts";
import { OnnxSession } from "./onnx_session.ts";
import type { Scorer } from "./scorer.ts";
import { readTokenEncoder, type TokenEncoder } from "./token_encoder.ts";

const ConfigSchema = v.looseObject({
  id2label: v.exactOptional(v.record(v.string(), v.string())),
  label2id: v.exactOptional(v.record(v.string(), v.number())),
  attackLabels: v.exactOptional(v.array(v.string())),
  max_position_embeddings: v.exactOptional(v.number()),
  pad_token_id: v.exactOptional(v.nullable(v.number())),
  model_type: v.exactOptional(v.string()),
});

/** More tokens at once take more than twice the time and tell no more. */
const MAX_TOKENS = 512;
/** The first that is there. */
const MODELS = ["model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx"];

/**
 * Throws `unsupported` when a file is missing or not the one that `SHA256SUMS` in the folder names, or the labels say
 * nothing.
 */
export async function loadHuggingFace(folder: string, rawConfig: unknown): Promise<Scorer> {
  const config = v.parse(ConfigSchema, rawConfig);
  const model = MODELS.find((name) => existsSync(join(folder, name)));
  if (model === undefined) throw incomplete(folder, "no model.onnx");
  const tokenizer = [folder, join(folder, dirname(model))].find((at) => existsSync(join(at, "tokenizer.json")));
  if (tokenizer === undefined) throw incomplete(folder, "no tokenizer.json");
  const attacks = attackOutputs(config);
  const checksums = await listedChecksums(folder);
  if (checksums) await checkFiles(folder, filesOf(folder, model, tokenizer), checksums);
  const encoder = await readTokenEncoder(tokenizer, {
    maxTokens: Math.min(MAX_TOKENS, positionsOf(config)),
    padId: config.pad_token_id ?? 0,
  });
  return sequenceClassifier(await OnnxSession.open(join(folder, model)), encoder, attacks);
}

function sequenceClassifier(session: OnnxSession, encoder: TokenEncoder, attacks: readonly number[]): Scorer {
  return {
    async score(windows) {
      const parts = windows.flatMap((text, window) => encoder.encode(text).map((ids) => ({ ids, window })));
      const outputs = await session.run(
        parts.map(({ ids }) => ids),
        encoder,
      );
      const scores = windows.map(() => 0);
      for (const [index, { window }] of parts.entries()) {
        scores[window] = Math.max(scores[window] ?? 0, attackScore(outputs[index] ?? [], attacks));
      }
      return scores;
    },
    close: async () => await session.close(),
  };
}

/** Softmax, of which what means an attack is summed; of a single output the logistic function. */
function attackScore(outputs: readonly number[], attacks: readonly number[]): number {
  if (outputs.length === 1) return logistic(outputs[0] ?? 0);
  const highest = Math.max(...outputs);
  const powers = outputs.map((output) => Math.exp(output - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return attacks.reduce((sum, index) => sum + (powers[index] ?? 0), 0) / total;
}

/** All that is read of it. */
function filesOf(folder: string, model: string, tokenizer: string): string[] {
  const path = (name: string) => relative(folder, join(tokenizer, name)).replaceAll(sep, "/");
  const optional = [path("tokenizer_config.json"), `${model}_data`, `${model}.data`];
  const there = optional.filter((name) => existsSync(join(folder, name)));
  return ["config.json", model, path("tokenizer.json"), ...there];
}

/** RoBERTa's positions begin behind that of its filling. */
function positionsOf({ max_position_embeddings: positions, model_type: type, pad_token_id: pad }: Config): number {
  if (positions === undefined || positions < 1) return MAX_TOKENS;
  return /roberta|camembert/.test(type ?? "") ? positions - (pad ?? 1) - 1 : positions;
}

type Config = v.InferOutput<typeof ConfigSchema>;

function incomplete(folder: string, lack: string): BrowseError {
  return new BrowseError("unsupported", `"${folder}" has ${lack}`, {
    hint: "A model's folder has config.json, tokenizer.json and model.onnx (or onnx/model.onnx)",
  });
}
