import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { defineCommand } from "../command.ts";
import type { PendingCall } from "../confirming.ts";

export default defineCommand({
  name: "confirm",
  category: "security",
  summary: "Approve or deny a call that the policy is holding",
  description:
    "A call that the policy marks `confirm` is refused with an id. Whoever holds another token with the scope control " +
    "allows it here, asked at the terminal; then the same call of the same caller runs once. Both within a minute.",
  scope: "control",
  effect: "none",
  needs: "daemon",
  outsidePolicy: true,
  output: "plain",
  fromPage: "nothing",
  timeoutMs: 60_000,
  params: v.strictObject({
    id: v.pipe(
      v.string(),
      v.regex(/^[a-z0-9]{6}$/, "must be an id that a call was refused with"),
      v.description("The id that the call was refused with"),
    ),
    deny: v.exactOptional(v.pipe(v.boolean(), v.description("Refuse it, without being asked"))),
  }),
  cli: { positional: ["id"] },
  result: v.strictObject({ command: v.string(), allowed: v.boolean() }),
  examples: ["browse confirm k7d2mp"],
  async run({ confirmations, ask }, { id, deny = false }) {
    const pending = confirmations.pending(id);
    const allowed = !deny && isYes(await ask(`${described(pending)}\nAllow it once? [y/N] `));
    confirmations.answer(id, allowed);
    return { command: pending.command, allowed };
  },
  exitCode: ({ allowed }) => (allowed ? 0 : 1),
  render: ({ command, allowed }) => (allowed ? `Allowed "${command}" once, for a minute` : `Refused "${command}"`),
});

function described({ by, command, params, urls, shown, expiresAt }: PendingCall): string {
  const seconds = Math.max(0, Math.round((expiresAt - Date.now()) / 1_000));
  const on = urls.length > 0 ? ` on ${urls.join(", ")}` : "";
  return `${by} asks for "${command}"${on} with ${JSON.stringify(params)} (${seconds} s left)${shown === undefined ? "" : `:\n${shown}`}`;
}

function isYes(answer: string | undefined): boolean {
  if (answer !== undefined) return /^y(es)?$/i.test(answer.trim());
  throw new BrowseError("forbidden", "Only a person at a terminal can allow a call", {
    hint: "Run it in a terminal, not in a script",
  });
}
