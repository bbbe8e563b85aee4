import * as v from "valibot";
import { SkillName } from "../../skills/skill.ts";
import { defineCommand } from "../command.ts";

const TEST_MS = 60_000;

export default defineCommand({
  name: "skill.test",
  category: "skills",
  summary: "Run a skill's tests of its parsers",
  description: "They run in the sandbox that the skill runs in, but without a browser: on its fixtures.",
  scope: "meta",
  effect: "process",
  needs: "daemon",
  output: "page",
  // Tests print what their fixtures say.
  fromPage: "whole",
  timeoutMs: TEST_MS,
  params: v.strictObject({ name: SkillName }),
  cli: { positional: ["name"] },
  result: v.strictObject({
    skill: v.string(),
    passed: v.number(),
    failed: v.number(),
    ok: v.boolean(),
    output: v.exactOptional(v.pipe(v.string(), v.description("What the tests printed, as TAP, where one has failed"))),
  }),
  examples: ["browse skill new parsed --host news.example", "browse skill test parsed"],
  async run({ daemon, signal, timeoutMs }, { name }) {
    const tested = await daemon.skills.runner.test(daemon.skills.store.read(name), { signal, timeoutMs });
    const { passed, failed, ok, lines } = tested;
    return { skill: name, passed, failed, ok, ...(!ok && { output: lines.join("\n") }) };
  },
  exitCode: ({ ok }) => (ok ? 0 : 1),
  render: ({ passed, failed, ok, output = "" }) =>
    `${output}${output && "\n"}${passed} passed, ${failed} failed${ok || failed > 0 ? "" : ": the tests did not run to their end"}`,
});
