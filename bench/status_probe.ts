/**
 * Asks the daemon for its status again and again on a connection of its own, in a thread of its own, so that what the
 * bench itself is busy with does not count as the daemon's delay.
 */
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { OpenConnection } from "./connection.ts";

/** Between an answer and the next question. */
const EVERY_MS = 1;

/** Milliseconds that each `status` took while `work` ran. */
export async function statusDelays(
  daemon: { port: number; token: string },
  work: () => Promise<void>,
): Promise<number[]> {
  const worker = new Worker(new URL(import.meta.url), { workerData: daemon });
  try {
    await nextMessage(worker);
    await work();
    worker.postMessage("stop");
    return (await nextMessage(worker)) as number[];
  } finally {
    await worker.terminate();
  }
}

async function nextMessage(worker: Worker): Promise<unknown> {
  return await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
}

async function probe(port: NonNullable<typeof parentPort>): Promise<void> {
  using connection = await OpenConnection.open(workerData);
  let isAsked = true;
  port.once("message", () => {
    isAsked = false;
  });
  await connection.call("status");
  port.postMessage("ready");
  const delays: number[] = [];
  while (isAsked) {
    const started = performance.now();
    await connection.call("status");
    delays.push(performance.now() - started);
    await pause(EVERY_MS);
  }
  port.postMessage(delays);
}

if (parentPort) await probe(parentPort);
