/** In a process of its own: what the classifier costs one. Prints `GuardFigures` as JSON. Arguments: runs, characters. */
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { Classifier } from "../../security/content/classifier/classifier.ts";

export interface GuardFigures {
  /** Of the first text, models included. */
  firstMs: number;
  scoreMs: number[];
  /** How long each text kept the event loop busy. */
  busyMs: number[];
  /** What the process has grown by. */
  grownMB: number;
}

const [runs = 100, characters = 4_096] = process.argv.slice(2).map(Number);
/** As the build makes it. */
const script = new URL("../../dist/classifier_worker.mjs", import.meta.url);
const SENTENCES = [
  "The lamp has three settings, and its cord is two metres long.",
  "Delivery takes four to six days; returns are free within a month.",
  "Please read the instructions before you plug it in, and keep them.",
  "Customers who bought this also looked at shades, bulbs and hooks.",
];

/** No two alike: what was scored before costs nothing. */
function text(index: number): string {
  let whole = `${index}. `;
  for (let at = index; whole.length < characters; at += 1) whole += `${SENTENCES[at % SENTENCES.length]} ${at} `;
  return whole.slice(0, characters);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const keepAlive = setInterval(() => undefined, 1e9);
const classifier = new Classifier({ script });
await pause(500);
const before = process.memoryUsage.rss();
const firstMs = await timed(() => classifier.score(text(0)));
const scoreMs: number[] = [];
const busyMs: number[] = [];
for (let index = 1; index <= runs; index++) {
  const began = performance.eventLoopUtilization();
  scoreMs.push(await timed(() => classifier.score(text(index))));
  busyMs.push(performance.eventLoopUtilization(began).active);
}
const grownMB = (process.memoryUsage.rss() - before) / 1_000_000;
const { state, reason, scored } = classifier.status();
if (state !== "ready" || scored !== runs + 1) throw new Error(`The classifier is ${state}: ${reason}`);
await classifier.close();
clearInterval(keepAlive);
console.log(JSON.stringify({ firstMs, scoreMs, busyMs, grownMB } satisfies GuardFigures));
