/**
 * The classifier's thread: loads the models, then scores one text after the other. What goes wrong with a model or a text
 * is answered; only what nobody can answer ends the thread, and the daemon sees that.
 */
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { BrowseError } from "../../../errors.ts";
import { ensembleOf } from "./ensemble.ts";
import { loadModel } from "./model_directory.ts";
import type { FromWorker, ModelState, ToWorker, WorkerSettings, WorstPiece } from "./protocol.ts";
import { ScoreCache } from "./score_cache.ts";
import type { Scorer } from "./scorer.ts";
import { scorePiece } from "./text_scorer.ts";

/** A page of 24,000 characters has 250. */
const MAX_WINDOWS = 4_000;

const known = new ScoreCache<number>(MAX_WINDOWS);
const waiting = new Map<number, readonly string[]>();
let isClosing = false;
let wake: () => void = () => undefined;

function receive(message: ToWorker): void {
  if ("pieces" in message) waiting.set(message.id, message.pieces);
  else if ("cancel" in message) waiting.delete(message.cancel);
  else isClosing = true;
  wake();
}

function answer(message: FromWorker): void {
  parentPort?.postMessage(message);
}

async function load({ shipped, added }: WorkerSettings): Promise<Scorer | undefined> {
  const states: ModelState[] = [];
  const scorers: Scorer[] = [];
  for (const folder of [shipped, ...added]) {
    try {
      const { scorer, name } = await loadModel(folder);
      scorers.push(scorer);
      states.push({ name, folder, isLoaded: true });
    } catch (error) {
      states.push({ name: basename(folder), folder, isLoaded: false, problem: reasonOf(error) });
    }
  }
  answer({ ready: states });
  return scorers.length === 0 ? undefined : ensembleOf(scorers);
}

async function serve(scorer: Scorer): Promise<void> {
  while (!isClosing) {
    const [next] = waiting;
    if (next) await scoreOne(scorer, ...next);
    else await new Promise<void>((resolve) => (wake = resolve));
  }
  await scorer.close();
}

async function scoreOne(scorer: Scorer, id: number, pieces: readonly string[]): Promise<void> {
  try {
    const worst = await worstOf(scorer, pieces, () => waiting.has(id) && !isClosing);
    if (worst) answer({ id, worst });
  } catch (error) {
    answer({ id, error: reasonOf(error) });
  } finally {
    waiting.delete(id);
  }
}

async function worstOf(
  scorer: Scorer,
  pieces: readonly string[],
  isWanted: () => boolean,
): Promise<WorstPiece | undefined> {
  let worst: WorstPiece | undefined;
  for (const [piece, text] of pieces.entries()) {
    const found = await scorePiece(scorer, text, isWanted, known);
    if (!found) return undefined;
    if (!worst || found.score > worst.score) worst = { piece, ...found };
  }
  return worst;
}

function reasonOf(error: unknown): string {
  if (error instanceof BrowseError) return `${error.message}. ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}

parentPort?.on("message", receive);
const scorer = await load(workerData as WorkerSettings);
if (scorer) await serve(scorer);
parentPort?.close();
