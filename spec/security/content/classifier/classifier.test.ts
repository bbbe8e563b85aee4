import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  Classifier,
  type ClassifierOptions,
  type ContentScore,
} from "../../../../security/content/classifier/classifier.ts";
import { ATTACK_SCORE, HARMLESS_SCORE, writeModel } from "../../../harness/model_folder.ts";

let folder: string;
let troubles: string[];
const opened: Classifier[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "browse-classifier-"));
  troubles = [];
});

afterEach(async () => {
  for (const classifier of opened.splice(0)) await classifier.close();
  rmSync(folder, { recursive: true });
});

function open(options: ClassifierOptions = {}): Classifier {
  const classifier = new Classifier({ shipped: folder, onTrouble: (message) => troubles.push(message), ...options });
  opened.push(classifier);
  return classifier;
}

/** With a thread that does what the text tells it to. */
function openScripted(options: ClassifierOptions = {}): Classifier {
  return open({ script: new URL("./programs/scripted_worker.ts", import.meta.url), ...options });
}

describe("The classifier", () => {
  test("loads its models with the first text, and tells the worst window of it", async () => {
    writeModel(folder);
    const classifier = open();
    expect(classifier.status()).toEqual({ state: "idle", models: [], scored: 0 });
    const text = `${"lamp ".repeat(400)}\u200b  obey ${"lamp ".repeat(400)}`;
    const found = await classifier.score(text);
    expect(found).toMatchObject({ score: expect.closeTo(ATTACK_SCORE, 5), covered: 1 });
    const { span } = found as { span: [number, number] };
    expect(text.slice(...span)).toContain("obey");
    expect(span[1] - span[0]).toBeLessThan(400);
    expect(await classifier.score("lamp".padEnd(64))).toMatchObject({
      score: expect.closeTo(HARMLESS_SCORE, 5),
      span: [0, expect.any(Number)],
    });
    expect(classifier.status()).toMatchObject({ state: "ready", models: [{ folder, isLoaded: true }], scored: 2 });
    expect(troubles).toEqual([]);
  });

  test("asks models of the user's beside its own, and goes on without one that cannot be loaded", async () => {
    writeModel(folder);
    const [added, broken] = [writeModel(join(folder, "added")), join(folder, "broken")];
    const classifier = open({ added: [added, broken] });
    expect(await classifier.score("obey".padEnd(64))).toMatchObject({ score: expect.closeTo(ATTACK_SCORE, 5) });
    const { state, reason, models } = classifier.status();
    expect(state).toBe("degraded");
    expect(reason).toContain(`"${broken}" is not a model`);
    expect(models.map(({ isLoaded }) => isLoaded)).toEqual([true, true, false]);
    expect(troubles).toHaveLength(1);
  });

  test("without any model says so, each time, and does not try again and again", async () => {
    const classifier = open();
    const missing = expect.stringMatching(/is not a model.*browse restart/);
    expect(await classifier.score("one")).toEqual({ missing: expect.stringContaining("is not a model") });
    writeModel(folder);
    expect(await classifier.score("two")).toEqual({ missing });
    expect(classifier.status()).toMatchObject({ state: "degraded", reason: missing, scored: 0 });
  });

  test("that is off scores nothing and loads nothing", async () => {
    const classifier = openScripted({ isOff: true });
    expect(await classifier.score("text")).toEqual({ missing: "BROWSE_SECURITY is off" });
    expect(classifier.status()).toMatchObject({ state: "off", reason: "BROWSE_SECURITY is off", models: [] });
  });

  test("needs no model for what has no words", async () => {
    const classifier = open();
    expect(await classifier.score(" \n— … ⟦⟧")).toEqual({ score: 0, covered: 1 });
    expect(classifier.status()).toMatchObject({ state: "idle" });
  });

  test("scores what it has seen before without asking the thread, and forgets what is oldest", async () => {
    const classifier = openScripted({ limits: { cached: 2 } });
    const scoreOf = async (text: string) => (await classifier.score(text)) as { score: number };
    const [first, again] = await Promise.all([scoreOf("a"), scoreOf("a")]);
    expect(again).toEqual(first);
    const second = await scoreOf("b");
    expect(await scoreOf("a")).toEqual(first);
    await scoreOf("c");
    expect(await scoreOf("a")).toEqual(first);
    expect((await scoreOf("b")).score).toBeGreaterThan(second.score);
    expect(classifier.status().scored).toBe(6);
  });

  test.each([
    ["throw", "Out of luck"],
    ["exit", "ended with 7"],
  ])("whose thread dies (%s) says so, starts another one, and no third", async (word, reason) => {
    const classifier = openScripted();
    const missing = expect.stringContaining(reason);
    expect(await Promise.all([classifier.score(word), classifier.score(`${word} too`)])).toEqual([
      { missing },
      expect.anything(),
    ]);
    expect(classifier.status()).toMatchObject({ state: "degraded", reason: missing });
    expect(await classifier.score("text")).toMatchObject({ score: expect.any(Number) });
    expect(classifier.status()).toMatchObject({ state: "ready" });
    expect(await classifier.score(word)).toEqual({ missing });
    const forGood = expect.stringMatching(new RegExp(`${reason}.*browse restart`));
    expect(await classifier.score("more")).toEqual({ missing: forGood });
    expect(classifier.status()).toMatchObject({ state: "degraded", reason: forGood });
    expect(troubles).toEqual([missing, missing]);
  });

  test.each([
    ["fail", "No such token"],
    ["hang", "No score within 200 ms"],
  ])("whose thread does not score a text (%s) says why, and scores the next", async (word, reason) => {
    const classifier = openScripted({ limits: { deadlineMs: 200 } });
    await classifier.score("first");
    expect(await classifier.score(word)).toEqual({ missing: expect.stringContaining(reason) });
    expect(classifier.status()).toMatchObject({ state: "degraded", reason: expect.stringContaining(reason) });
    expect(await classifier.score("next")).toMatchObject({ score: expect.any(Number) });
    expect(classifier.status()).toMatchObject({ state: "ready" });
  });

  test("lets no more texts wait than it may", async () => {
    const classifier = openScripted({ limits: { waiting: 2 } });
    const found = await Promise.all(["a", "b", "c"].map(async (text) => await classifier.score(text)));
    expect(found).toEqual([expect.anything(), expect.anything(), { missing: "2 texts wait for a score already" }]);
    expect(found[0]).toHaveProperty("score");
  });

  test("lets a caller go whose signal aborts", async () => {
    const classifier = openScripted();
    const abort = new AbortController();
    const scoring = classifier.score("hang", { signal: abort.signal });
    abort.abort();
    await expect(scoring).rejects.toMatchObject({ kind: "cancelled" });
    expect(classifier.status()).toMatchObject({ state: "idle" });
  });

  test("that is closed tells who waits, and scores nothing any more", async () => {
    const classifier = openScripted();
    const scoring = classifier.score("hang");
    await classifier.close();
    expect(await scoring).toEqual({ missing: "The classifier was closed" });
    expect(await classifier.score("text")).toHaveProperty("missing");
  });

  test("looks at pieces of a text that is very long, and says how much it has seen", async () => {
    writeModel(folder);
    const classifier = open();
    const text = `${"lamp ".repeat(60_000)}obey`;
    const found = (await classifier.score(text)) as ContentScore;
    expect(found).toMatchObject({ score: expect.closeTo(ATTACK_SCORE, 5), covered: expect.closeTo(0.2, 2) });
    expect(text.slice(...found.span!)).toContain("obey");
    expect(found.span![1]).toBe(text.length);
  });

  test("drops what nobody waits for any more, and scores what comes next", async () => {
    writeModel(folder);
    const classifier = open({ limits: { deadlineMs: 300 } });
    await classifier.score("lamp");
    const texts = Array.from({ length: 60 }, (_, index) => `lamp ${index} `.repeat(8_000));
    const found = await Promise.all(texts.map(async (text) => await classifier.score(text)));
    expect(found.filter((score) => "missing" in score).length).toBeGreaterThan(0);
    expect(await classifier.score("obey".padEnd(64))).toMatchObject({ score: expect.closeTo(ATTACK_SCORE, 5) });
  });

  test("that is closed in the middle of a text leaves the process alone", async () => {
    writeModel(folder);
    const classifier = open();
    await classifier.score("lamp");
    const scoring = classifier.score("lamp and lamps ".repeat(4_000));
    await classifier.close();
    expect(await scoring).toEqual({ missing: "The classifier was closed" });
  });
});

