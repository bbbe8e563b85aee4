/** The answer of every command that acts on one element. */
import * as v from "valibot";
import { ElementSchema } from "../element.ts";

export const ActedSchema = v.strictObject({ element: ElementSchema });
