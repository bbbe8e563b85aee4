/** Going on with a call that the native client has begun: see bin/native/hand_over.h. Bundled to `dist/resume.mjs`. */
import { type DaemonSource, silent } from "./cli/exchange.ts";
import type { Running } from "./cli/project.ts";

/** What is known of a call that was sent. */
export interface Resumed {
  /** Of the client that sent it. */
  clientId: string;
  isAccepted: boolean;
  /** The daemon that it was sent to; undefined when that is gone. */
  running: Running | undefined;
}

/**
 * The call that `BROWSE_RESUME` tells of, which no process that is started here may take for its own. `what` names it to the
 * person. Throws `Failure` when the daemon said nothing for too long.
 */
export function resume(
  env: NodeJS.ProcessEnv,
  { find }: DaemonSource,
  limitMs: number | undefined,
  what: string,
): Resumed {
  const [clientId = "", acceptance, ending, process = ""] = (env.BROWSE_RESUME ?? "").split(" ");
  delete env.BROWSE_RESUME;
  const isAccepted = acceptance === "accepted";
  if (ending === "silent") throw silent(Number.parseInt(process, 10), limitMs ?? 0, what, isAccepted);
  const found = find();
  return { clientId, isAccepted, running: `${found?.pid}@${found?.startTime}` === process ? found : undefined };
}
