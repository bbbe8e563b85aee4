/** Libraries at work in a thread of their own: on what is long or hostile they take longer than a daemon may be away. */
import { Worker } from "node:worker_threads";

export type Threads = Pick<typeof import("node:worker_threads"), "parentPort" | "workerData">;

/** Stands alone: it travels as text, so that it is the same from source and from a bundle. Posts its answer. */
export type ThreadWork = (threads: Threads, load: (path: string) => unknown) => unknown;

/** Rejects when the work fails; ends the thread when `signal` aborts. */
export async function inThread<Answer>(work: ThreadWork, workerData: unknown, signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  // What a library has to say of its own accord is for nobody.
  const worker = new Worker(`(${work})(require("node:worker_threads"), require)`, {
    eval: true,
    workerData,
    stdout: true,
    stderr: true,
  });
  worker.once("message", resolve).once("error", reject);
  worker.once("exit", (code) => reject(new Error(`The thread of a library ended with ${code}`)));
  const stop = () => void worker.terminate();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}
