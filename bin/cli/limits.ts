/**
 * How long the client waits, how often it tries, and how much it sends. The build puts these numbers where they are used,
 * which it only does with those of a module that imports nothing.
 */

/** How long a daemon may take from its spawn to its state file. */
export const START_MS = 20_000;
/** How long a daemon may be there without taking connections. */
export const PATIENCE_MS = 8_000;
/** After this long without a state file and with nobody who holds the lock, one is started again. */
export const RELAUNCH_MS = 100;
/** A daemon needs no longer to end, or to write its state file again; one that holds the lock for longer hangs. */
export const SILENT_MS = 7_000;
/** How much longer than the call may take its answer is waited for. */
export const GRACE_MS = 2_000;
/** Some file systems report no changes, so the state file is also looked at this often. */
export const LOOK_EVERY_MS = 25;
/** Daemons started for one call before giving up: each of them died. */
export const MAX_STARTS = 3;
/** Times one call is sent before giving up. */
export const MAX_SENDS = 6;
/** The pause before a call is sent again, doubled each time. */
export const PAUSE_MS = 25;
/** How long a daemon may leave the handshake unanswered before that is worth a word. */
export const BUSY_MS = 8_000;
/** The daemon closes a connection that sends more. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
