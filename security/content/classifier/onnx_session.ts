/** A model as ONNX, run by onnxruntime on the processor. Loaded in the classifier's thread only. */
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { BrowseError } from "../../../errors.ts";
import { assertPlainFile, MAX_WEIGHTS_BYTES } from "./model_file.ts";
import { forbidTelemetry } from "./no_telemetry.ts";

/** What a session may be told of the model. */
interface RunOptions {
  /** Fills up sequences, and is masked. */
  padId: number;
  /** Sequences in one run: more than these take more memory and are no faster on one core. */
  batch?: number;
}

const BATCH = 8;

type Runtime = typeof import("onnxruntime-node");

export class OnnxSession {
  readonly #runtime: Runtime;
  readonly #session: InferenceSession;

  private constructor(runtime: Runtime, session: InferenceSession) {
    this.#runtime = runtime;
    this.#session = session;
  }

  /** Rejects when the runtime is not there for this system, and when it does not take the model. */
  static async open(path: string): Promise<OnnxSession> {
    forbidTelemetry();
    await assertPlainFile(path, MAX_WEIGHTS_BYTES);
    const runtime = await loadRuntime();
    const session = await runtime.InferenceSession.create(path, {
      executionProviders: ["cpu"],
      // The other core is the browser's.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      graphOptimizationLevel: "all",
      // Both would keep the memory of the largest batch for ever.
      enableCpuMemArena: false,
      enableMemPattern: false,
      logSeverityLevel: 3,
    });
    return new OnnxSession(runtime, session);
  }

  /** The outputs of each sequence of token ids, in order. */
  async run(
    sequences: readonly (readonly number[])[],
    { padId, batch: size = BATCH }: RunOptions,
  ): Promise<number[][]> {
    const outputs: number[][] = sequences.map(() => []);
    // Those of one length stand together, so that little is filled up.
    const order = [...sequences.entries()].sort(([, one], [, other]) => one.length - other.length);
    for (let start = 0; start < order.length; start += size) {
      const batch = order.slice(start, start + size);
      const found = await this.#runBatch(
        batch.map(([, ids]) => ids),
        padId,
      );
      for (const [at, [index]] of batch.entries()) outputs[index] = found[at] ?? [];
    }
    return outputs;
  }

  async close(): Promise<void> {
    await this.#session.release();
  }

  async #runBatch(batch: readonly (readonly number[])[], padId: number): Promise<number[][]> {
    const length = Math.max(1, ...batch.map((ids) => ids.length));
    const filled = (valueAt: (ids: readonly number[], index: number) => number) =>
      batch.flatMap((ids) => Array.from({ length }, (_, index) => valueAt(ids, index)));
    const known: Readonly<Record<string, () => number[]>> = {
      input_ids: () => filled((ids, index) => ids[index] ?? padId),
      // Something has to be read of a sequence without tokens.
      attention_mask: () => filled((ids, index) => (index < Math.max(1, ids.length) ? 1 : 0)),
      token_type_ids: () => filled(() => 0),
      position_ids: () => filled((_, index) => index),
    };
    const feeds: Record<string, Tensor> = {};
    for (const input of this.#session.inputMetadata) {
      const values = known[input.name];
      if (!values) throw new BrowseError("unsupported", `The model asks for "${input.name}", which is not known`);
      feeds[input.name] = this.#tensor(input, values(), [batch.length, length]);
    }
    const outputs = await this.#session.run(feeds);
    return rowsOf(outputs.logits ?? outputs[this.#session.outputNames[0] ?? ""], batch.length);
  }

  #tensor(input: InferenceSession.ValueMetadata, values: number[], dims: number[]): Tensor {
    const isNarrow = input.isTensor && input.type === "int32";
    if (isNarrow) return new this.#runtime.Tensor("int32", Int32Array.from(values), dims);
    return new this.#runtime.Tensor("int64", BigInt64Array.from(values, BigInt), dims);
  }
}

async function loadRuntime(): Promise<Runtime> {
  try {
    return await import("onnxruntime-node");
  } catch (cause) {
    throw new BrowseError("unsupported", `onnxruntime-node cannot be loaded on ${process.platform} ${process.arch}`, {
      hint: "Run `npm install onnxruntime-node` beside browse; it has binaries for Linux (glibc), macOS (arm64) and Windows",
      cause,
    });
  }
}

function rowsOf(logits: Tensor | undefined, count: number): number[][] {
  const data = logits?.data;
  if (!(data instanceof Float32Array) || data.length === 0 || data.length % count !== 0) {
    throw new BrowseError("unsupported", "The model does not answer with one float32 vector for each sequence");
  }
  const width = data.length / count;
  return Array.from({ length: count }, (_, row) => [...data.subarray(row * width, (row + 1) * width)]);
}
