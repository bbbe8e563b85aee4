/** What the client loads when a daemon has to be started or ended. Bundled to `dist/lifecycle.mjs`. */
export { startDaemon } from "./lifecycle/start.ts";
export { endDaemon } from "./lifecycle/stop.ts";
