/** Processes that die or stop in the middle of a command: what it answers has to be true, and nothing may be left. */
import { readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import type { Arena, ArenaOptions, Broken, Campaign, Round } from "../arena.ts";
import { drawn, weighted } from "../draw.ts";
import { writeExampleFiles } from "../example_page.ts";
import { LoggedSite } from "../logged_site.ts";
import { type KnownCommand, knownCommands } from "../registry.ts";
import { type Timed, Workspace } from "../workspace.ts";
import { ACTIONS, type Action, actionPage, COUNT } from "./actions.ts";
import { brokenClaims } from "./claims.ts";
import { BLOWS, type Blow, strike, VICTIMS, type Victim, writeTunnelConfig } from "./victims.ts";

const TIMEOUT_MS = 5_000;
const STOP_MS = 20_000;
const SLICE_STOP_MS = 1_500;
const MAX_DELAY_MS = 400;
/** After an answer, what it started has arrived by then, if it ever does. */
const ARRIVES_WITHIN_MS = 1_000;
const ENDS_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 20;
/** Cases on one daemon, where none of them took it away. */
const CASES_PER_DAEMON = 8;
/** A daemon that the client may have to start. */
const COLD_GRACE_MS = 4_000;
/** How many times what the simplest command takes now a process may be late by. */
const MACHINE_FACTOR = 5;
/** After these nothing is as it was. */
const FATAL: ReadonlySet<Victim> = new Set(["daemon", "watchdog", "browser"]);

interface KillCase {
  victim: Victim;
  blow: Blow;
  delayMs: number;
  isCounted: boolean;
  action: number;
  example: number;
}

const CASES: fc.Arbitrary<KillCase> = fc.record({
  victim: weighted<Victim>(
    ...VICTIMS.map((victim) => [["browser", "renderers", "daemon"].includes(victim) ? 4 : 1, victim] as const),
  ),
  blow: weighted<Blow>(...BLOWS.map((blow) => [blow === "SIGKILL" ? 5 : blow === "SIGTERM" ? 2 : 1, blow] as const)),
  delayMs: fc.integer({ min: 0, max: MAX_DELAY_MS }),
  isCounted: weighted([3, true], [1, false]),
  action: fc.nat(),
  example: fc.nat(),
});

export const kills: Campaign = {
  name: "kills",
  cases: 1_500,
  open: async (options) => await KillArena.open(options),
};

class KillArena implements Arena {
  readonly #options: ArenaOptions;
  readonly #site: LoggedSite;
  readonly #commands: readonly KnownCommand[];
  #workspace: Workspace | undefined;
  #played = 0;
  /** How late things may be because of what else the machine does. */
  #machineMs = 0;
  #nonce = 0;

  private constructor(
    options: ArenaOptions,
    site: LoggedSite,
    workspace: Workspace,
    commands: readonly KnownCommand[],
  ) {
    this.#options = options;
    this.#site = site;
    this.#workspace = workspace;
    this.#commands = commands.filter(({ effect, examples }) => effect !== "process" && examples.length > 0);
  }

  static async open(options: ArenaOptions): Promise<KillArena> {
    const site = await LoggedSite.serve({});
    const workspace = new Workspace({}, { ownProcesses: true });
    return new KillArena(options, site, workspace, await knownCommands(workspace, site.url));
  }

  draw(number: number): Round {
    const drawnCase = drawn(CASES, this.#options.seed, number);
    const { victim, blow, delayMs } = drawnCase;
    const name = `${this.#actionOf(drawnCase).argv.join(" ")}: ${blow} to the ${victim} after ${delayMs} ms`;
    return { name, play: async () => await this.#play(drawnCase) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#workspace?.[Symbol.asyncDispose]();
    await this.#site[Symbol.asyncDispose]();
  }

  #actionOf({ isCounted, action, example }: KillCase): Action {
    if (isCounted) return ACTIONS[action % ACTIONS.length] as Action;
    const { examples = [] } = this.#commands[action % this.#commands.length] ?? {};
    return { argv: examples[example % examples.length] ?? [] };
  }

  async #play(drawnCase: KillCase): Promise<Broken[]> {
    const { victim, blow, delayMs, isCounted } = drawnCase;
    const action = this.#actionOf(drawnCase);
    const countPath = `/count-${++this.#nonce}`;
    this.#site.set(countPath, "<!doctype html><title>Counted</title>");
    this.#site.set("/page", actionPage(action, countPath));
    const workspace = await this.#ready();
    if (victim === "tunnel") await workspace.cli(["tunnel", "start"]);
    const stopMs = this.#options.isSlice ? SLICE_STOP_MS : STOP_MS;
    const argv = action.argv.map((word) => word.replaceAll(COUNT, this.#site.url + countPath));
    let struck: Promise<number> = Promise.resolve(0);
    const answer = await workspace.cli([...argv, "--json", "--timeout", String(TIMEOUT_MS)], {
      onChild: (child) => {
        struck = pause(delayMs).then(() => strike(workspace, { victim, blow, stopMs, client: child.pid }));
      },
    });
    await struck;
    const count = await this.#count(countPath, isCounted && answer.exitCode === 0);
    const graceMs =
      this.#machineMs + (victim === "daemon" ? COLD_GRACE_MS : victim === "client" && blow === "SIGSTOP" ? stopMs : 0);
    const broken = brokenClaims({
      answer,
      count,
      victim,
      blow,
      isCounted,
      isPlain: action.isPlain ?? false,
      timeoutMs: TIMEOUT_MS,
      graceMs,
    });
    if (FATAL.has(victim) || this.#played % CASES_PER_DAEMON === 0) broken.push(...(await this.#end(workspace)));
    return broken;
  }

  /** A daemon with the page of the case in a tab. */
  async #ready(): Promise<Workspace> {
    this.#played++;
    for (let tries = 0; tries < 3; tries++) {
      this.#workspace ??= new Workspace({}, { ownProcesses: true });
      writeTunnelConfig(this.#workspace.home);
      writeExampleFiles(this.#workspace.project.dir);
      const { exitCode } = await this.#workspace.cli(["newtab", `${this.#site.url}/page`, "--timeout", "15s"]);
      if (exitCode === 0 && (await this.#closeOthers(this.#workspace))) return this.#workspace;
      await this.#workspace[Symbol.asyncDispose]();
      this.#workspace = undefined;
    }
    throw new Error("No daemon could be made ready");
  }

  async #closeOthers(workspace: Workspace): Promise<boolean> {
    const { stdout, exitCode, ms } = await workspace.cli(["tabs", "--json"]);
    this.#machineMs = ms * MACHINE_FACTOR;
    if (exitCode !== 0) return false;
    const { tabs } = JSON.parse(stdout) as { tabs: { id: string; current: boolean }[] };
    for (const { id, current } of tabs) if (!current) await workspace.cli(["closetab", id]);
    return true;
  }

  async #count(path: string, isExpected: boolean): Promise<number> {
    const count = () => this.#site.log.filter((request) => /^\S+ (\S+)/.exec(request)?.[1] === path).length;
    const deadline = performance.now() + ARRIVES_WITHIN_MS;
    while (performance.now() < deadline && !(isExpected && count() > 0)) await pause(LOOK_EVERY_MS);
    return count();
  }

  /** Stops it as a user would; then nothing of it may be there. */
  async #end(workspace: Workspace): Promise<Broken[]> {
    const broken: Broken[] = [];
    const stopped: Timed = await workspace.cli(["stop"]);
    const isGone = stopped.stderr.includes("No daemon is running");
    if (stopped.exitCode !== 0 && !isGone) broken.push({ promise: "stop works after a death", seen: stopped.stderr });
    const left = await workspace.remaining(ENDS_WITHIN_MS);
    if (left.length > 0) {
      const seen = left.map(({ pid, command }) => `${pid} ${command.slice(0, 100)}`).join("; ");
      broken.push({ promise: "no process is left", seen });
    }
    const folders = readdirSync(workspace.temporary);
    if (folders.length > 0) broken.push({ promise: "no folder is left", seen: folders.join(" ") });
    await workspace[Symbol.asyncDispose]();
    this.#workspace = undefined;
    return broken;
  }
}
