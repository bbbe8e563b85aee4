/** A changed line of the page, on the wire. */
import * as v from "valibot";

export const ChangeSchema = v.strictObject({
  kind: v.picklist(["added", "removed", "changed", "moved"]),
  depth: v.pipe(v.number(), v.description("Levels below the outermost line that came with it")),
  ref: v.exactOptional(v.string()),
  line: v.string(),
  was: v.exactOptional(v.pipe(v.string(), v.description("The line it was"))),
  inside: v.exactOptional(v.pipe(v.number(), v.description("Lines below it that went with it"))),
});
