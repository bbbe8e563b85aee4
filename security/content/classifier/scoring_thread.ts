/** The thread that the models run in, as the daemon sees it: asked, answered, or gone. */
import { Worker } from "node:worker_threads";
import { abortable, within } from "../../../abort.ts";
import { forbidTelemetry } from "./no_telemetry.ts";
import type { FromWorker, ModelState, ToWorker, WorkerSettings, WorstPiece } from "./protocol.ts";

interface ThreadOptions {
  settings: WorkerSettings;
  /** The models are loaded, or failed to. */
  onReady: (models: readonly ModelState[]) => void;
  /** It ended without being closed; whoever waits for a score has been told. */
  onGone: (reason: string) => void;
  /** The thread's script, unless that of the product. */
  script?: URL;
}

/** From source the module beside this one; in `dist/` what the build makes of it. */
const SCRIPT = new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./classifier_worker.mjs", import.meta.url);
/** A tokenizer of a quarter million words takes some hundred; the models themselves are not counted. */
const MAX_HEAP_MB = 1_024;
/** Of what lives shortly; V8's own would keep 20 MB more. */
const MAX_YOUNG_MB = 8;
/** Of the batch that runs, and of taking the models down. */
const CLOSE_MS = 1_000;

export class ScoringThread {
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  readonly #asked = new Map<number, PromiseWithResolvers<WorstPiece>>();
  readonly #whenGone = Promise.withResolvers<void>();
  #lastId = 0;
  #isClosed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    forbidTelemetry();
    this.#worker = new Worker(options.script ?? SCRIPT, {
      workerData: options.settings,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
      // What a library has to say of its own accord is for nobody.
      stdout: true,
      stderr: true,
    });
    this.#worker.on("message", (message: FromWorker) => this.#receive(message));
    this.#worker.once("error", (error: Error) => this.#end(`The classifier's thread failed: ${error.message}`));
    this.#worker.once("exit", (code) => {
      this.#whenGone.resolve();
      this.#end(`The classifier's thread ended with ${code}`);
    });
    // It does not keep a daemon alive that has nothing else to do.
    this.#worker.unref();
  }

  /**
   * The worst of the pieces of a text. Rejects with the reason why there is none, and with that of `signal` when it
   * aborts first: the thread then drops the request.
   */
  async score(pieces: readonly string[], signal: AbortSignal): Promise<WorstPiece> {
    const id = ++this.#lastId;
    const asked = Promise.withResolvers<WorstPiece>();
    this.#asked.set(id, asked);
    this.#send({ id, pieces });
    try {
      return await abortable(asked.promise, signal);
    } finally {
      if (this.#asked.delete(id)) this.#send({ cancel: id });
    }
  }

  /**
   * Ends it; who still waits is told the reason. The thread ends by itself when its batch is done: to terminate it within
   * native code aborts the whole process. One that does not in time is left to end with the process.
   */
  async close(reason = "The classifier was closed"): Promise<void> {
    this.#isClosed = true;
    this.#rejectAll(reason);
    this.#send({ close: true });
    await within(CLOSE_MS, this.#whenGone.promise, undefined);
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromWorker): void {
    if ("ready" in message) {
      this.#options.onReady(message.ready);
      return;
    }
    const asked = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    if ("worst" in message) asked?.resolve(message.worst);
    else asked?.reject(new Error(message.error));
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#rejectAll(reason);
    this.#options.onGone(reason);
  }

  #rejectAll(reason: string): void {
    for (const asked of this.#asked.values()) asked.reject(new Error(reason));
    this.#asked.clear();
  }
}
