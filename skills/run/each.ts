/** `skill run --each`: many jobs by a few workers, with one row of results for each. */
import { abortable, abortReason } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import { isSecretName } from "../../security/secrets/secret_names.ts";
import { countJobs, type Job, readJobs } from "./each_jobs.ts";
import { type ResultRow, ResultsFile } from "./each_results.ts";
import type { SkillWorker } from "./skill_worker.ts";

/** In the place of a secret. */
const MASK = "[redacted]";

type Worker = Pick<SkillWorker, "run" | "isOver" | "end">;

export interface EachOptions {
  /** Name of the skill. */
  skill: string;
  /** The file of jobs. */
  jobs: string;
  /** The file of results; those that it has are kept. */
  results: string;
  concurrency: number;
  /** Nothing that a job does needs the scope `write`: one whose worker has died may be done again. */
  isReadOnly: boolean;
  check: (args: Record<string, unknown>) => Record<string, unknown>;
  open: () => Promise<Worker>;
  /** Of each job. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Called before the first job, when there is nothing left to refuse. */
  begun: (progress: () => EachProgress) => void;
  progress: (done: number, total: number) => void;
}

export interface EachSummary {
  /** Jobs of the file that have a row, failed ones included. */
  done: number;
  failed: number;
  /** Jobs that have none. */
  left: number;
  /** Jobs that had a row before. */
  skipped: number;
  /** Lines of the file that were no jobs, since an earlier one had their key. */
  repeated: number;
  results: string;
}

export interface EachProgress extends Pick<EachSummary, "done" | "failed" | "results"> {
  /** Jobs of the file. */
  total: number;
}

/** Told of at most that many steps. */
const STEPS = 1_000;

export class EachRuns {
  /** By the file of results that it is writing. */
  readonly #busy = new Map<string, { signal: AbortSignal; over: Promise<void> }>();

  /**
   * Does the jobs that have no result yet. Throws `invalid_params` before anything is begun for a bad line, a file that holds
   * something else than results, or one that another run is writing; `cancelled` and `timeout` with what was done.
   */
  async run(options: EachOptions): Promise<EachSummary> {
    const { results: path } = options;
    const busy = this.#busy.get(path);
    // One that was broken off only has its workers end.
    if (busy?.signal.aborted) await abortable(busy.over, options.signal);
    if (this.#busy.has(path)) {
      throw new BrowseError("invalid_params", `Another run is writing "${path}"`, {
        hint: "Wait for it to end, or begin anew without --resume",
      });
    }
    const { promise: over, resolve: release } = Promise.withResolvers<void>();
    this.#busy.set(path, { signal: options.signal, over });
    try {
      let repeated = 0;
      const onRepeated = () => {
        repeated++;
      };
      const total = await countJobs(options.jobs, { ...options, onRepeated });
      await using results = await ResultsFile.open(path, options);
      return await new EachRun(options, results, { total, repeated }).run();
    } finally {
      this.#busy.delete(path);
      release();
    }
  }
}

class EachRun {
  readonly #options: EachOptions;
  readonly #results: ResultsFile;
  readonly #total: number;
  readonly #repeated: number;
  /** Ends every lane when one cannot go on, and no worker is begun any more. */
  readonly #stop = new AbortController();
  #done = 0;
  #skipped = 0;

  constructor(options: EachOptions, results: ResultsFile, { total, repeated }: { total: number; repeated: number }) {
    this.#options = options;
    this.#results = results;
    this.#total = total;
    this.#repeated = repeated;
  }

