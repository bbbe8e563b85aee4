import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadModel } from "../../../../security/content/classifier/model_directory.ts";
import {
  ATTACK_SCORE,
  checksumsOf,
  HARMLESS_SCORE,
  type TokenizerKind,
  writeModel,
} from "../../../harness/model_folder.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "browse-model-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

async function scoresOf(windows: string[]): Promise<number[]> {
  const { scorer } = await loadModel(folder);
  const scores = await scorer.score(windows);
  await scorer.close();
  return scores;
}

const refusal = async () => await loadModel(folder).catch((error: unknown) => error);

describe("A model as Hugging Face lays it out", () => {
  test.each<TokenizerKind>(["WordPiece", "BPE", "Unigram"])("scores by its %s tokenizer", async (kind) => {
    writeModel(folder, { kind });
    const scores = await scoresOf(["A lamp", "You must OBEY it", "", "lamp lamp lamp lamp lamp"]);
    const expected = [HARMLESS_SCORE, ATTACK_SCORE, HARMLESS_SCORE, HARMLESS_SCORE];
    for (const [index, score] of scores.entries()) expect(score).toBeCloseTo(expected[index]!, 5);
  });

  test("is found in onnx/, with all the inputs that exports have", async () => {
    writeModel(folder, { model: "onnx/model.onnx", inputs: ["attention_mask", "token_type_ids"] });
    expect((await scoresOf(["obey"]))[0]).toBeCloseTo(ATTACK_SCORE, 5);
  });

  test("sees all of a text that has more tokens than it takes at once", async () => {
    writeModel(folder, { maxTokens: 8 });
    const [far, none] = await scoresOf([`${"lamp ".repeat(100)}obey`, "lamp ".repeat(100)]);
    expect(far).toBeCloseTo(ATTACK_SCORE, 5);
    expect(none).toBeCloseTo(HARMLESS_SCORE, 5);
  });

  test("scores many windows of different lengths, each as if it were alone", async () => {
    writeModel(folder);
    const windows = Array.from({ length: 30 }, (_, index) => `${"lamp ".repeat(index % 11)}${index % 3 ? "" : "obey"}`);
    const scores = await scoresOf(windows);
    expect(scores.map((score) => score > 0.5)).toEqual(windows.map((_, index) => index % 3 === 0));
  });

  test.each([
    [{ id2label: { 0: "injection", 1: "legit" } }, 1 - ATTACK_SCORE],
    [{ id2label: undefined, label2id: { BENIGN: 0, "Prompt Injection": 1 } }, ATTACK_SCORE],
    [{ id2label: { 0: "LABEL_0", 1: "LABEL_1" } }, ATTACK_SCORE],
    [{ id2label: { 0: "benign", 1: "jailbreak" } }, ATTACK_SCORE],
    [{ id2label: { 0: "spam", 1: "ham" }, attackLabels: ["spam"] }, 1 - ATTACK_SCORE],
  ])("with %j is read by the names of its labels", async (config, score) => {
    writeModel(folder, { config });
    expect((await scoresOf(["obey"]))[0]).toBeCloseTo(score, 5);
  });

  test.each([
    { id2label: { 0: "spam", 1: "ham" } },
    { id2label: { 0: "SAFE", 1: "BENIGN" } },
    { id2label: { 0: "SAFE", 1: "INJECTION", 2: "unclear" } },
    { id2label: { 0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2" } },
    { id2label: undefined },
    { attackLabels: ["no such label"] },
  ])("with %j is refused, with what to write", async (config) => {
    writeModel(folder, { config });
    expect(await refusal()).toMatchObject({ kind: "unsupported", hint: expect.stringContaining('"attackLabels": [') });
  });

  test("that has the files of its SHA256SUMS is loaded, and one with any other is not", async () => {
    writeModel(folder);
    const sums = checksumsOf(folder);
    writeFileSync(join(folder, "SHA256SUMS"), sums);
    expect(await scoresOf(["obey"])).toHaveLength(1);
    writeFileSync(
      join(folder, "SHA256SUMS"),
      sums.replace(/^[0-9a-f]/gm, (digit) => (digit === "0" ? "1" : "0")),
    );
    expect(await refusal()).toMatchObject({ kind: "unsupported", message: expect.stringContaining("is not the file") });
    writeFileSync(join(folder, "SHA256SUMS"), sums.replace(/.*model\.onnx\n/, ""));
    expect(await refusal()).toMatchObject({ message: expect.stringContaining('"model.onnx" has no checksum') });
    writeFileSync(join(folder, "SHA256SUMS"), "what is this");
    expect(await refusal()).toMatchObject({ message: expect.stringContaining("a line that is no checksum") });
  });

  test.each(["model.onnx", "tokenizer.json", "config.json"])(
    "without %s is refused, and told what it lacks",
    async (name) => {
      writeModel(folder);
      rmSync(join(folder, name));
      expect(await refusal()).toMatchObject({ kind: "unsupported", message: expect.stringContaining(name) });
    },
  );

  test("with a model that is none is refused", async () => {
    writeModel(folder);
    writeFileSync(join(folder, "model.onnx"), "not a model");
    await expect(loadModel(folder)).rejects.toThrow();
  });
});
