/** How answers name the element they are about. */
import * as v from "valibot";
import { labelOf, type Ref } from "../refs/ref_table.ts";

export const ElementSchema = v.strictObject({
  ref: v.pipe(v.string(), v.description("Ref of the element, good for later commands")),
  role: v.string(),
  name: v.string(),
  text: v.exactOptional(v.pipe(v.string(), v.description("The beginning of its text, when it has no name"))),
});

export type ElementShape = v.InferOutput<typeof ElementSchema>;

export function elementOf(ref: Ref): ElementShape {
  const { id, role, name, text } = ref;
  return { ref: id, role, name, ...(name === "" && text && { text }) };
}

/** `@e3 [button] "Save"`. */
export function elementText({ ref, ...element }: ElementShape): string {
  return labelOf({ id: ref, ...element });
}