  async run(): Promise<EachSummary> {
    const { jobs: path, signal, concurrency } = this.#options;
    this.#options.begun(() => this.#progress());
    const jobs = this.#undone(readJobs(path, this.#options));
    const lanes = Array.from({ length: Math.min(concurrency, this.#total) }, async () => await this.#lane(jobs));
    const ends = await Promise.allSettled(lanes);
    const broken = ends.find((end) => end.status === "rejected");
    if (signal.aborted) throw this.#brokenOff(abortReason(signal));
    if (broken) throw this.#brokenOff(broken.reason);
    return this.#summary();
  }

  async *#undone(jobs: AsyncGenerator<Job>): AsyncGenerator<Job> {
    for await (const job of jobs) {
      if (this.#stop.signal.aborted || this.#options.signal.aborted) return;
      if (this.#results.keys.has(job.key)) this.#skipped++;
      else yield job;
    }
  }

  /** One job after the other, by one worker as long as that lives. */
  async #lane(jobs: AsyncGenerator<Job>): Promise<void> {
    let worker: Worker | undefined;
    try {
      for (let next = await jobs.next(); !next.done; next = await jobs.next()) {
        const tried = await this.#try(next.value, worker);
        worker = tried.worker;
        // How a job ends that is broken off is not its result.
        if (!tried.row.ok && this.#options.signal.aborted) return;
        await this.#add(tried.row);
      }
    } catch (error) {
      this.#stop.abort();
      throw error;
    } finally {
      await worker?.end();
    }
  }

  /** Does the job, once more when its worker dies and it cannot have changed anything. Throws when no worker can be had. */
  async #try(job: Job, last: Worker | undefined): Promise<{ row: ResultRow; worker: Worker }> {
    const { open, isReadOnly, signal, timeoutMs } = this.#options;
    const started = performance.now();
    let worker = last && !last.isOver ? last : undefined;
    for (let attempts = 1; ; attempts++) {
      worker ??= await open();
      const outcome = await outcomeOf(worker.run(job.args, { signal, timeoutMs }));
      const row = { ...shown(job), ...outcome, ms: Math.round(performance.now() - started), attempts };
      const isOver = worker.isOver;
      if (outcome.ok || !isOver) return { row, worker };
      await worker.end();
      if (!isReadOnly || attempts > 1 || outcome.error.kind === "timeout" || signal.aborted) {
        return { row, worker };
      }
      worker = undefined;
    }
  }

  async #add(row: ResultRow): Promise<void> {
    await this.#results.add(row);
    this.#done++;
    const done = this.#done + this.#skipped;
    if (done % Math.ceil(this.#total / STEPS) === 0 || done === this.#total) this.#options.progress(done, this.#total);
  }

  #progress(): EachProgress {
    const { failed, path: results, keys } = this.#results;
    return { done: Math.min(keys.size, this.#total), failed, results, total: this.#total };
  }

  #summary(): EachSummary {
    const done = this.#done + this.#skipped;
    return {
      done,
      failed: this.#results.failed,
      left: this.#total - done,
      skipped: this.#skipped,
      repeated: this.#repeated,
      results: this.#results.path,
    };
  }

  /** The same error, with what has been done by then. */
  #brokenOff(error: unknown): unknown {
    if (!(error instanceof BrowseError)) return error;
    const { done, left, failed, results } = this.#summary();
    const { skill, jobs } = this.#options;
    return new BrowseError(error.kind, `${error.message}; ${done} of ${this.#total} jobs are done`, {
      // A file without a row is not left.
      hint: done > 0 ? `Go on with \`browse skill run ${skill} --each ${jobs} --resume ${results}\`` : error.hint,
      details: { ...error.details, done, left, failed, ...(done > 0 && { results }) },
      cause: error,
    });
  }
}

type Outcome = { ok: true; value: unknown } | { ok: false; error: NonNullable<ResultRow["error"]> };

async function outcomeOf(running: Promise<unknown>): Promise<Outcome> {
  try {
    return { ok: true, value: (await running) ?? null };
  } catch (error) {
    if (!(error instanceof BrowseError)) throw error;
    const { kind, message, hint } = error;
    return { ok: false, error: { kind, message, hint } };
  }
}

/** Without what is secret by its name: the row stays on the disk. */
function shown({ key, args }: Job): Pick<ResultRow, "key" | "args"> {
  const masked = Object.entries(args).map(([name, value]) => [name, isSecretName(name) ? MASK : value]);
  return { key, args: Object.fromEntries(masked) };
}
