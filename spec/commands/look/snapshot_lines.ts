import type { Project } from "../../harness/project.ts";

/** The lines of `snapshot` without header and refs. */
export async function linesOf(project: Project, flags: readonly string[]): Promise<string[]> {
  const [, ...rest] = (await project.run("snapshot", ...flags)).split("\n");
  return rest.map((line) => line.replace(/@[ec]\d+ /g, ""));
}
