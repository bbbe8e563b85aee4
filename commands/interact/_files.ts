/** The files of commands that hand some to the page. */
import * as v from "valibot";
import { FileName, readsFile } from "../params.ts";

export const FilesParam = v.pipe(
  v.array(v.pipe(FileName, readsFile())),
  v.minLength(1, "needs at least one file"),
  v.maxLength(100),
  v.description("Paths of files in the project"),
);
