/** Runs skills: each run with a process, a channel and a token of its own, none of which outlives it. */
import type { Duplex } from "node:stream";
import { BrowseError } from "../../errors.ts";
import type { SkillLoad } from "../../rpc/protocol.ts";
import type { Channel, ChannelOptions } from "../../rpc/wire/server.ts";
import type { SkillGrant } from "../../security/tokens/skill_token.ts";
import type { Token } from "../../security/tokens/token.ts";
import { asksFirst, domainsOf, SCRIPT_FILE, SDK_FILE, type Skill, timeoutOf } from "../skill.ts";
import type { WholeSkill } from "../store/skill_store.ts";
import { Approvals } from "./approvals.ts";
import { bootSource } from "./boot.ts";
import { type OuterWall, walled } from "./outer_wall.ts";
import { OwnTime } from "./own_time.ts";
import { Places } from "./places.ts";
import { PlainSources } from "./plain_source.ts";
import { hasNetworkWall, type Started, sandboxed } from "./sandbox.ts";
import { runParser } from "./skill_parser.ts";
import { type ProcessWatch, SkillProcess, withChannel } from "./skill_process.ts";
import { addressOf, sourcesOf } from "./skill_sources.ts";
import { runTests, TEST_FILE, type Tested } from "./skill_tests.ts";
import { SkillWorker } from "./skill_worker.ts";
import { SpareProcess } from "./spare_process.ts";
import { unwalled } from "./trusted.ts";

/** What runs ask of the daemon. */
export interface RunnerPorts {
  watchdog: ProcessWatch;
  /** What stands around the processes beside the permission model. */
  outerWall: () => Promise<OuterWall>;
  /** Takes a process's channel as a connection. */
  attach: (stream: Duplex, channel: ChannelOptions) => Channel;
  issueToken: (name: string, by: Token, grant: SkillGrant) => { secret: string; token: Token };
  endToken: (token: Token) => void;
  /** The id of the token that it was lent by in the end; its own when by nobody. */
  familyOf: (token: Token) => string;
  /** Closes the tabs that were opened with it. */
  closeTabs: (token: Token) => Promise<void>;
  /** Where the daemon is reached. */
  url: () => string;
  /** A person has allowed each action of a run: from now on this content is not asked for. */
  approve: (skill: Skill) => Promise<void>;
  /** What went wrong with nobody to be told of it. */
  onTrouble: (message: string, cause?: unknown) => void;
}

/** How long persons may take to answer, all in all. */
const MAX_ASKING_MS = 3_600_000;

export interface Run {
  /** Whose call it is: the run has no more than that. */
  by: Token;
  /** Of the call. */
  session: string;
  /** The tab of the call; needed for skills whose tabs are `shared`. */
  tab?: string;
  signal: AbortSignal;
  /** Default: what the skill says. */
  timeoutMs?: number;
  onLog: (line: string) => void;
  /** Given the token of each process. */
  onToken?: (token: Token) => void;
  /** Told which call waits for a `browse confirm`, where nobody can be asked. */
  onWaiting?: (id: string) => void;
  /** Asks the person at the terminal, where there is one that may say yes. */
  ask?: (question: string) => Promise<string | undefined>;
}

/** A skill, and the bytes of its files. */
export type RunnableSkill = Pick<WholeSkill, "skill" | "files">;

/** One that may still be in the making. */
export interface TestableSkill {
  skill: Pick<Skill, "name" | "dir">;
  files: WholeSkill["files"];
}

export class SkillRunner {
  readonly #ports: RunnerPorts;
  readonly #sources = new PlainSources();
  readonly #spare: SpareProcess;
  readonly #places = new Places();

  constructor(ports: RunnerPorts) {
    this.#ports = ports;
    this.#spare = new SpareProcess(ports.watchdog);
  }

  /** One job in a process of its own. Resolves to what it gave. Throws as `SkillWorker.run` does. */
  async run(whole: RunnableSkill, args: Record<string, unknown>, run: Run): Promise<unknown> {
    const { skill } = whole;
    const worker = await this.worker(whole, run);
    try {
      const timeoutMs = run.timeoutMs ?? timeoutOf(skill.manifest);
      const value = await worker.run(args, { timeoutMs, signal: run.signal });
      if (!skill.trusted) this.#spare.prepare(await this.#behindWalls(skill.dir));
      return value;
    } finally {
      await worker.end();
    }
  }

  /** Resolves when no process waits for the next run. Never rejects. */
  async rest(): Promise<void> {
    await this.#spare.end();
  }

