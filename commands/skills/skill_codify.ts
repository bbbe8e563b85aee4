import { dirname } from "node:path";
import * as v from "valibot";
import { draftOf } from "../../skills/making/draft.ts";
import { makeSkill } from "../../skills/making/make_skill.ts";
import { recordingOf } from "../../skills/making/recording.ts";
import { SkillName } from "../../skills/skill.ts";
import { authorityOf, defineCommand, findCommand } from "../command.ts";
import { isSecret } from "../params.ts";
import { captured } from "./_fixture.ts";

/** Calls of the journal that are looked at. */
const MAX_CALLS = 10_000;
/** Of the session or the browser, and no part of a tab: a script can do them again. */
const BROWSER_ACTIONS: ReadonlySet<string> = new Set([
  "dialog-accept",
  "dialog-dismiss",
  "dialog-policy",
  "viewport",
  "emulate",
  "newtab",
]);

export default defineCommand({
  name: "skill.codify",
  category: "skills",
  summary: "Make a skill of the calls that led to the last read",
  description:
    "Of the session's calls up to the last read that answered something, it leaves out what failed, was taken back or led to " +
    "nothing, finds elements by what they are called, and makes arguments of what was typed. The script, its test, the manifest and " +
    "the page as a fixture are tested where nobody sees them, shown, and kept once a person has said yes.",
  scope: "control",
  effect: "disk",
  needs: "session",
  reach: "daemon",
  output: "page",
  fromPage: "whole",
  isLog: true,
  timeoutMs: 300_000,
  params: v.strictObject({
    name: SkillName,
    from: v.exactOptional(
      v.pipe(v.string(), v.description("last, or the ids of the first and the last call, <id>..<id> (default last)")),
    ),
    host: v.exactOptional(v.pipe(v.string(), v.description("Leave out calls on other hosts"))),
    description: v.exactOptional(
      v.pipe(
        v.string(),
        v.minLength(1, "must not be empty"),
        v.maxLength(300),
        v.description("What the skill does, in one line"),
      ),
    ),
    arg: v.exactOptional(
      v.pipe(
        v.array(v.pipe(v.string(), v.maxLength(10_000))),
        v.maxLength(50),
        v.description("name=value: the value that was used becomes the argument of that name; may be given again"),
        isSecret(),
      ),
    ),
    user: v.exactOptional(v.pipe(v.boolean(), v.description("Keep it for all of your projects"))),
  }),
  cli: { positional: ["name"] },
  result: v.strictObject({
    name: v.string(),
    dir: v.string(),
    host: v.string(),
    scopes: v.array(v.string()),
    args: v.array(v.strictObject({ name: v.string(), default: v.exactOptional(v.string()) })),
    steps: v.array(v.string()),
    dropped: v.pipe(
      v.array(v.strictObject({ id: v.string(), command: v.string(), why: v.string() })),
      v.description("Calls that the script does not make"),
    ),
    warnings: v.array(v.string()),
    script: v.string(),
  }),
  examples: [
    "browse skill codify cart-total --arg q=lamp",
    "browse skill codify prices --from 7f3a-12..7f3a-31 --user",
  ],
  async run(context, { name, from = "last", host, description, arg = [], user = false }) {
    const { daemon, session, signal } = context;
    const { store, runner } = daemon.skills;
    const entries = await daemon.journal({ limit: MAX_CALLS });
    const tabs = new Set(session.tabs.map(({ id }) => id));
    const recording = recordingOf(entries, { from, session: session.name, tabs, ...(host !== undefined && { host }) });
    const request = { name, named: arg, ...(description !== undefined && { description }) };
    const draft = draftOf(recording, request, { scopeOf, isAction }, (value) => daemon.digestOf(value));
    const { html, fixture } = await captured(context, recording.read);
    const page = { html, fixture: { ...fixture, ...(draft.needsSteps && { needsSteps: true }) } };
    const dir = store.dirOf(user ? "user" : "project", name);
    await makeSkill({
      home: dirname(store.folders.user),
      to: dir,
      draft,
      page,
      runner,
      signal,
      agree: async (shown, whole) => await context.agree({ shown, whole, question: "Keep this skill?" }),
    });
    const { host: of, scopes, args, steps, dropped, warnings, script } = draft;
    return { name, dir, host: of, scopes, args, steps, dropped, warnings, script };
  },
  // The rest was shown with the question.
  render({ name, dir, scopes, args }) {
    const given = args.map(({ name: arg, default: value }) => (value === undefined ? ` --arg ${arg}=…` : ""));
    return `Made the skill "${name}" in ${dir}; its scopes: ${scopes.join(", ")}. Run it: browse skill run ${name}${given.join("")}`;
  },
});

function scopeOf(name: string, params: Record<string, unknown>): string | undefined {
  const command = findCommand(name);
  return command && authorityOf(command, params).scope;
}

function isAction(name: string, params: Record<string, unknown>): boolean {
  const command = findCommand(name);
  const effect = command && authorityOf(command, params).effect;
  return effect === "page" || effect === "navigation" || BROWSER_ACTIONS.has(name);
}
