import * as v from "valibot";
import { headOf } from "../../../security/tokens/family.ts";
import { defineCommand } from "../../command.ts";
import { ChangedSchema, NoteHost, NoteId, NoteText, stateText } from "./_note_params.ts";

export default defineCommand({
  name: "note.edit",
  category: "skills",
  summary: "Give a note another text",
  description: "The older text is kept for `note rollback`. The new one begins in quarantine.",
  aliases: ["domain-skill.edit"],
  scope: "control",
  effect: "disk",
  needs: "daemon",
  output: "secret",
  fromPage: "nothing",
  judges: "text",
  params: v.strictObject({ host: NoteHost, text: NoteText, id: NoteId }),
  cli: { positional: ["host"], rest: "text", stdin: "text" },
  result: ChangedSchema,
  examples: [
    "browse note save shop.example The search needs Enter",
    "browse note edit shop.example The search needs Enter, twice",
  ],
  async run({ daemon, holder }, { host, id, text }) {
    return { host, note: await daemon.skills.notes.edit(host, id, { text, by: headOf(holder).name }) };
  },
  render: ({ note }) => `Changed ${note.id}, which is version ${note.version} now. ${stateText(note)}`,
});
