import * as v from "valibot";
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
    const checks = await daemon.browser.doctor({ fix, port, faults, classifier });
    return { checks, ok: checks.every(({ ok }) => ok) };
  },
  exitCode: ({ ok }) => (ok ? 0 : 1),
  render: ({ checks }) => checks.map(lineOf).join("\n"),
});

type Line = v.InferOutput<typeof LineSchema>;

/** What works as it is and could do more is no failure. */
function lineOf({ check, ok, detail, fix }: Line): string {
  const mark = ok ? (fix ? "note" : "ok  ") : "FAIL";
  return `${mark} ${check}: ${detail}${fix ? `\n     ${ok ? "to change it" : "fix"}: ${fix}` : ""}`;
}
