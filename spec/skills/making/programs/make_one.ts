/** Makes a skill as `skill codify` does, without a page: a process for tests to kill. */
import { basename } from "node:path";
import { makeSkill } from "../../../../skills/making/make_skill.ts";
import { parserFor } from "../../../../skills/making/parsers.ts";
import { manifestText } from "../../../../skills/making/skill_texts.ts";
import { outerWall } from "../../../../skills/run/outer_wall.ts";
import { SkillRunner } from "../../../../skills/run/skill_runner.ts";

const never = () => {
  throw new Error("Nothing is run");
};
const runner = new SkillRunner({
  watchdog: { watch: () => {}, unwatch: () => {} },
  outerWall,
  attach: never,
  issueToken: never,
  endToken: never,
  closeTabs: never,
  url: never,
  approve: never,
  familyOf: never,
  onTrouble: never,
});
const [home = "", to = ""] = process.argv.slice(2);
const name = basename(to);
process.stdout.write("begun\n");
await makeSkill({
  home,
  to,
  draft: {
    host: "shop.example",
    dropped: [],
    warnings: [],
    script: parserFor("text").source,
    manifest: manifestText({ name, description: "Reads", host: "shop.example", args: [], scopes: ["read"], steps: [] }),
  },
  page: { html: "<p>Total: 1</p>".repeat(1_000), fixture: { answer: { text: "Total: 1" } } },
  runner,
  signal: new AbortController().signal,
  agree: async () => {},
});
