import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toVerdictScale } from "../../../../security/content/classifier/calibrate.ts";
import { loadModel } from "../../../../security/content/classifier/model_directory.ts";
import { scorePiece } from "../../../../security/content/classifier/text_scorer.ts";

const SHIPPED = join(import.meta.dirname, "../../../../security/models/browse-guard");
/** Between the trainer's arithmetic and ours. */
const TOLERANCE = 0.02;

interface Golden {
  text: string;
  score: number;
}

interface Config {
  thresholds: { log: number; warn: number; block: number };
  members: { bits: number }[];
}

function json<T>(...path: string[]): T {
  return JSON.parse(readFileSync(join(...path), "utf8")) as T;
}

describe("The shipped model", () => {
  const { thresholds } = json<Config>(SHIPPED, "config.json");

  test("scores as it did where it was trained", async () => {
    const { scorer } = await loadModel(SHIPPED);
    const golden = json<Golden[]>(SHIPPED, "golden.json");
    expect(golden.length).toBeGreaterThan(20);
    for (const { text, score } of golden) {
      const found = await scorePiece(scorer, text, () => true);
      expect(Math.abs(found!.score - toVerdictScale(score, thresholds)), text.slice(0, 80)).toBeLessThan(TOLERANCE);
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
