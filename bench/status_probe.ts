/**
 * Asks the daemon for something again and again on a connection of its own, in a thread of its own, so that what the
 * bench itself is busy with does not count as the daemon's delay.
 */
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { OpenConnection } from "./connection.ts";

/** Between an answer and the next question. */
const EVERY_MS = 1;

interface Probe {
  daemon: { port: number; token: string };
  method: string;
  params: Record<string, unknown>;
}

/** Milliseconds that each `status` took while `work` ran. */
export async function statusDelays(daemon: Probe["daemon"], work: () => Promise<void>): Promise<number[]> {
  return await delays({ daemon, method: "status", params: {} }, work);
}

/** Milliseconds that each `text` of a tab took while `work` ran. */
export async function commandDelays(
  daemon: Probe["daemon"],
  { tab }: { tab: unknown },
  work: () => Promise<void>,
): Promise<number[]> {
  return await delays({ daemon, method: "text", params: { tab } }, work);
}

async function delays(asked: Probe, work: () => Promise<void>): Promise<number[]> {
  const worker = new Worker(new URL(import.meta.url), { workerData: asked });
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
  const { daemon, method, params } = workerData as Probe;
  using connection = await OpenConnection.open(daemon);
  let isAsked = true;
  port.once("message", () => {
    isAsked = false;
  });
  await connection.call(method, params);
  port.postMessage("ready");
  const took: number[] = [];
  while (isAsked) {
    const started = performance.now();
    await connection.call(method, params);
    took.push(performance.now() - started);
    await pause(EVERY_MS);
  }
  port.postMessage(took);
}

if (parentPort) await probe(parentPort);