test("A model whose files are a pipe or have no end is left out at once, and the others score", async () => {
  writeModel(folder);
  const [pipe, endless] = ["pipe", "endless"].map((name) => join(folder, name)) as [string, string];
  for (const path of [pipe, endless]) mkdirSync(path);
  await promisify(execFile)("mkfifo", [join(pipe, "config.json")]);
  symlinkSync("/dev/zero", join(endless, "config.json"));
  const classifier = open({ added: [pipe, endless] });
  expect(await classifier.score("obey".padEnd(64))).toMatchObject({ score: expect.closeTo(ATTACK_SCORE, 5) });
  const { state, models } = classifier.status();
  expect(state).toBe("degraded");
  expect(models.map(({ isLoaded }) => isLoaded)).toEqual([true, false, false]);
});

test("A text that is like one before is scored as if there had been none", async () => {
  writeModel(folder);
  const lamps = "lamp ".repeat(400);
  const texts = [lamps, `${lamps}${"obey ".repeat(20)}`, `${lamps}lamp`, `${"obey ".repeat(3)}${lamps}`];
  const one = open();
  for (const text of texts) expect(await one.score(text)).toEqual(await open().score(text));
});

test("The runtime reports to nobody, and leaves nothing in the temporary folder", async () => {
  const { ORT_DISABLE_TELEMETRY: _, ORT_TELEMETRY_DISABLED: __, ...env } = process.env;
  const program = join(import.meta.dirname, "programs/score_once.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env: { ...env, TMPDIR: folder } });
  expect(JSON.parse(stdout)).toMatchObject({ score: expect.any(Number) });
  expect(readdirSync(folder)).toEqual([]);
});
