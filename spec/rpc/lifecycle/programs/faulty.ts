/** Fails in every way that nobody catches, and says whether it is still there. */
import { EventEmitter } from "node:events";
import { Faults } from "../../../../rpc/lifecycle/faults.ts";

const told: string[] = [];
const faults = new Faults((message, cause) => told.push(`${message}: ${(cause as Error).message}`));
faults.catchAll();
const events = new EventEmitter();
events.on("said", () => {
  throw new Error("in a listener");
});
setTimeout(() => events.emit("said"));
setTimeout(() => void Promise.reject(new Error("in a promise")));
process.on("message", () => process.send?.({ told, count: faults.figures.count }));
