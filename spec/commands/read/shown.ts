/** A page that a test writes, shown in the current tab. */
import type { Project } from "../../harness/project.ts";
import type { Site } from "../../harness/site.ts";

/** Serves `html` and waits until all of it is loaded. */
export async function show(project: Project, site: Site, html: string): Promise<void> {
  site.set("/shown", html);
  await project.run("goto", `${site.url}/shown`, "--wait", "load");
}
