/** The project's state folder, as a daemon takes it over. */
import { ensurePrivateDir, removeAbandoned } from "../../security/files/private_file.ts";
import { LifeLock } from "../../security/process/life_lock.ts";
import { endAnnounced } from "../../security/process/starters.ts";
import { reapOrphan } from "../../security/process/watchdog.ts";
import { prepareArtifacts } from "../../security/tokens/artifacts.ts";

/** Nothing is left in it of a daemon that died. Undefined when another daemon has it. */
export async function takeStateFolder(stateDir: string): Promise<LifeLock | undefined> {
  ensurePrivateDir(stateDir);
  // For one that was announced by the daemon before it.
  process.once("exit", () => endAnnounced(stateDir));
  const taken = await LifeLock.acquire(stateDir);
  if ("held" in taken) return undefined;
  await reapOrphan(stateDir);
  removeAbandoned(stateDir);
  prepareArtifacts(stateDir);
  return taken.lock;
}
