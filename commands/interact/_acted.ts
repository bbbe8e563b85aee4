/** The answer of every command that acts on one element. */
import * as v from "valibot";
import { ElementSchema } from "../element.ts";

export const ActedSchema = v.strictObject({ element: ElementSchema });

export const CheckedSchema = v.strictObject({
  element: ElementSchema,
  already: v.exactOptional(v.pipe(v.literal(true), v.description("It was so before: nothing was pressed"))),
});
