/** What the commands about notes have in common. */
import * as v from "valibot";
import { MAX_TEXT, USES_TO_ACTIVE } from "../../../skills/notes/note.ts";
import type { ShownNote } from "../../../skills/notes/notes.ts";
import { counted } from "../../../wording.ts";
import { Host } from "../../params.ts";

export const NoteHost = Host;

export const NoteId = v.exactOptional(
  v.pipe(
    v.string(),
    v.regex(/^[pu][0-9a-z]{6}$/, "must be a note's id such as p4k2x9a"),
    v.description("The note's id, which `note show` tells; not needed where there is one note"),
  ),
);

export const NoteText = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, "must not be empty"),
  v.maxLength(MAX_TEXT),
  v.check((text) => !/[^\P{Cc}\n\t]/u.test(text), "must have no control characters"),
  v.description("What is so on the site, in a sentence or two; - reads it from standard input"),
);

export const NoteSchema = v.strictObject({
  id: v.string(),
  tier: v.pipe(v.picklist(["project", "user"]), v.description("Who it is for: this project, or all of the user's")),
  text: v.string(),
  state: v.pipe(v.picklist(["quarantined", "active"]), v.description("Active ones are given as advice")),
  version: v.number(),
  uses: v.pipe(v.number(), v.description("Of this version, as far as they count")),
  savedAt: v.pipe(v.string(), v.description("ISO 8601")),
  by: v.pipe(v.string(), v.description("Name of the token that wrote it, or whose skill did")),
});

/** One note a line, whose own lines are indented. */
export function noteText({ id, text, tier, state, uses, by }: ShownNote): string {
  const more = [tier, state === "active" ? state : `quarantined, ${counted(uses, "use")}`, `by ${by}`];
  return `${id} ${text.replaceAll("\n", "\n  ")} (${more.join("; ")})`;
}

/** What has become of a note. */
export const ChangedSchema = v.strictObject({ host: v.string(), note: NoteSchema });

export function stateText({ state, uses }: ShownNote): string {
  return state === "active" ? "It is active" : `It is in quarantine, with ${counted(uses, "use")} of ${USES_TO_ACTIVE}`;
}
