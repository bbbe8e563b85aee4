import * as v from "valibot";
import { headOf } from "../../../security/tokens/family.ts";
import { defineCommand } from "../../command.ts";
import { ChangedSchema, NoteHost, NoteId, stateText } from "./_note_params.ts";

export default defineCommand({
  name: "note.rollback",
  category: "skills",
  summary: "Give a note an older text again, as a new version",
  description: "The uses that the text had count again. A note that was removed comes back by its id.",
  aliases: ["domain-skill.rollback"],
  scope: "control",
  effect: "disk",
  needs: "daemon",
  output: "secret",
  fromPage: "nothing",
  params: v.strictObject({
    host: NoteHost,
    id: NoteId,
    to: v.exactOptional(
      v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.description("The version (default: the one before)")),
    ),
  }),
  cli: { positional: ["host", "id"] },
  result: ChangedSchema,
  examples: [
    "browse note save shop.example The search needs Enter",
    "browse note edit shop.example The search needs Enter, twice",
    "browse note rollback shop.example",
  ],
  async run({ daemon, holder }, { host, id, to }) {
    return { host, note: await daemon.skills.notes.rollback(host, id, { to, by: headOf(holder).name }) };
  },
  render: ({ note }) => `Went back with ${note.id}, which is version ${note.version} now. ${stateText(note)}`,
});
