/** How answers name the element they are about. */
import * as v from "valibot";
import { labelOf, type Ref } from "../refs/table.ts";

export const ElementSchema = v.strictObject({
  ref: v.pipe(v.string(), v.description("Ref of the element, good for later commands")),
  role: v.string(),
  name: v.string(),
});

export type ElementShape = v.InferOutput<typeof ElementSchema>;

export function elementOf(ref: Ref): ElementShape {
  return { ref: ref.id, role: ref.role, name: ref.name };
}

/** `@e3 [button] "Save"`. */
export function elementText({ ref, role, name }: ElementShape): string {
  return labelOf({ id: ref, role, name });
}
