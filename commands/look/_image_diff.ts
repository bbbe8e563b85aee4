/** Two images compared pixel by pixel, in a thread of its own: on a long page that takes longer than a daemon may be away. */
import nodeModule from "node:module";
import { Worker } from "node:worker_threads";

export interface ImageDiff {
  /** PNG: the first image faded, what differs in red. */
  data: Buffer;
  width: number;
  height: number;
  /** Pixels that differ. */
  mismatched: number;
}

interface Work {
  first: Uint8Array;
  second: Uint8Array;
  pngjs: string;
  pixelmatch: string;
}

/** How different a color must be; 0 to 1. What smoothing of edges does is left out anyway (pixelmatch's default). */
const THRESHOLD = 0.1;

/** Both are PNGs of one size. Rejects when they are not, and ends the thread when `signal` aborts. */
export async function compareImages(first: Buffer, second: Buffer, signal: AbortSignal): Promise<ImageDiff> {
  const { promise, resolve, reject } = Promise.withResolvers<Omit<ImageDiff, "data"> & { data: Uint8Array }>();
  const require = nodeModule.createRequire(import.meta.url);
  const work: Work = {
    first,
    second,
    pngjs: require.resolve("pngjs"),
    pixelmatch: require.resolve("pixelmatch"),
  };
  const worker = new Worker(`(${compare})(require("node:worker_threads"), require, ${THRESHOLD})`, {
    eval: true,
    workerData: work,
  });
  worker.once("message", resolve).once("error", reject);
  worker.once("exit", (code) => reject(new Error(`The thread that compares images ended with ${code}`)));
  const stop = () => void worker.terminate();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const { data, ...numbers } = await promise;
    return { data: Buffer.from(data), ...numbers };
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

type Threads = Pick<typeof import("node:worker_threads"), "parentPort" | "workerData">;

/** Stands alone: it travels as text, so that it is the same from source and from a bundle. */
function compare({ parentPort, workerData }: Threads, load: (path: string) => unknown, threshold: number): void {
  const { first, second, pngjs, pixelmatch } = workerData as Work;
  const { PNG } = load(pngjs) as typeof import("pngjs");
  const { default: match } = load(pixelmatch) as typeof import("pixelmatch");
  const before = PNG.sync.read(Buffer.from(first));
  const after = PNG.sync.read(Buffer.from(second));
  const { width, height } = before;
  const drawn = new PNG({ width, height });
  const mismatched = match(before.data, after.data, drawn.data, width, height, { threshold });
  parentPort?.postMessage({ data: PNG.sync.write(drawn), width, height, mismatched });
}
