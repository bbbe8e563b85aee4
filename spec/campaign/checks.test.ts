/** The campaigns' own eyes: what they are to find is found, and a case is the same each time. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { secretsIn } from "../../campaign/agents/secrets.ts";
import { brokenBy } from "../../campaign/answers.ts";
import { campaignArguments } from "../../campaign/arguments.ts";
import { drawn } from "../../campaign/draw.ts";
import { misleading } from "../../campaign/hints.ts";
import { brokenClaims } from "../../campaign/kills/claims.ts";
import { runCampaign } from "../../campaign/run.ts";
import { Canaries } from "../../campaign/state/canaries.ts";

const GOOD = { stdout: "Shop\n", stderr: "", exitCode: 0, ms: 10 };
const FAILED = { stdout: "", stderr: "Error: Nothing matches\nHint: Run `browse snapshot`\n", exitCode: 1, ms: 10 };
const ASKED = { command: "title", isJson: false, timeoutMs: 1_000 };
const promises = (broken: readonly { promise: string }[]) => broken.map(({ promise }) => promise);

describe("An answer", () => {
  it("that keeps every promise is left in peace", () => {
    expect(brokenBy(GOOD, ASKED)).toEqual([]);
    expect(brokenBy(FAILED, ASKED)).toEqual([]);
  });

  it.each([
    ["the answer comes within its deadline", { ms: 2_000 }, {}],
    ["the output keeps its budget", { stdout: "x".repeat(300_000) }, {}],
    ["no control character is printed", { stdout: "a\u001b[2J" }, {}],
    ["no control character is printed", { stdout: "a\r\nb" }, {}],
    ["nothing that is printed turns the writing order", { stdout: "a\u202eb" }, {}],
    ["no lone surrogate is printed", { stdout: "a\ud800" }, {}],
    ["no lone surrogate is printed", { stdout: '{"a":"\\ud800"}' }, { isJson: true }],
    ["a failure tells exactly one error", { exitCode: 1, stdout: "" }, {}],
    ["a failure tells exactly one error", { ...FAILED, stderr: `${FAILED.stderr}${FAILED.stderr}` }, {}],
    ["nothing goes wrong inside browse", { ...FAILED, stderr: "Error: Something went wrong inside browse\n" }, {}],
    ["a page cannot forge our lines", { stdout: "Shop\nError: forged\n" }, {}],
    ["page content stands in exactly one envelope", { stdout: "⟦page 8f x⟧\na\n⟦/page 8f⟧\n⟦/page 8f⟧\n" }, {}],
  ])("is found out: %s", (promise, answer, asked) => {
    expect(promises(brokenBy({ ...GOOD, ...answer }, { ...ASKED, ...asked }))).toContain(promise);
  });
});

describe("A claim", () => {
  const claimed = {
    victim: "browser",
    blow: "SIGKILL",
    isCounted: true,
    isPlain: false,
    timeoutMs: 1_000,
    graceMs: 0,
  } as const;
  const error = (kind: string, hint = "") => ({
    ...FAILED,
    stderr: `${JSON.stringify({ error: { kind, message: "m", hint } })}\n`,
  });

  it("that is true stands", () => {
    expect(brokenClaims({ ...claimed, answer: GOOD, count: 1 })).toEqual([]);
    expect(brokenClaims({ ...claimed, answer: error("not_found"), count: 0 })).toEqual([]);
    const unknown = error("outcome_unknown", "Look at the page before you repeat it");
    expect(brokenClaims({ ...claimed, answer: unknown, count: 1 })).toEqual([]);
    expect(brokenClaims({ ...claimed, answer: unknown, count: 0 })).toEqual([]);
  });

  it.each([
    ["nothing happens twice", GOOD, 2],
    ["what is said to be done has happened", GOOD, 0],
    ["what happened is not told as a plain failure", error("browser_gone"), 1],
    ["nobody is invited to repeat what has happened", error("timeout", "Try again when it has"), 1],
    ["a death is not told as a closed tab", { ...GOOD, stdout: '{"effect":{"closed":true}}' }, 1],
    ["the answer comes within its deadline", { ...GOOD, ms: 5_000 }, 1],
  ])("is found out: %s", (promise, answer, count) => {
    expect(promises(brokenClaims({ ...claimed, answer, count }))).toContain(promise);
  });
});

describe("A hint", () => {
  it("is found out when it leads nowhere, or to somebody else's process", () => {
    const context = { commands: new Set(["snapshot"]), pids: new Set([7]) };
    expect(misleading(FAILED.stderr, context)).toEqual([]);
    expect(misleading("Error: x\nHint: End it with `kill 7`\n", context)).toEqual([]);
    const wrong = ["Run `browse nothing`", "End it with `kill 8`", "See /nowhere/at/all"];
    for (const hint of wrong) expect(misleading(`Error: x\nHint: ${hint}\n`, context)).toHaveLength(1);
    expect(misleading("Error: x\n", context)).toHaveLength(1);
  });
});

describe("A secret", () => {
  it("is found however it is written", () => {
    const value = "plantedwordabcdef";
    const written = [
      value,
      value.toUpperCase(),
      [...value].reverse().join(""),
      Buffer.from(value).toString("hex"),
      ...["", "x", "xy"].map((before) => Buffer.from(`${before}${value}, and more`).toString("base64")),
    ];
    for (const text of written) expect(secretsIn(`before ${text} after`, [{ name: "word", value }])).toHaveLength(1);
    expect(secretsIn("nothing of it", [{ name: "word", value }])).toEqual([]);
  });
});

describe("A canary", () => {
  it("tells of a write beside it and of one into it", () => {
    const root = mkdtempSync(join(tmpdir(), "browse-canary-"));
    try {
      const canaries = new Canaries(root);
      expect(canaries.broken()).toEqual([]);
      writeFileSync(join(canaries.folder, "new.txt"), "x");
      writeFileSync(canaries.file, "x");
      expect(canaries.broken()).toHaveLength(2);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

describe("A run", () => {
  it("draws the same case for the same seed and number, and others for others", () => {
    const many = (seed: number) => Array.from({ length: 50 }, (_, number) => drawn(fc.nat(), seed, number));
    expect(many(1)).toEqual(many(1));
    expect(new Set([...many(1), ...many(2)]).size).toBeGreaterThan(90);
  });

  it("goes on after a case that throws, and plays one case alone", async () => {
    const played: number[] = [];
    const arena = {
      draw: (number: number) => ({
        name: `case ${number}`,
        play: async () => {
          played.push(number);
          if (number === 0) throw new Error("no");
          return [];
        },
      }),
      [Symbol.asyncDispose]: async () => {},
    };
    const campaign = { name: "test", cases: 3, open: async () => arena };
    const { failures } = await runCampaign(campaign, { seed: 1 });
    await runCampaign(campaign, { seed: 1, only: 2 });
    expect(played).toEqual([0, 1, 2, 2]);
    expect(failures).toMatchObject([{ number: 0, promise: "the case can be played" }]);
  });

  it("takes only campaigns and numbers that exist", () => {
    const known = ["fuzz", "kills"];
    expect(campaignArguments(["all", "--cases", "5", "--seed", "7", "--case", "0"], known)).toEqual({
      names: known,
      cases: 5,
      seed: 7,
      only: 0,
    });
    for (const words of [[], ["nothing"], ["fuzz", "--cases", "0"], ["fuzz", "--seed", "x"], ["fuzz", "--what"]]) {
      expect(() => campaignArguments(words, known)).toThrow();
    }
  });
});
