/** Skills made for a test, and a runner whose runs call the few commands of a real listener. */
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessIdentity } from "../../../security/process/process_identity.ts";
import { rootToken, type Token } from "../../../security/tokens/token.ts";
import { type OuterWall, outerWall } from "../../../skills/run/outer_wall.ts";
import { type Run, SkillRunner } from "../../../skills/run/skill_runner.ts";
import type { Skill, SkillManifest } from "../../../skills/skill.ts";
import { listSkillFiles, readSkillFiles } from "../../../skills/store/skill_files.ts";
import { startWire, type Wire } from "../../rpc/wire/wire.ts";

const SDK = join(import.meta.dirname, "../../../client.ts");

export interface Running extends AsyncDisposable {
  wire: Wire;
  runner: SkillRunner;
  /** Where the folders of its skills are. */
  dir: string;
  /** Tokens whose tabs were closed. */
  closed: Token[];
  approved: Skill[];
  /** What runs now. */
  watched: Map<number, ProcessIdentity>;
  troubles: string[];
  /** The skill whose script has this for its `main`, with `browse`, `args` and `log`. */
  skill(body: string, manifest?: Partial<SkillManifest>, more?: Partial<Skill> & { top?: string }): Skill;
  run(skill: Skill, args?: Record<string, unknown>, run?: Partial<Run>): Promise<Ran>;
}

export interface Ran {
  value?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: whatever was thrown
  error?: any;
  log: string[];
}

export async function startRunning(wall: () => Promise<OuterWall> = outerWall): Promise<Running> {
  const wire = await startWire();
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "browse-skills-")));
  const closed: Token[] = [];
  const approved: Skill[] = [];
  const troubles: string[] = [];
  const watched = new Map<number, ProcessIdentity>();
  const runner = new SkillRunner({
    watchdog: {
      watch: (identity) => void watched.set(identity.pid, identity),
      unwatch: ({ pid }) => void watched.delete(pid),
    },
    outerWall: wall,
    attach: (stream, channel) => wire.server.attach(stream, channel),
    issueToken: (name, by, grant) => wire.tokens.issueSkill(name, by, grant),
    endToken: (token) => wire.tokens.end(token),
    familyOf: (token) => wire.tokens.familyOf(token),
    closeTabs: async (token) => void closed.push(token),
    url: () => wire.url,
    approve: async (skill) => void approved.push(skill),
    onTrouble: (message) => void troubles.push(message),
  });
  wire.tokens.onRevoked((token) => wire.server.drop(token));
  let count = 0;
  return {
    wire,
    runner,
    dir,
    closed,
    approved,
    troubles,
    watched,
    skill: (body, manifest = {}, { top = "", ...more } = {}) => {
      const name = `skill-${++count}`;
      const folder = join(dir, name);
      mkdirSync(folder);
      writeFileSync(join(folder, "SKILL.md"), "As it is needed here, the manifest is given by itself.\n");
      copyFileSync(SDK, join(folder, "client.ts"));
      writeFileSync(join(folder, "SKILL.md"), "");
      writeFileSync(
        join(folder, "script.ts"),
        `${top}\nexport async function main(browse, args, { log }) {\n${body}\n}\n`,
      );
      return skillIn(folder, name, manifest, more);
    },
    run: async (skill, args = {}, run = {}) => {
      const log: string[] = [];
      try {
        const value = await runner.run({ skill, files: filesOf(skill) }, args, {
          by: rootToken(),
          session: "default",
          signal: new AbortController().signal,
          onLog: (line) => void log.push(line),
          ...run,
        });
        return { value, log };
      } catch (error) {
        return { error, log };
      } finally {
        // Nothing of a test runs on in the next one.
        await runner.rest();
      }
    },
    [Symbol.asyncDispose]: async () => {
      await wire[Symbol.asyncDispose]();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export function filesOf({ dir }: Skill) {
  return readSkillFiles(dir, listSkillFiles(dir)).files;
}

function skillIn(dir: string, name: string, manifest: Partial<SkillManifest>, more: Partial<Skill>): Skill {
  return {
    name,
    tier: "user",
    dir,
    manifest: {
      name,
      description: "Made for a test",
      host: "*",
      triggers: [],
      args: [],
      scopes: ["read"],
      tabs: "fresh",
      trusted: false,
      version: 1,
      source: "human",
      timeout: "20s",
      ...manifest,
    },
    hash: "",
    shadows: [],
    sdk: "current",
    trusted: false,
    approved: false,
    ...more,
  };
}
