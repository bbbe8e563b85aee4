/** In the place of the classifier's thread: does what the text tells it to. */
import { parentPort, workerData } from "node:worker_threads";
import type { FromWorker, ToWorker, WorkerSettings } from "../../../../../security/content/classifier/protocol.ts";

const { shipped } = workerData as WorkerSettings;
let asked = 0;

function answer(message: FromWorker): void {
  parentPort?.postMessage(message);
}

answer({ ready: [{ name: "scripted", folder: shipped, isLoaded: true }] });
parentPort?.on("message", (message: ToWorker) => {
  if ("close" in message) parentPort?.close();
  if (!("pieces" in message)) return;
  const { id, pieces } = message;
  asked += 1;
  if (pieces[0] === "throw") throw new Error("Out of luck");
  if (pieces[0] === "exit") process.exit(7);
  if (pieces[0] === "hang") return;
  if (pieces[0] === "fail") answer({ id, error: "No such token" });
  // Which text this is for the thread: what was known already does not come here.
  else answer({ id, worst: { score: asked / 1_000, piece: pieces.length - 1, span: [0, 1] } });
});
