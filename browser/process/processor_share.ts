/**
 * The processor's time between the daemon and its browser. Linux may share it out by session first and by thread then
 * (autogroups, sched(7)), and Chromium is a session of its own: what a busy page, its renderer and the browser want
 * together is as much as the daemon may have, and the kernel levels that out over seconds, in which nobody is answered
 * (figures: docs/design/streams.md).
 */
import { readFileSync, writeFileSync } from "node:fs";

/** A third of the usual weight (sched_prio_to_weight in the kernel): anyone may lower it, and raise it again as far as 0. */
const BROWSER_NICE = 5;

/** Has the browser's session yield to the daemon's and its clients'. Does nothing where time is not shared by session. */
export function yieldSession(browserPid: number): void {
  try {
    const group = groupOf(browserPid);
    if (group !== groupOf("self")) writeFileSync(`/proc/${browserPid}/autogroup`, String(BROWSER_NICE));
  } catch {
    // No such file: another system, or a kernel without autogroups.
  }
}

/** `/autogroup-12 nice 0`: the name. */
function groupOf(pid: number | "self"): string | undefined {
  return readFileSync(`/proc/${pid}/autogroup`, "utf8").split(" ")[0];
}
