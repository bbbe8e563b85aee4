/** The files of commands that hand some to the page. */
import * as v from "valibot";

export const FilesParam = v.pipe(
  v.array(v.pipe(v.string(), v.minLength(1, "must not be empty"))),
  v.minLength(1, "needs at least one file"),
  v.maxLength(100),
  v.description("Paths of files in the project"),
);
