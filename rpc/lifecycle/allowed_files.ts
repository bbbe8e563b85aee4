/** Which files the calls of this daemon may read and write: its folders, and what its calls have made themselves. */
import { join } from "node:path";
import { artifactsIn } from "../../security/files/file_location.ts";
import { MadeFiles } from "../../security/files/made_files.ts";
import type { PolicyPorts } from "../gate/check_params.ts";
import type { DaemonLog } from "./daemon_log.ts";

interface AllowedFilesOptions {
  projectDir: string;
  stateDir: string;
  /** The user's own state folder. */
  home: string;
  log: DaemonLog;
}

export function allowedFiles({ projectDir, stateDir, home, log }: AllowedFilesOptions): PolicyPorts {
  const made = new MadeFiles({
    ownFolders: [artifactsIn(stateDir)],
    record: join(stateDir, "made.jsonl"),
    onTrouble: (message, cause) => log.write("error", message, cause),
  });
  return { projectDir, stateDir, homeStateDir: home, made };
}
