/** Models by their folders: ours, whose `config.json` lists its members, and those that Hugging Face lays out. */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { BrowseError } from "../../../errors.ts";
import { loadHuggingFace } from "./hugging_face.ts";
import { assertPlainFile, MAX_TEXT_BYTES } from "./model_file.ts";
import { isOwnConfig, loadOwnModel } from "./own_model.ts";
import type { Scorer } from "./scorer.ts";

interface LoadedModel {
  name: string;
  scorer: Scorer;
}

/** Throws `unsupported` for a folder that is none, files that are not those that were meant, and labels that say nothing. */
export async function loadModel(folder: string): Promise<LoadedModel> {
  const config = await readConfig(folder);
  if (isOwnConfig(config)) return await loadOwnModel(folder, config);
  return { name: basename(folder), scorer: await loadHuggingFace(folder, config) };
}

async function readConfig(folder: string): Promise<unknown> {
  const path = join(folder, "config.json");
  try {
    await assertPlainFile(path, MAX_TEXT_BYTES);
    return JSON.parse(await readFile(path, "utf8")) as unknown;
  } catch (cause) {
    throw new BrowseError("unsupported", `"${folder}" is not a model: its config.json cannot be read`, {
      hint: "A model's folder has config.json, tokenizer.json and model.onnx (or onnx/model.onnx)",
      cause,
    });
  }
}
