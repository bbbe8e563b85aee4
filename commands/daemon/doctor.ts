import * as v from "valibot";
import type { Wall } from "../../skills/run/walls.ts";
import { defineCommand } from "../command.ts";

const LineSchema = v.strictObject({
  check: v.string(),
  ok: v.boolean(),
  detail: v.string(),
  fix: v.exactOptional(v.string()),
});

export default defineCommand({
  name: "doctor",
  category: "daemon",
  summary:
    "Check the browser, the runtime, ports, the state folder, left-over processes, the keychain and the content classifier",
  scope: "control",
  effect: "process",
  needs: "daemon",
  outsidePolicy: true,
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({
    fix: v.exactOptional(v.pipe(v.boolean(), v.description("Fix what can be fixed safely"))),
  }),
  result: v.strictObject({ checks: v.array(LineSchema), ok: v.boolean() }),
  examples: ["browse doctor"],
  async run({ daemon, signal }, { fix = false }) {
    // Models are loaded by the first text.
    await daemon.content.classifier.score("Is the classifier there?", { signal });
    const { port, faults, classifier } = daemon.status();
    const checks = [
      ...(await daemon.browser.doctor({ fix, port, faults, classifier })),
      sandboxLine(await daemon.skills.walls()),
    ];
    return { checks, ok: checks.every(({ ok }) => ok) };
  },
  exitCode: ({ ok }) => (ok ? 0 : 1),
  render: ({ checks }) => checks.map(lineOf).join("\n"),
});

/** One wall less is no failure: the others hold. */
function sandboxLine(walls: readonly Wall[]): Line {
  const missing = walls.filter(({ holds }) => !holds);
  const holding = walls.filter(({ holds }) => holds).map(({ name }) => name);
  const detail = `these walls of skills hold: ${holding.join(", ")}`;
  if (missing.length === 0) return { check: "skill sandbox", ok: true, detail };
  const reasons = missing.map(({ name, detail: reason }) => `${name}: ${reason}`);
  return { check: "skill sandbox", ok: true, detail, fix: reasons.join("; ") };
}

type Line = v.InferOutput<typeof LineSchema>;

/** What works as it is and could do more is no failure. */
function lineOf({ check, ok, detail, fix }: Line): string {
  const mark = ok ? (fix ? "note" : "ok  ") : "FAIL";
  return `${mark} ${check}: ${detail}${fix ? `\n     ${ok ? "to change it" : "fix"}: ${fix}` : ""}`;
}
