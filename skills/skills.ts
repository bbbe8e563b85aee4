/** What the daemon knows of flows and hosts: skills and how they run, notes, and what is told of both to whoever arrives. */
import { Advisor } from "./notes/advice.ts";
import { Notes, type NotesOptions } from "./notes/notes.ts";
import { EachRuns } from "./run/each.ts";
import { outerWall } from "./run/outer_wall.ts";
import { type RunnerPorts, SkillRunner } from "./run/skill_runner.ts";
import { walls } from "./run/walls.ts";
import { SkillStore } from "./store/skill_store.ts";
import { type SkillEvent, SkillWatch } from "./store/skill_watch.ts";

interface SkillsOptions extends NotesOptions {
  publish: (event: SkillEvent) => void;
  onTrouble: (message: string, cause: unknown) => void;
  /** What runs need of the daemon around them. */
  running: Omit<RunnerPorts, "approve" | "outerWall">;
}

export class Skills {
  readonly store: SkillStore;
  readonly runner: SkillRunner;
  readonly eachRuns = new EachRuns();
  readonly notes: Notes;
  readonly advisor: Advisor;
  /** Begins when it is started. */
  readonly watch: SkillWatch;
  /** Which walls stand around a run here. */
  readonly walls = walls;

  constructor(options: SkillsOptions) {
    const { publish, onTrouble, running } = options;
    this.store = new SkillStore(options);
    this.notes = new Notes(options);
    this.advisor = new Advisor({ store: this.store, notes: this.notes, layers: options.layers });
    const { trust } = this.store;
    this.runner = new SkillRunner({
      ...running,
      outerWall,
      approve: async ({ hash, name, trusted }) => await trust.agree(hash, name, { trusted, approved: true }),
    });
    const onError = (error: unknown) => onTrouble("Changes of skills are not noticed", error);
    this.watch = new SkillWatch({ folders: this.store.folders, publish, onError });
  }
  /** Resolves when nothing is watched, and no process waits for a run. */
  async close(): Promise<void> {
    await Promise.all([this.watch.close(), this.runner.rest()]);
  }
}
