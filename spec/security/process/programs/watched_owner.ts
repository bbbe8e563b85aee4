/** A daemon in miniature: starts a group of processes, has it watched, and waits to be killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { identityOf } from "../../../../security/process/process_identity.ts";
import { Watchdog } from "../../../../security/process/watchdog.ts";

const [stateDir = "", ...folders] = process.argv.slice(2);
const script = "sleep 300 & sleep 300 & echo $$ $!; wait";
const leader = spawn("/bin/sh", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "inherit"] });
const [line] = await once(leader.stdout, "data");
const pids = String(line).trim().split(" ").map(Number);
const identity = identityOf(leader.pid ?? 0);
if (identity === undefined) throw new Error("The group did not start");
const watchdog = new Watchdog({ stateDir });
watchdog.watch(identity, folders);
process.on("message", async (message) => {
  if (message === "unwatch") watchdog.unwatch(identity);
  if (message === "close") await watchdog.close();
  process.send?.({ done: message, watchdog: watchdog.pid });
});
process.send?.({ pids, watchdog: watchdog.pid });
