/**
 * `npm run soak [-- --minutes n]`: pages that talk and load, clients that come and go, commands all the while; tells
 * every minute or so what the daemon holds, and fails when it holds more at the end than after the warm-up.
 */
import { readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { OpenConnection } from "./connection.ts";
import { servePages } from "./pages/serve.ts";
import { BenchProject } from "./project.ts";

const DEFAULT_MINUTES = 60;
/** The share of the time after which everything has been done often enough to be counted from. */
const WARM_UP = 0.4;
const MAX_GROWTH = 1.1;
/** Handles and sessions that a moment may hold more than another. */
const SLACK = 4;
const ROUND_PAUSE_MS = 50;
/** After so many lines the daemon collects its garbage as soon as it is quiet, which makes one look like another. */
const LINES_BEFORE_LOOK = 25_000;
const QUIET_MS = 6_000;

interface Held {
  minutes: number;
  megabytes: number;
  files: number;
  cdpSessions: number;
  dropped: number;
}

const minutes = minutesOf(process.argv.slice(2));
process.exitCode = await soak(minutes);

async function soak(total: number): Promise<number> {
  await using pages = await servePages();
  await using project = new BenchProject();
  await project.cli("goto", pages.url("console"));
  using connection = await project.connect();
  const started = performance.now();
  const passed = () => (performance.now() - started) / 60_000;
  const looks: Held[] = [];
  let rounds = 0;
  while (passed() < total) {
    if (looks.length === 0 || passed() - (looks.at(-1)?.minutes ?? 0) >= Math.min(1, total / 10)) {
      looks.push(await look(project, connection, passed()));
      console.log(lineOf(looks.at(-1) as Held, rounds));
    }
    await round(project, connection, pages.url("form"));
    rounds++;
    await pause(ROUND_PAUSE_MS);
  }
  looks.push(await look(project, connection, passed()));
  console.log(lineOf(looks.at(-1) as Held, rounds));
  return judge(looks, total);
}

/** What a busy hour is made of, in a second. */
async function round(project: BenchProject, connection: OpenConnection, url: string): Promise<void> {
  await connection.call("click", { target: "button" });
  await connection.call("js", { code: "storm(500)" });
  const { id: tab } = await connection.call("newtab", { url });
  await connection.call("snapshot", { interactive: true, tab });
  await connection.call("fill", { target: "[name=name]", value: "Ann", tab });
  await connection.call("closetab", { id: tab });
  await connection.call("tab", { id: "t1" });
  using passing = await project.connect();
  await passing.call("events.subscribe", { topics: ["console", "network", "page", "activity"], since: 0 });
  await passing.call("status");
}

/** When nothing is under way. */
async function look(project: BenchProject, connection: OpenConnection, minutes: number): Promise<Held> {
  await connection.call("js", { code: `storm(${LINES_BEFORE_LOOK})`, timeoutMs: 120_000 });
  await pause(QUIET_MS);
  const { events } = (await connection.call("status")) as { events: { dropped: number } };
  return {
    minutes,
    megabytes: project.daemonMegabytes,
    files: readdirSync(`/proc/${project.daemon.pid}/fd`).length,
    cdpSessions: await cdpSessions(connection),
    dropped: events.dropped,
  };
}

async function cdpSessions(connection: OpenConnection): Promise<number> {
  const { debuggerSessions } = (await connection.call("memory")) as { debuggerSessions?: number };
  if (debuggerSessions === undefined) throw new Error("The daemon does not tell its CDP sessions");
  return debuggerSessions;
}

function judge(looks: readonly Held[], total: number): number {
  const last = looks.at(-1);
  const warm = looks.find(({ minutes }) => minutes >= total * WARM_UP);
  if (!last || !warm || warm === last) throw new Error("Cannot judge: the soak was too short");
  const faults = [
    last.megabytes > warm.megabytes * MAX_GROWTH &&
      `memory ${warm.megabytes.toFixed(1)} → ${last.megabytes.toFixed(1)} MB`,
    last.files > warm.files + SLACK && `file handles ${warm.files} → ${last.files}`,
    last.cdpSessions > warm.cdpSessions + SLACK && `CDP sessions ${warm.cdpSessions} → ${last.cdpSessions}`,
  ].filter((fault) => fault !== false);
  console.log(faults.length === 0 ? "Flat" : `GREW: ${faults.join("; ")}`);
  return faults.length === 0 ? 0 : 1;
}

function lineOf({ minutes, megabytes, files, cdpSessions: sessions, dropped }: Held, rounds: number): string {
  return `${minutes.toFixed(1)} min, ${rounds} rounds: ${megabytes.toFixed(1)} MB, ${files} file handles, ${sessions} CDP sessions, ${dropped} events dropped`;
}

function minutesOf(words: readonly string[]): number {
  const { values } = parseArgs({ args: [...words], options: { minutes: { type: "string" } } });
  const given = Number(values.minutes ?? DEFAULT_MINUTES);
  if (given > 0) return given;
  throw new Error(`"--minutes ${values.minutes}" must be a number above 0`);
}
