import * as v from "valibot";
import { headOf } from "../../../security/tokens/family.ts";
import { defineCommand } from "../../command.ts";
import { ChangedSchema, NoteHost, NoteId } from "./_note_params.ts";

export default defineCommand({
  name: "note.promote",
  category: "skills",
  summary: "Take an active note from the project to all projects of the user",
  aliases: ["domain-skill.promote"],
  scope: "control",
  effect: "disk",
  needs: "daemon",
  output: "secret",
  fromPage: "nothing",
  params: v.strictObject({ host: NoteHost, id: NoteId }),
  cli: { positional: ["host", "id"] },
  result: ChangedSchema,
  examples: ["browse note promote shop.example p4k2x9a"],
  async run({ daemon, holder }, { host, id }) {
    return { host, note: await daemon.skills.notes.promote(host, id, headOf(holder).name) };
  },
  render: ({ host, note }) => `Promoted: ${note.id} about ${host} is for all projects`,
});
