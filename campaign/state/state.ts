/** State that was damaged: the next command works or says what to do, soon, and touches nothing outside. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { brokenBy } from "../answers.ts";
import type { Arena, ArenaOptions, Broken, Campaign, Round } from "../arena.ts";
import { drawn, weighted } from "../draw.ts";
import { misleading } from "../hints.ts";
import { type Timed, Workspace } from "../workspace.ts";
import { Canaries } from "./canaries.ts";
import { DAMAGES, type Damage, damageNames, fillDisk, isFolder } from "./damages.ts";
import { Template } from "./template.ts";

const ANSWERS_WITHIN_MS = 3_000;
/** A cold start may meet a busier moment than the one that was measured. */
const COLD_FACTOR = 3;
const ENDS_WITHIN_MS = 10_000;

/** What is run after the damage, and whether it needs a browser. */
const PROBES: readonly (readonly [argv: readonly string[], needsBrowser: boolean])[] = [
  [["status"], false],
  [["journal"], false],
  [["state", "list"], false],
  [["security", "log"], false],
  [["agents"], false],
  [["doctor"], true],
  [["newtab", "about:blank"], true],
  [["state", "save", "other"], true],
  [["state", "load", "kept"], true],
  [["tunnel", "start"], false],
];

interface StateCase {
  file: number;
  isUsers: boolean;
  damage: Damage;
  isAlive: boolean;
  probe: number;
}

export const state: Campaign = {
  name: "state",
  cases: 600,
  open: async (options) => new StateArena(options, await Template.make()),
};

class StateArena implements Arena {
  readonly #options: ArenaOptions;
  readonly #template: Template;
  readonly #cases: fc.Arbitrary<StateCase>;
  #skipped = 0;

  constructor(options: ArenaOptions, template: Template) {
    this.#options = options;
    this.#template = template;
    this.#cases = fc.record({
      file: fc.nat(),
      isUsers: weighted([4, false], [1, true]),
      damage: fc.constantFrom(...damageNames()),
      isAlive: fc.boolean(),
      probe: fc.nat(),
    });
  }

  draw(number: number): Round {
    const drawnCase = drawn(this.#cases, this.#options.seed, number);
    const { isUsers, damage, isAlive } = drawnCase;
    const [argv] = probeOf(drawnCase);
    const where = isUsers ? "user's" : "project's";
    const name = `${where} ${this.#fileOf(drawnCase) || "folder"}: ${damage}, daemon ${isAlive ? "alive" : "dead"}: ${argv.join(" ")}`;
    return { name, play: async () => await this.#play(drawnCase) };
  }

  figures(): string[] {
    const { coldMs, coldBrowserMs, stateFiles, userFiles } = this.#template;
    return [
      `cold start: ${coldMs.toFixed(0)} ms, with a browser ${coldBrowserMs.toFixed(0)} ms`,
      `files: ${stateFiles.join(" ")}; of the user: ${userFiles.join(" ")}`,
      `skipped for want of a disk of their own: ${this.#skipped}`,
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#template[Symbol.dispose]();
  }

  /** Empty for the folder itself. */
  #fileOf({ file, isUsers }: StateCase): string {
    const files = isUsers ? this.#template.userFiles : this.#template.stateFiles;
    return ["", ...files][file % (files.length + 1)] ?? "";
  }

  async #play(drawnCase: StateCase): Promise<Broken[]> {
    await using workspace = new Workspace({}, { ownProcesses: true });
    this.#template.unpack(workspace);
    const { project, home } = workspace;
    const folder = drawnCase.isUsers ? join(home, ".browse") : project.stateDir;
    if (drawnCase.isAlive) await project.run("status");
    const canaries = new Canaries(workspace.root);
    const path = join(folder, this.#fileOf(drawnCase));
    const inside = join(folder, drawnCase.isUsers ? "config.json" : "journal.jsonl");
    // A link in their own home is a user's own choice, as those who keep their settings elsewhere make it.
    const isChoice = drawnCase.isUsers && isFolder(path);
    mkdirSync(dirname(path), { recursive: true });
    const disk = drawnCase.damage === "full disk" ? fillDisk(folder) : undefined;
    if (drawnCase.damage !== "full disk") {
      DAMAGES[drawnCase.damage]({ path, inside, canaryFile: canaries.file, canaryFolder: canaries.folder });
    } else if (!disk) {
      this.#skipped++;
      return [];
    }
    try {
      return [...(await this.#probe(workspace, drawnCase)), ...(isChoice ? [] : canaries.broken())];
    } finally {
      disk?.free();
    }
  }

  async #probe(workspace: Workspace, drawnCase: StateCase): Promise<Broken[]> {
    const [argv, needsBrowser] = probeOf(drawnCase);
    const { coldMs, coldBrowserMs, commands } = this.#template;
    const timeoutMs = ANSWERS_WITHIN_MS + COLD_FACTOR * (needsBrowser ? coldBrowserMs : coldMs);
    const broken: Broken[] = [];
    const judge = (answer: Timed, line: readonly string[], within: number) => {
      const pids = new Set(workspace.processes().map(({ pid }) => pid));
      const asked = { command: line[0] ?? "", isJson: false, timeoutMs: within };
      const found = [...brokenBy(answer, asked), ...misleading(answer.stderr, { commands, pids })];
      broken.push(...found.map(({ promise, seen }) => ({ promise, seen: `${line.join(" ")}: ${seen}` })));
    };
    judge(await workspace.cli(argv), argv, timeoutMs);
    // The second one finds what the first has left.
    judge(await workspace.cli(["status"]), ["status"], ANSWERS_WITHIN_MS + COLD_FACTOR * coldMs);
    judge(await workspace.cli(["stop"]), ["stop"], ANSWERS_WITHIN_MS);
    const left = await workspace.remaining(ENDS_WITHIN_MS);
    if (left.length > 0) {
      const seen = left.map(({ pid, command }) => `${pid} ${command.slice(0, 80)}`).join("; ");
      broken.push({ promise: "stop ends everything", seen });
    }
    return broken;
  }
}

function probeOf({ probe }: StateCase): readonly [argv: readonly string[], needsBrowser: boolean] {
  return PROBES[probe % PROBES.length] ?? [["status"], false];
}
