/** What the daemon knows of skills: where they are, and how they run. */
import { outerWall } from "./run/outer_wall.ts";
import { type RunnerPorts, SkillRunner } from "./run/skill_runner.ts";
import { walls } from "./run/walls.ts";
import type { SkillStore } from "./store/skill_store.ts";

export interface SkillsOptions extends Omit<RunnerPorts, "approve" | "outerWall"> {
  store: SkillStore;
}

export class Skills {
  readonly store: SkillStore;
  readonly runner: SkillRunner;

  /** Which walls stand around a run here. */
  readonly walls = walls;

  constructor({ store, ...ports }: SkillsOptions) {
    this.store = store;
    const { trust } = store;
    this.runner = new SkillRunner({
      ...ports,
      outerWall,
      approve: async ({ hash, name, trusted }) => await trust.agree(hash, name, { trusted, approved: true }),
    });
  }
}
