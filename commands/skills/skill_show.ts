import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { counted } from "../../wording.ts";
import { defineCommand } from "../command.ts";
import { entryOf, mayKnowOf, NameParam, remarks, SkillEntries } from "./_skill_shape.ts";

const ArgSchema = v.strictObject({
  name: v.string(),
  description: v.exactOptional(v.string()),
  required: v.boolean(),
  default: v.exactOptional(v.union([v.string(), v.number(), v.boolean()])),
});

export default defineCommand({
  name: "skill.show",
  category: "skills",
  summary: "Show what a skill does, takes and may do",
  scope: "read",
  effect: "none",
  needs: "daemon",
  output: "page",
  fromPage: "parts",
  params: v.strictObject({ name: NameParam }),
  cli: { positional: ["name"] },
  result: v.strictObject({
    ...SkillEntries,
    dir: v.pipe(v.string(), v.description("Its folder; SKILL.md there says more")),
    triggers: v.array(v.string()),
    args: v.array(ArgSchema),
    tabs: v.picklist(["fresh", "shared"]),
    wantsTrust: v.pipe(v.boolean(), v.description("It asks to run outside the sandbox")),
    version: v.number(),
    source: v.picklist(["human", "agent"]),
    timeout: v.string(),
    hash: v.pipe(v.string(), v.description("SHA-256 of all its files: what a person agrees to")),
    walls: v.pipe(
      v.array(v.strictObject({ name: v.string(), holds: v.boolean(), detail: v.string() })),
      v.description("What stands around a run of it on this machine; none where it is trusted"),
    ),
    contents: v.pipe(v.array(v.strictObject({ name: v.string(), bytes: v.number() })), v.description("Its files")),
  }),
  examples: ["browse skill new stories --host news.example", "browse skill show stories"],
  async run({ daemon, holder }, { name }) {
    const { skill, files } = daemon.skills.store.read(name);
    if (!mayKnowOf(holder, skill)) throw unknown(name);
    const { triggers, args, tabs, trusted, version, source, timeout } = skill.manifest;
    return {
      ...entryOf(skill),
      ...{ dir: skill.dir, triggers, args, tabs, wantsTrust: trusted, version, source, timeout, hash: skill.hash },
      walls: skill.trusted ? [] : await daemon.skills.walls(),
      contents: files.map((file) => ({ name: file.name, bytes: file.bytes.length })),
    };
  },
  render(skill) {
    const { name, tier, description, host, scopes, args, tabs, timeout, triggers, dir, hash, contents } = skill;
    return [
      `${name} (${tier}${remarks(skill)}) ${JSON.stringify(description)}`,
      `On ${host === "*" ? "any host" : JSON.stringify(host)}, in ${tabs === "fresh" ? "a tab of its own" : "the tab of the call"}, ` +
        `with ${scopes.join(", ")}; ${timeout} at most`,
      ...args.map(argText),
      ...(triggers.length > 0 ? [`For: ${triggers.map((trigger) => JSON.stringify(trigger)).join(", ")}`] : []),
      trustText(skill),
      ...skill.walls.map(wallText),
      `${counted(contents.length, "file")} in ${dir}: ${contents.map((file) => JSON.stringify(file.name)).join(", ")}`,
      `Content ${hash}`,
    ].join("\n");
  },
});

function unknown(name: string): BrowseError {
  return new BrowseError("not_found", `There is no skill "${name}" for the domains that you are held to`, {
    hint: "Run `browse skill list`",
  });
}

function argText({ name, description, required, default: fallback }: v.InferOutput<typeof ArgSchema>): string {
  const how = required ? "required" : fallback === undefined ? "optional" : `default ${JSON.stringify(fallback)}`;
  return `  --arg ${name}=…  ${description === undefined ? "" : `${JSON.stringify(description)} `}(${how})`;
}

function wallText({ name, holds, detail }: { name: string; holds: boolean; detail: string }): string {
  return `  ${holds ? "wall" : "NO WALL"} ${name}: ${detail}`;
}

function trustText({
  wantsTrust,
  trusted,
  approved,
  asks,
}: Record<"wantsTrust" | "trusted" | "approved" | "asks", boolean>) {
  const walls = trusted
    ? "Runs outside the sandbox, as a person has agreed"
    : wantsTrust
      ? "Asks to run outside the sandbox, which nobody has agreed to"
      : "Runs in the sandbox";
  return `${walls}; ${asks ? "each action is asked for" : approved ? "its actions are approved" : "nothing is asked for"}`;
}
