/** What one storm costs everybody else. */
import { setTimeout as pause } from "node:timers/promises";
import { OpenConnection } from "../../bench/connection.ts";
import { Samples } from "../../bench/samples.ts";
import type { Workspace } from "../workspace.ts";

/** Between an answer and the next question. */
const EVERY_MS = 10;
const CALL_TIMEOUT_MS = 5_000;
const STOP_PATIENCE_MS = 60_000;

export interface StormFigures {
  calmMedianMs: number;
  calmP99Ms: number;
  stormMedianMs: number;
  stormP99Ms: number;
  closeMs: number;
  daemonMegabytes: number;
  stopMs: number;
}

export interface MeasureOptions {
  quietUrl: string;
  stormUrl: string;
  /** How long is measured, before and during the storm. */
  forMs: number;
}

/** In a project of its own, which is stopped at the end. */
export async function measureStorm(
  workspace: Workspace,
  { quietUrl, stormUrl, forMs }: MeasureOptions,
): Promise<StormFigures> {
  await workspace.project.run("newtab", quietUrl);
  const daemon = workspace.daemon();
  if (!daemon) throw new Error("The daemon did not start");
  using connection = await OpenConnection.open(daemon);
  const calm = await textDelays(connection, forMs);
  // What opens it may well not come back.
  const opened = connection.call("newtab", { url: stormUrl, timeoutMs: CALL_TIMEOUT_MS }).catch(() => undefined);
  const storm = await textDelays(connection, forMs);
  await opened;
  const closeMs = await timedClose(connection);
  const { rssMegabytes } = workspace;
  return {
    calmMedianMs: calm.median,
    calmP99Ms: calm.quantile(0.99),
    stormMedianMs: storm.median,
    stormP99Ms: storm.quantile(0.99),
    closeMs,
    daemonMegabytes: rssMegabytes,
    stopMs: await timedStop(workspace),
  };
}

/** Of `text` in the quiet tab. */
async function textDelays(connection: OpenConnection, forMs: number): Promise<Samples> {
  const delays: number[] = [];
  const end = performance.now() + forMs;
  while (performance.now() < end) {
    const started = performance.now();
    await connection.call("text", { tab: "t1", timeoutMs: CALL_TIMEOUT_MS }).catch(() => undefined);
    delays.push(performance.now() - started);
    await pause(EVERY_MS);
  }
  return new Samples(delays);
}

/** Of the tab of the storm itself; what it has opened is closed with the daemon. */
async function timedClose(connection: OpenConnection): Promise<number> {
  const started = performance.now();
  await connection.call("closetab", { id: "t2", timeoutMs: CALL_TIMEOUT_MS }).catch(() => undefined);
  return performance.now() - started;
}

/** Until nothing runs any more. */
async function timedStop(workspace: Workspace): Promise<number> {
  const started = performance.now();
  await workspace.cli(["stop"]);
  await workspace.remaining(STOP_PATIENCE_MS);
  return performance.now() - started;
}
