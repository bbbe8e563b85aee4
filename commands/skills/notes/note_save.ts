import * as v from "valibot";
import { headOf } from "../../../security/tokens/family.ts";
import { defineCommand } from "../../command.ts";
import { ChangedSchema, NoteHost, NoteText, stateText } from "./_note_params.ts";

export default defineCommand({
  name: "note.save",
  category: "skills",
  summary: "Leave advice about a host for whoever comes there next",
  description:
    "A note is in quarantine at first: `note show` has it, and it is given as advice after three uses, ten minutes apart, in which " +
    "the content guard finds nothing wrong with it. A text that reads like orders is refused. Secrets in it are redacted.",
  aliases: ["domain-skill.save"],
  scope: "write",
  effect: "disk",
  needs: "daemon",
  output: "secret",
  fromPage: "nothing",
  judges: "text",
  params: v.strictObject({ host: NoteHost, text: NoteText }),
  cli: { positional: ["host"], rest: "text", stdin: "text" },
  result: ChangedSchema,
  examples: ["browse note save shop.example The search needs Enter"],
  async run({ daemon, holder }, { host, text }) {
    return { host, note: await daemon.skills.notes.save(host, text, headOf(holder).name) };
  },
  render: ({ host, note }) => `Saved ${note.id} about ${host}. ${stateText(note)}`,
});
