/** What the client loads when a daemon has to be started or ended. Bundled to `dist/lifecycle.mjs`. */
import type { Project, Running } from "./cli/project.ts";
import { print } from "./cli/terminal.ts";
import { writtenHelp } from "./lifecycle/help.ts";
import { type StartOptions, startDaemon as start } from "./lifecycle/start.ts";

export { endDaemon } from "./lifecycle/stop.ts";

/** See `lifecycle/start.ts`. Who only asks for help is given it, and needs no daemon: the process ends. */
export async function startDaemon(project: Project, options: StartOptions): Promise<Running> {
  // One that has given way is to have its successor.
  const help = options.except === undefined ? writtenHelp(process.argv.slice(2), options.script) : undefined;
  if (help === undefined) return await start(project, options);
  print(1, `${help}\n`);
  process.exit(0);
}
