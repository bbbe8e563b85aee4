/** Where the client's daemon comes from: the one it was given, or the project's own. */
import type { DaemonSource } from "./exchange.ts";
import { Failure } from "./failure.ts";
import { type Project, type Running, readRunning } from "./project.ts";
import { startDaemon } from "./start.ts";

/** The daemon of `BROWSE_URL`: never started, and of any version. */
export function givenSource(running: Running): DaemonSource {
  const { host, port } = running.address;
  const nobody = `No daemon answers at ${host}:${port}`;
  return {
    find: () => running,
    start: () => Promise.reject(new Failure(nobody, "Check BROWSE_URL, or unset it to use the project's own daemon")),
  };
}

export interface ProjectSourceOptions {
  /** The daemon's script. */
  script: string;
  /** The version that the daemon must have; any when empty. */
  version: string;
  /** False for `--no-start`. */
  mayStart: boolean;
}

/** The daemon of the project, started when it is not running and replaced when it is of another version. */
export function projectSource(project: Project, options: ProjectSourceOptions): DaemonSource {
  const { script, version, mayStart } = options;
  return {
    version,
    find: () => readRunning(project.stateDir),
    start: async (except) => {
      if (mayStart) return await startDaemon(project, { script, except });
      const nobody = `No daemon is running for "${project.root}"`;
      throw new Failure(nobody, "Run `browse start`, or leave out --no-start");
    },
  };
}
