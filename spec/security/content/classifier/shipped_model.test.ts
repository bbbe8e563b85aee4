import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toVerdictScale } from "../../../../security/content/classifier/calibrate.ts";
import { loadModel } from "../../../../security/content/classifier/model_directory.ts";
import { scorePiece } from "../../../../security/content/classifier/text_scorer.ts";
import { writeModel } from "../../../harness/model_folder.ts";

const SHIPPED = join(import.meta.dirname, "../../../../security/models/browse-guard");
/** Between the trainer's arithmetic and ours. */
const TOLERANCE = 0.005;

interface Golden {
  text: string;
  score: number;
}

interface Config {
  thresholds: { log: number; warn: number; block: number };
  members: { kind: string }[];
}

function json<T>(...path: string[]): T {
  return JSON.parse(readFileSync(join(...path), "utf8")) as T;
}

describe("The shipped model", () => {
  const { thresholds } = json<Config>(SHIPPED, "config.json");

  /** The score that the model itself gave. */
  function fromVerdictScale(score: number): number {
    let [low, high] = [0, 1];
    while (high - low > 1e-6) {
      const middle = (low + high) / 2;
      if (toVerdictScale(middle, thresholds) < score) low = middle;
      else high = middle;
    }
    return low;
  }

  test("scores as it did where it was trained", async () => {
    const { scorer } = await loadModel(SHIPPED);
    const golden = json<Golden[]>(SHIPPED, "golden.json");
    expect(golden.length).toBeGreaterThan(20);
    for (const { text, score } of golden) {
      const found = await scorePiece(scorer, text, () => true);
      expect(Math.abs(fromVerdictScale(found!.score) - score), text.slice(0, 80)).toBeLessThan(TOLERANCE);
    }
    await scorer.close();
  });

  test("has its own thresholds where the verdict has its constants", () => {
    const { log, warn, block } = thresholds;
    expect([0, log, warn, block, 1].map((score) => toVerdictScale(score, thresholds))).toEqual([0, 0.4, 0.75, 0.92, 1]);
    const halfway = toVerdictScale((log + warn) / 2, thresholds);
    expect(halfway).toBeCloseTo(0.575);
  });
});

describe("A model of the shipped layout", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "browse-own-model-"));
    cpSync(SHIPPED, folder, { recursive: true });
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  test("with another file than was meant is refused", async () => {
    const weights = readFileSync(join(folder, "ngram.bin"));
    weights[100]! ^= 1;
    writeFileSync(join(folder, "ngram.bin"), weights);
    await expect(loadModel(folder)).rejects.toMatchObject({
      kind: "unsupported",
      message: expect.stringContaining('"ngram.bin" is not the file that its checksum is of'),
    });
  });

  test("adds up its members, of which the network reads the first tokens of each window in lower case", async () => {
    writeModel(folder, { weightsOf: (token) => [token === "obey" ? 7 : token === "[PAD]" ? 1 : 0] });
    const tokenizer = json<object>(folder, "tokenizer.json");
    writeFileSync(join(folder, "tokenizer.json"), JSON.stringify({ ...tokenizer, normalizer: null }));
    const sums = Object.fromEntries(
      ["ngram.bin", "model.onnx", "tokenizer.json"].map((name) => {
        return [
          name,
          {
            sha256: createHash("sha256")
              .update(readFileSync(join(folder, name)))
              .digest("hex"),
          },
        ];
      }),
    );
    const ngram = { ...json<Config>(SHIPPED, "config.json").members.find(({ kind }) => kind === "ngram")!, weight: 0 };
    const network = { kind: "onnx", model: "model.onnx", maxTokens: 3, padId: 1, weight: 2 };
    const config = {
      ...json<Config>(SHIPPED, "config.json"),
      members: [ngram, network],
      combination: { kind: "linear", intercept: -1 },
      calibration: { kind: "platt", a: 0.5, b: 0.25 },
      thresholds: { log: 0.4, warn: 0.75, block: 0.92 },
      files: sums,
    };
    writeFileSync(join(folder, "config.json"), JSON.stringify(config));
    const { scorer } = await loadModel(folder);
    const scores = await scorer.score(["a lamp OBEY", "lamp lamp lamp obey", ""]);
    await scorer.close();
    const expected = [7, 0, 1].map((raw) => 1 / (1 + Math.exp(-(0.5 * (2 * raw - 1) + 0.25))));
    for (const [index, score] of scores.entries()) expect(score).toBeCloseTo(expected[index]!, 5);
  });

  test.each([
    ["without checksums", { files: {} }, '"ngram.bin" has no checksum'],
    ["with a member of another folder", { members: [{ kind: "ngram", weights: "../ngram.bin" }] }, "config.json of"],
    ["with a member of another kind", { members: [{ kind: "forest" }] }, "config.json of"],
  ])("%s is refused", async (_what, change, message) => {
    writeFileSync(join(folder, "config.json"), JSON.stringify({ ...json<Config>(folder, "config.json"), ...change }));
    await expect(loadModel(folder)).rejects.toMatchObject({
      kind: "unsupported",
      message: expect.stringContaining(message),
    });
  });
});
