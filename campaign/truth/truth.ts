/** Does an answer say what an action did? Sixty controls, each acted on in six ways, against an observer in the page. */
import { setTimeout as pause } from "node:timers/promises";
import type { EffectReport } from "../../browser/effect_report.ts";
import type { Arena, ArenaOptions, Broken, Campaign, Round } from "../arena.ts";
import { Workspace } from "../workspace.ts";
import { judge, type Tally } from "./checks.ts";
import { CONTROLS } from "./controls.ts";
import { Stage } from "./stage.ts";

interface Action {
  name: string;
  /** Command lines; the last one is the action. */
  lines: readonly (readonly string[])[];
  /** It changes what it acts on. */
  changesItself: boolean;
}

const ACTIONS: readonly Action[] = [
  { name: "click", lines: [["click", "#button"]], changesItself: false },
  {
    name: "press",
    lines: [
      ["focus", "#button"],
      ["press", "Enter"],
    ],
    changesItself: false,
  },
  { name: "fill", lines: [["fill", "#field", "text"]], changesItself: true },
  { name: "check", lines: [["check", "#box"]], changesItself: true },
  { name: "select", lines: [["select", "#list", "Two"]], changesItself: true },
  { name: "hover", lines: [["hover", "#hover"]], changesItself: false },
];

/** The slowest control is done after this, and the page has told of it. */
const ALL_DONE_MS = 5_500;
/** Nothing is witnessed for so long: the longest timer is over. */
const QUIET_MS = 2_200;
/** How much of what comes within a second the same answer tells, at least. */
const MIN_TOLD = 0.95;

export const truth: Campaign = {
  name: "truth",
  cases: CONTROLS.length * ACTIONS.length,
  open: async (options) => new TruthArena(options, await Stage.open()),
};

class TruthArena implements Arena {
  readonly #options: ArenaOptions;
  readonly #stage: Stage;
  readonly #workspace = new Workspace();
  readonly #tally: Tally = { due: 0, told: 0 };

  constructor(options: ArenaOptions, stage: Stage) {
    this.#options = options;
    this.#stage = stage;
  }

  /** Each control in each way once; the seed says which comes first. */
  draw(number: number): Round {
    const turn = number + this.#options.seed * 7;
    const index = Math.floor(turn / ACTIONS.length) % CONTROLS.length;
    const action = ACTIONS[turn % ACTIONS.length] as Action;
    const name = `${action.name} on what makes ${CONTROLS[index]?.name}`;
    return { name, play: async () => await this.#play(number, index, action) };
  }

  judge(): Broken[] {
    const { due, told } = this.#tally;
    if (due === 0 || told / due >= MIN_TOLD) return [];
    return [{ promise: "what comes within a second is told at once", seen: `${told} of ${due}` }];
  }

  figures(): string[] {
    const { due, told } = this.#tally;
    return [`${told} of ${due} deeds within a second were told by the same answer`];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#workspace[Symbol.asyncDispose]();
    await this.#stage[Symbol.asyncDispose]();
  }

  async #play(number: number, index: number, { lines, changesItself }: Action): Promise<Broken[]> {
    const control = CONTROLS[index];
    if (!control) return [];
    await this.#run(["goto", `${this.#stage.url}/stage?${number}&control=${index}`, "--wait", "load"]);
    let effect: EffectReport = {};
    for (const line of lines) effect = await this.#run(line);
    const answeredAt = Date.now();
    const { unanswered } = this.#stage;
    await this.#untilDone(number);
    const next = await this.#run(["click", "#idle"]);
    const witnessed = this.#stage.witnessed(number);
    await this.#run(["closetab", "--others"]);
    const { broken, tally } = judge({ control, changesItself, effect, next, answeredAt, unanswered, witnessed });
    this.#tally.due += tally.due;
    this.#tally.told += tally.told;
    return broken;
  }

  /** Until what the control does has been witnessed for a while; what does nothing is given time for it. */
  async #untilDone(number: number): Promise<void> {
    const until = performance.now() + ALL_DONE_MS;
    let quietSince = performance.now();
    let seen = -1;
    while (performance.now() < until) {
      const now = this.#stage.witnessed(number).length;
      if (now !== seen || this.#stage.unanswered > 0) quietSince = performance.now();
      seen = now;
      if (performance.now() - quietSince > QUIET_MS) return;
      await pause(50);
    }
  }

  async #run(argv: readonly string[]): Promise<EffectReport> {
    const { stdout, stderr, exitCode } = await this.#workspace.cli([...argv, "--json"]);
    if (exitCode !== 0) throw new Error(`${argv.join(" ")}: ${stderr}`);
    return (JSON.parse(stdout) as { effect?: EffectReport }).effect ?? {};
  }
}
