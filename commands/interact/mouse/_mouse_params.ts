/** What the commands that move the mouse by hand have in common. */
import * as v from "valibot";
import { MOUSE_BUTTONS } from "../../../refs/act/mouse.ts";

export const KEEPS = "The mouse keeps its position and pressed buttons from one command to the next.";

export const Button = v.exactOptional(v.pipe(v.picklist(MOUSE_BUTTONS), v.description("Default left")));

/** A place or a distance, in CSS pixels. */
export function pixels(description: string) {
  return v.pipe(v.number(), v.minValue(-100_000), v.maxValue(100_000), v.description(description));
}

export const PointerSchema = v.strictObject({ x: v.number(), y: v.number() });
