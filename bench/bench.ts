/**
 * `npm run bench [-- <group>…] [--runs n] [--json file] [--write] [--install]`: measures what docs/benchmarks.md tells, beside
 * the peers that are installed or named. A missed target is told and is no failure; a scenario that breaks is one.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BenchArguments, benchArguments } from "./arguments.ts";
import { BenchContext } from "./context.ts";
import { describeMachine } from "./machine.ts";
import { absentPeers, type FoundPeer, findPeers, installPeers } from "./peers/mod.ts";
import { markdownPage, type ScenarioResult, summary, terminalTable } from "./report.ts";
import { runProcess } from "./run_process.ts";
import type { Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenarios/mod.ts";

/** Exit code of what Ctrl-C ended. */
const INTERRUPTED = 130;

const root = join(import.meta.dirname, "..");

const given = readArguments(process.argv.slice(2));
process.exitCode = await bench(given);

async function bench({ groups, runs, json, write, install }: BenchArguments): Promise<number> {
  await runProcess([process.execPath, join(root, "bin/build.ts")], { cwd: root });
  const machine = await describeMachine();
  console.log(`${machine.processor}, ${machine.cores} cores, Node ${machine.node}, Chromium ${machine.chromium}`);
  if (install) await installPeers();
  const peers = await findPeers();
  for (const { name, version, program } of peers) console.log(`${name} ${version}: ${program.prefix.join(" ")}`);
  const notes = [...peers.map(peerNote), ...absentPeers(peers)];
  for (const note of notes) console.log(note);

  await using context = await BenchContext.create({ runs, peers });
  const interrupted = endOnSignals(context);
  const results: ScenarioResult[] = [];
  for (const scenario of SCENARIOS.filter(({ group }) => groups.includes(group))) {
    const result = await measure(scenario, context);
    // What it found then is not what it measures.
    if (interrupted.aborted) return INTERRUPTED;
    results.push(result);
    console.log(`\n[${scenario.group}] ${terminalTable(result).trimEnd()}`);
  }
  console.log(`\n${summary(results)}`);
  if (json) await writeFile(json, `${JSON.stringify({ machine, runs, results }, undefined, 2)}\n`);
  if (write) await writeFile(join(root, "docs/benchmarks.md"), markdownPage(results, machine, notes));
  return results.some(({ failure }) => failure) ? 1 : 0;
}

function peerNote({ name, version, program }: FoundPeer): string {
  return `${name} ${version}, run as ${program.isNative ? "its own native program" : "JavaScript by this Node"}.`;
}

async function measure({ group, name, target, run }: Scenario, context: BenchContext): Promise<ScenarioResult> {
  try {
    return { group, name, target, figures: await run(context) };
  } catch (error) {
    return { group, name, target, figures: [], failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Whatever runs is given up; what was started is ended first. */
function endOnSignals(context: BenchContext): AbortSignal {
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
      interruption.abort();
      void context[Symbol.asyncDispose]().finally(() => process.exit(INTERRUPTED));
    });
  }
  return interruption.signal;
}

function readArguments(words: readonly string[]): BenchArguments {
  try {
    return benchArguments(words);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}
