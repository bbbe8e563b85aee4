/** Where the client's daemon comes from when it was not given one. */
import type { DaemonSource } from "./exchange.ts";
import { Failure } from "./failure.ts";
import { type Project, type Running, readRunning } from "./project.ts";

export interface ProjectSourceOptions {
  start(project: Project, except: string | undefined): Promise<Running>;
  /** The version that the daemon must have; any when empty. */
  version: string;
  /** False for `--no-start`. */
  mayStart: boolean;
}

/** The daemon of the project, started when it is not running and replaced when it is of another version. */
export function projectSource(project: Project, options: ProjectSourceOptions): DaemonSource {
  const { version, mayStart } = options;
  return {
    version,
    find: () => readRunning(project.stateDir),
    start: async (except) => {
      if (mayStart) return await options.start(project, except);
      const nobody = `No daemon is running for "${project.root}"`;
      throw new Failure(nobody, "Run `browse start`");
    },
  };
}