  /**
   * A process that does jobs of the skill, to be ended by whoever asked for it. Its token lasts as long as `jobs` of them
   * may take, and as long it waits for its turn at most. Throws `forbidden`, `unsupported`, `timeout`, and `skill_failed`
   * for a script that does not parse.
   */
  async worker(whole: RunnableSkill, run: Run, jobs = 1): Promise<SkillWorker> {
    const leave = await this.#place(whole, run, jobs);
    try {
      return await this.#worker(whole, { ...run, leave }, jobs);
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #place({ skill }: RunnableSkill, { by, signal, timeoutMs }: Run, jobs: number): Promise<() => void> {
    return await this.#places.take({
      family: this.#ports.familyOf(by),
      isUsers: by.kind === "root",
      what: `the skill "${skill.name}"`,
      timeoutMs: (timeoutMs ?? timeoutOf(skill.manifest)) * jobs,
      signal,
    });
  }

  async #worker(whole: RunnableSkill, run: Run & { leave: () => void }, jobs: number): Promise<SkillWorker> {
    const ports = this.#ports;
    const { skill } = whole;
    const load = await this.#load(whole, run.signal);
    const { secret, token } = this.#issue(skill, run, jobs);
    run.onToken?.(token);
    const time = new OwnTime();
    const approvals = asksFirst(skill)
      ? new Approvals({
          hold: () => time.hold(),
          ...(run.ask && { ask: run.ask }),
          ...(run.onWaiting && { tell: run.onWaiting }),
        })
      : undefined;
    const caller = {
      token,
      client: `skill/${skill.manifest.version}`,
      source: token.id,
      ...(approvals && { approval: approvals }),
    };
    return await SkillWorker.start({
      name: skill.name,
      start: async () =>
        skill.trusted
          ? await SkillProcess.start(
              withChannel(unwalled(skill.dir, { url: ports.url(), token: secret })),
              ports.watchdog,
            )
          : await this.#spare.take(await this.#behindWalls(skill.dir)),
      load,
      time,
      approvals,
      attach: (stream, hear) => ports.attach(stream, { caller, session: run.session, hear }),
      onLog: run.onLog,
      release: async ({ isDone, gone }) => {
        ports.endToken(token);
        try {
          await ports.closeTabs(token);
          if (isDone && approvals?.areAllGiven) await ports.approve(skill);
        } catch (error) {
          ports.onTrouble(`Cannot clean up after the skill "${skill.name}"`, error);
        } finally {
          await gone;
          run.leave();
        }
      },
    });
  }

  /** Runs its tests, behind the walls and with nobody to call. Throws `not_found` where it has none, and as `runTests` does. */
  async test(whole: TestableSkill, run: Pick<Run, "signal" | "timeoutMs">): Promise<Tested> {
    const { name, dir } = whole.skill;
    if (!whole.files.some((file) => file.name === TEST_FILE)) throw noTests(name);
    const sources = await this.#sourcesOf(whole, run.signal, true);
    const started = await this.#behindWalls(dir, ["--test-reporter=tap"]);
    const load = { script: addressOf(dir, TEST_FILE), sources };
    return await runTests(started, { ...run, name, load, watchdog: this.#ports.watchdog });
  }

  /** What its `parse` makes of answers of its read, behind the same walls. Throws as `runParser` does. */
  async parse(whole: TestableSkill, answers: readonly unknown[], signal: AbortSignal): Promise<unknown[]> {
    const { name, dir } = whole.skill;
    const load = { script: addressOf(dir, SCRIPT_FILE), sources: await this.#sourcesOf(whole, signal, false) };
    const started = await this.#behindWalls(dir);
    return await runParser(started, { name, signal, load, answers, watchdog: this.#ports.watchdog });
  }

  #issue(skill: Skill, { by, session, tab, timeoutMs }: Run, jobs: number) {
    const { name, manifest } = skill;
    const isShared = manifest.tabs === "shared";
    if (isShared && tab === undefined) throw noTabToShare(name);
    return this.#ports.issueToken(name, by, {
      scopes: new Set(manifest.scopes),
      domains: domainsOf(manifest),
      session,
      ...(isShared && tab !== undefined && { tab }),
      timeoutMs: (timeoutMs ?? timeoutOf(manifest)) * jobs + (asksFirst(skill) ? MAX_ASKING_MS : 0),
    });
  }

  async #behindWalls(dir: string, flags: readonly string[] = []): Promise<Started> {
    const boot = bootSource({ isSandboxed: true, hasNetworkWall: hasNetworkWall() });
    return withChannel(await this.#walled(sandboxed(dir, [...flags, "-e", boot])));
  }

  async #walled(inner: Started): Promise<Started> {
    const { path } = await this.#ports.outerWall();
    return path === undefined ? inner : walled(path, inner);
  }

  async #load(whole: RunnableSkill, signal: AbortSignal): Promise<SkillLoad> {
    const { dir } = whole.skill;
    const sources = await this.#sourcesOf(whole, signal, false);
    return { script: addressOf(dir, SCRIPT_FILE), client: addressOf(dir, SDK_FILE), sources };
  }

  #sourcesOf({ skill: { dir }, files }: TestableSkill, signal: AbortSignal, withFixtures: boolean) {
    return sourcesOf({ dir, files, withFixtures }, this.#sources, signal);
  }
}

function noTests(name: string): BrowseError {
  return new BrowseError("not_found", `The skill "${name}" has no ${TEST_FILE}`, {
    hint: "Write one that runs its parser on a fixture, with `node:test`",
  });
}

function noTabToShare(name: string): BrowseError {
  return new BrowseError("tab_gone", `The skill "${name}" works on the tab that is open, and none is`, {
    hint: "Open a page with `browse goto <url>`, then run it again",
  });
}
