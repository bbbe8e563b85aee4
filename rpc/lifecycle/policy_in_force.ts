/** The policy as the daemon keeps it: read again with every change of its files, which the log is told of. */
import { commandsNamed, EFFECTS } from "../../commands/command.ts";
import { PolicyFiles } from "../../security/policy/policy_files.ts";
import type { DaemonLog } from "./daemon_log.ts";

interface PolicyInForceOptions {
  /** The user's state folder, and the project's. */
  home: string;
  stateDir: string;
  log: DaemonLog;
  /** Has what is open already keep to the policy that is now in force. */
  apply: () => Promise<void>;
}

export function policyInForce({ home, stateDir, log, apply }: PolicyInForceOptions): PolicyFiles {
  return new PolicyFiles({
    home,
    stateDir,
    vocabulary: { commandsNamed, effects: EFFECTS },
    onChange: (path, problem) => {
      log.write(problem ? "error" : "info", problem?.message ?? `The policy in "${path}" is in force`);
      apply().catch((error: unknown) => log.write("error", "The policy does not hold for loads", error));
    },
    onError: (error) => log.write("error", "Changes of the policy are not noticed", error),
  });
}
