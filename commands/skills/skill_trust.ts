import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { SkillName } from "../../skills/skill.ts";
import type { WholeSkill } from "../../skills/store/skill_store.ts";
import { defineCommand } from "../command.ts";
import type { BaseContext } from "../context.ts";

const ResultSchema = v.strictObject({
  name: v.string(),
  hash: v.string(),
  outcome: v.picklist(["agreed", "already", "refused", "revoked", "nothing"]),
  trusted: v.pipe(v.boolean(), v.description("It runs outside the sandbox")),
  approved: v.boolean(),
});

export default defineCommand({
  name: "skill.trust",
  category: "skills",
  summary: "Agree to what a skill does, as its files are now",
  description:
    "Its actions run without being asked for one by one, and outside the sandbox if it asks for that. A person is asked " +
    "at the terminal, once for each content: a changed byte asks again. For a paired agent it is done by `browse confirm`.",
  scope: "control",
  effect: "disk",
  needs: "daemon",
  reach: "daemon",
  output: "page",
  fromPage: "parts",
  timeoutMs: 300_000,
  params: v.strictObject({
    name: SkillName,
    revoke: v.exactOptional(v.pipe(v.boolean(), v.description("Take it back, for every content that had the name"))),
  }),
  cli: { positional: ["name"] },
  result: ResultSchema,
  examples: ["browse skill new stories --host news.example", "browse skill trust stories --revoke"],
  async run(context, { name, revoke = false }): Promise<v.InferInput<typeof ResultSchema>> {
    const { store } = context.daemon.skills;
    const whole = store.read(name);
    const { hash, manifest, trusted, approved } = whole.skill;
    if (revoke) {
      const gone = await store.trust.revoke(hash, name);
      return { name, hash, outcome: gone > 0 ? "revoked" : "nothing", trusted: false, approved: false };
    }
    if (approved && trusted === manifest.trusted) return { name, hash, outcome: "already", trusted, approved };
    if (!(await hasAgreed(context, whole))) return { name, hash, outcome: "refused", trusted, approved };
    // To the content that was shown, whatever the folder has by now.
    await store.trust.agree(hash, name, { trusted: manifest.trusted, approved: true });
    return { name, hash, outcome: "agreed", trusted: manifest.trusted, approved: true };
  },
  exitCode: ({ outcome }) => (outcome === "refused" ? 1 : 0),
  render: ({ name, hash, outcome, trusted }) => TEXTS[outcome](name, `${hash.slice(0, 12)}…`, trusted),
});

const TEXTS = {
  agreed: (name: string, content: string, isTrusted: boolean) =>
    `"${name}" as it is now (${content}) runs without being asked${isTrusted ? ", outside the sandbox" : ""}`,
  already: (name: string, content: string) => `"${name}" as it is now (${content}) was agreed to before`,
  refused: (name: string) => `Nothing was agreed to: "${name}" stays as it was`,
  revoked: (name: string) => `Nothing of "${name}" is agreed to any more`,
  nothing: (name: string) => `Nothing of "${name}" had been agreed to`,
};

/** The user at a terminal; or for a token that somebody else holds, whoever confirms its call. */
async function hasAgreed({ holder, ask, confirmations }: BaseContext, whole: WholeSkill): Promise<boolean> {
  const shown = shownOf(whole);
  if (holder.kind !== "root") {
    confirmations.use("skill.trust", shown);
    return true;
  }
  const answer = await ask(`${questionOf(shown)}\nAgree? [y/N] `);
  if (answer !== undefined) return /^y(es)?$/i.test(answer.trim());
  throw new BrowseError("forbidden", "Only a person at a terminal can agree to a skill", {
    hint: "Run it in a terminal, not in a script",
  });
}

function shownOf({ skill, files }: WholeSkill) {
  const { name, tier, hash, manifest } = skill;
  const { description, host, scopes, trusted } = manifest;
  return {
    name,
    tier,
    description,
    host,
    scopes,
    outsideSandbox: trusted,
    contents: files.map((file) => `${file.name} (${file.bytes.length} bytes)`),
    hash,
  };
}

function questionOf({
  name,
  tier,
  description,
  host,
  scopes,
  outsideSandbox,
  contents,
  hash,
}: ReturnType<typeof shownOf>) {
  return [
    `The skill "${name}" (${tier}): ${JSON.stringify(description)}`,
    `  may ${scopes.join(", ")} on ${host === "*" ? "any host" : JSON.stringify(host)}, with nobody asked about each action`,
    ...(outsideSandbox ? ["  RUNS OUTSIDE THE SANDBOX: it can do on this machine whatever you can"] : []),
    `  files: ${contents.map((file) => JSON.stringify(file)).join(", ")}`,
    `  content: ${hash}`,
  ].join("\n");
}
