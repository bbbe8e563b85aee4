/**
 * L4 of the content guard: how likely it is that a text is meant to steer whoever reads it. Models run in a thread of
 * their own that is started by the first text. Nothing that goes wrong there is thrown: the answer says what is missing,
 * and `status` says so until a text is scored again.
 */
import { join } from "node:path";
import { abortable } from "../../../abort.ts";
import { type Coverage, type CoverageLimits, coverageOf } from "./coverage.ts";
import type { ModelState } from "./protocol.ts";
import { contentKey, ScoreCache } from "./score_cache.ts";
import { ScoringThread } from "./scoring_thread.ts";

export interface ContentScore {
  /** 0 to 1, calibrated: of the worst window. */
  score: number;
  /** Where that window begins and ends, in UTF-16 units; absent for a text without words. */
  span?: [start: number, end: number];
  /** The share of the text that was looked at, 0 to 1: of a very long one, windows that are evenly spread. */
  covered: number;
}

/** No score, and why: the classifier is off, failed, or did not answer in time. */
export interface NoScore {
  missing: string;
}

export interface ClassifierStatus {
  /** `idle`: nothing was scored yet. `degraded`: a model, or all of it, does not work. */
  state: "idle" | "ready" | "degraded" | "off";
  reason?: string;
  models: readonly ModelState[];
  /** Texts since the daemon started, those that were known already included. */
  scored: number;
}

export interface ClassifierOptions {
  /** `BROWSE_SECURITY=off`. */
  isOff?: boolean;
  /** `BROWSE_MODEL_DIR`: folders of models that are asked beside the shipped one. */
  added?: readonly string[];
  /** The folder of the model that is shipped, unless that of the product. */
  shipped?: string;
  /** Told, for the log, of all that is `degraded`. */
  onTrouble?: (message: string) => void;
  limits?: Partial<ClassifierLimits>;
  /** The thread's script, unless that of the product. */
  script?: URL;
}

interface ClassifierLimits {
  /** For one text, from the call to the score; the first one waits for the models too. Milliseconds. */
  deadlineMs: number;
  /** Texts that wait for a score at a time. */
  waiting: number;
  /** Scores that are kept, by content. */
  cached: number;
}

const LIMITS: ClassifierLimits = { deadlineMs: 10_000, waiting: 64, cached: 2_000 };
/** Twice what a page's text is cut at; the shipped model takes a second for so much. */
const COVERAGE: CoverageLimits = { whole: 60_000, piece: 4_000 };
/**
 * Characters: an order that does harm needs a verb, an object and a place. What is shorter is a name or a heading, of which
 * the model cannot be sure, having been trained on sentences.
 */
const SURE_FROM = 64;
/** A thread that died is replaced once. */
const MAX_THREADS = 2;

const MODELS = join(import.meta.dirname, import.meta.url.endsWith(".ts") ? "../../models" : "../security/models");
const SHIPPED = join(MODELS, "browse-guard");
/** Why there is no score where none is wanted. */
export const CLASSIFIER_OFF = "BROWSE_SECURITY is off";

export class Classifier {
  readonly #options: ClassifierOptions;
  readonly #limits: ClassifierLimits;
  readonly #cache: ScoreCache<ContentScore>;
  readonly #pending = new Map<string, Promise<ContentScore | NoScore>>();
  #thread: ScoringThread | undefined;
  #threads = 0;
  #models: readonly ModelState[] = [];
  #isReady = false;
  /** What went wrong last, until a text is scored again. */
  #trouble: string | undefined;
  #scored = 0;
  #isClosed = false;

