import * as v from "valibot";
import { headOf } from "../../../security/tokens/family.ts";
import { defineCommand } from "../../command.ts";
import { NoteHost, NoteId } from "./_note_params.ts";

export default defineCommand({
  name: "note.rm",
  category: "skills",
  summary: "Remove a note",
  description: "Its file keeps it: `note rollback <host> <id>` brings it back.",
  aliases: ["domain-skill.rm"],
  scope: "control",
  effect: "disk",
  needs: "daemon",
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({ host: NoteHost, id: NoteId }),
  cli: { positional: ["host", "id"] },
  result: v.strictObject({ host: v.string(), removed: v.pipe(v.string(), v.description("The id")) }),
  examples: ["browse note save shop.example:8080 The search needs Enter", "browse note rm shop.example:8080"],
  async run({ daemon, holder }, { host, id }) {
    return { host, removed: (await daemon.skills.notes.remove(host, id, headOf(holder).name)).id };
  },
  render: ({ host, removed }) =>
    `Removed ${removed} about ${host}: browse note rollback ${host} ${removed} brings it back`,
});
