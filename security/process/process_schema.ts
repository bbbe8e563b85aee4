/** A process's identity as a file names it. */
import * as v from "valibot";

export const ProcessIdentitySchema = v.object({
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  startTime: v.pipe(v.string(), v.minLength(1)),
});