  constructor(options: ClassifierOptions = {}) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#cache = new ScoreCache(this.#limits.cached);
  }

  status(): ClassifierStatus {
    const [models, scored] = [this.#models, this.#scored];
    if (this.#options.isOff) return { state: "off", reason: CLASSIFIER_OFF, models, scored };
    const reason = this.#reason;
    if (reason !== undefined) return { state: "degraded", reason, models, scored };
    return { state: this.#isReady ? "ready" : "idle", models, scored };
  }

  /** Rejects only with the reason of `signal`, as soon as that aborts. */
  async score(text: string, { signal }: { signal?: AbortSignal } = {}): Promise<ContentScore | NoScore> {
    if (this.#options.isOff) return { missing: CLASSIFIER_OFF };
    signal?.throwIfAborted();
    if (!/[\p{L}\p{N}]/u.test(text)) return { score: 0, covered: 1 };
    const coverage = coverageOf(text, COVERAGE);
    const key = contentKey(coverage.pieces.map((piece) => piece.text));
    const known = this.#cache.get(key);
    if (known) {
      this.#scored += 1;
      return known;
    }
    const scoring = this.#pending.get(key) ?? this.#begin(key, coverage);
    return signal ? await abortable(scoring, signal) : await scoring;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.close();
    this.#thread = undefined;
  }

  get #reason(): string | undefined {
    const reason = this.#trouble ?? problemsOf(this.#models);
    if (this.#thread || this.#threads < MAX_THREADS || this.#isClosed || reason === undefined) return reason;
    return `${reason}. It is not started again before \`browse restart\``;
  }

  #begin(key: string, coverage: Coverage): Promise<ContentScore | NoScore> {
    const scoring = this.#scoreOrMissing(key, coverage).finally(() => this.#pending.delete(key));
    this.#pending.set(key, scoring);
    return scoring;
  }

  async #scoreOrMissing(key: string, { pieces, covered }: Coverage): Promise<ContentScore | NoScore> {
    if (this.#pending.size >= this.#limits.waiting)
      return this.#missing(`${this.#pending.size} texts wait for a score already`);
    const thread = this.#running();
    if (!thread) return { missing: this.status().reason ?? "The classifier is closed" };
    const deadline = AbortSignal.timeout(this.#limits.deadlineMs);
    try {
      const texts = pieces.map((piece) => piece.text);
      const { score: worst, piece, span } = await thread.score(texts, deadline);
      const start = pieces[piece]?.start ?? 0;
      const sureness = Math.min(1, texts.join("").length / SURE_FROM);
      const score: ContentScore = { score: worst * sureness, span: [start + span[0], start + span[1]], covered };
      this.#cache.set(key, score);
      this.#scored += 1;
      this.#trouble = undefined;
      return score;
    } catch (error) {
      if (deadline.aborted) return this.#missing(`No score within ${this.#limits.deadlineMs} ms`);
      return this.#missing(error instanceof Error ? error.message : String(error));
    }
  }

  /** The thread, started if need be; none once it has died too often, or no model can be loaded. */
  #running(): ScoringThread | undefined {
    if (this.#thread || this.#isClosed || this.#threads >= MAX_THREADS) return this.#thread;
    this.#threads += 1;
    const { shipped = SHIPPED, added = [], script } = this.#options;
    this.#thread = new ScoringThread({
      settings: { shipped, added },
      onReady: (models) => this.#ready(models),
      onGone: (reason) => this.#gone(reason),
      ...(script && { script }),
    });
    return this.#thread;
  }

  #ready(models: readonly ModelState[]): void {
    this.#models = models;
    this.#isReady = true;
    const problems = problemsOf(models);
    if (problems !== undefined) this.#options.onTrouble?.(problems);
    if (models.some(({ isLoaded }) => isLoaded)) return;
    // Files do not mend themselves: another thread would find the same.
    this.#threads = MAX_THREADS;
    void this.#thread?.close(problems ?? "There is no model");
    this.#thread = undefined;
  }

  #gone(reason: string): void {
    this.#thread = undefined;
    this.#isReady = false;
    this.#missing(reason);
  }

  #missing(reason: string): NoScore {
    if (this.#trouble !== reason) this.#options.onTrouble?.(`The classifier did not score a text: ${reason}`);
    this.#trouble = reason;
    return { missing: reason };
  }
}

function problemsOf(models: readonly ModelState[]): string | undefined {
  const problems = models.flatMap(({ problem }) => problem ?? []);
  return problems.length === 0 ? undefined : problems.join("; ");
}
