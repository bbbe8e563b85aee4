/** The daemon that reads hostile pages beside a quiet one, and what is asked of it after each. */
import { setTimeout as pause } from "node:timers/promises";
import { Samples } from "../../bench/samples.ts";
import type { Broken } from "../arena.ts";
import { writeExampleFiles } from "../example_page.ts";
import { type KnownCommand, knownCommands } from "../registry.ts";
import { type Timed, Workspace } from "../workspace.ts";
import { HostileSite, type Hostility } from "./hostile_site.ts";

const QUIET_LIMIT_MS = 250;
/** What the machine's own load may add, as the calm calls before the run tell it. */
const CALM_FACTOR = 4;
const CALM_CALLS = 30;
/** Fewer calls have no 99th percentile. */
const ENOUGH_CALLS = 100;
/** Addresses and titles of hostile tabs count too. */
const MAX_TABS_BYTES = 100_000_000;
const CLOSES_WITHIN_MS = 5_000;
/** What a page does when it has loaded has reached the daemon by then. */
const AFTERMATH_MS = 150;

export class FuzzHost implements AsyncDisposable {
  readonly #site: HostileSite;
  #workspace: Workspace;
  #commands: KnownCommand[] = [];
  /** Of the daemon, while it is the one that was started. */
  #pid: number | undefined;
  #calm: Samples | undefined;
  readonly #quiet: number[] = [];
  #deaths = 0;

  private constructor(site: HostileSite, workspace: Workspace) {
    this.#site = site;
    this.#workspace = workspace;
  }

  static async open(): Promise<FuzzHost> {
    const site = await HostileSite.serve();
    const host = new FuzzHost(site, new Workspace());
    await host.ready();
    const commands = await knownCommands(host.#workspace, site.url);
    host.#commands = commands.filter(reads);
    const calm: number[] = [];
    for (let call = 0; call < CALM_CALLS; call++) calm.push(await host.#quietCall());
    host.#calm = new Samples(calm);
    return host;
  }

  /** Those that read, with the examples they are played by. */
  get commands(): readonly KnownCommand[] {
    return this.#commands;
  }

  get url(): string {
    return this.#site.url;
  }

  /** What one call takes on this machine now, whatever it is. */
  get graceMs(): number {
    return (this.#calm?.quantile(0.99) ?? 0) * CALM_FACTOR;
  }

  show(hostility: Hostility): void {
    this.#site.show(hostility);
  }

  async run(argv: readonly string[]): Promise<Timed> {
    return await this.#workspace.cli(argv);
  }

  /** A daemon runs, with a quiet page in its first tab. */
  async ready(): Promise<void> {
    if (this.#pid !== undefined) return;
    writeExampleFiles(this.#workspace.project.dir);
    await this.#workspace.project.run("newtab", `${this.url}/quiet`);
    this.#pid = this.#workspace.daemon()?.pid;
  }

  /** The tab that was opened for the hostile page, whatever the call that opened it said. */
  async hostileTab({ stdout, exitCode }: Timed): Promise<string | undefined> {
    if (exitCode === 0) return (JSON.parse(stdout) as { id: string }).id;
    const { tabs } = await this.#tabs();
    return tabs.find(({ id }) => id !== "t1")?.id;
  }

  /** What the case has done to the daemon and to the tab beside. Whatever it opened is closed. */
  async afterwards(): Promise<Broken[]> {
    const broken: Broken[] = [];
    await pause(AFTERMATH_MS);
    this.#quiet.push(await this.#quietCall());
    if (this.#workspace.daemon()?.pid !== this.#pid) {
      broken.push({ promise: "the daemon lives", seen: `its log ends: ${this.#workspace.logEnd()}` });
      this.#deaths++;
    } else {
      const left = await this.#closeAll();
      if (left === undefined) return broken;
      broken.push({ promise: "a hostile tab can be closed", seen: left });
    }
    await this.#replace();
    return broken;
  }

  judgeQuiet(): Broken[] {
    if (this.#quiet.length < ENOUGH_CALLS) return [];
    const p99 = new Samples(this.#quiet).quantile(0.99);
    const limit = Math.max(QUIET_LIMIT_MS, this.graceMs);
    if (p99 <= limit) return [];
    return [
      { promise: "a quiet tab answers at once", seen: `p99 ${p99.toFixed(0)} ms, at most ${limit.toFixed(0)} ms` },
    ];
  }

  figures(): string[] {
    if (this.#quiet.length === 0) return [];
    const quiet = new Samples(this.#quiet);
    const at = (share: number) => quiet.quantile(share).toFixed(0);
    return [
      `text in a quiet tab: p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, max ${at(1)} ms (calm: p99 ${this.#calm?.quantile(0.99).toFixed(0)} ms)`,
      `daemons that died: ${this.#deaths}; commands: ${this.#commands.length}`,
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#workspace[Symbol.asyncDispose]();
    await this.#site[Symbol.asyncDispose]();
  }

  async #quietCall(): Promise<number> {
    const { ms } = await this.run(["text", "--tab", "t1", "--timeout", "20s"]);
    return ms;
  }

  /** Undefined when all are gone, else what the last one said. */
  async #closeAll(): Promise<string | undefined> {
    const { tabs, answer } = await this.#tabs();
    if (answer.exitCode !== 0) return `tabs: ${answer.stderr}`;
    for (const { id } of tabs) {
      if (id === "t1") continue;
      const { exitCode, stderr } = await this.run(["closetab", id, "--timeout", String(CLOSES_WITHIN_MS)]);
      if (exitCode !== 0 && !/no tab|is closed/i.test(stderr)) return `closetab ${id}: ${stderr}`;
    }
    return undefined;
  }

  async #tabs(): Promise<{ tabs: { id: string }[]; answer: Timed }> {
    const answer = await this.run(["tabs", "--json", "--timeout", "5s", "--max-chars", String(MAX_TABS_BYTES)]);
    const { tabs = [] } = answer.exitCode === 0 ? (JSON.parse(answer.stdout) as { tabs: { id: string }[] }) : {};
    return { tabs, answer };
  }

  async #replace(): Promise<void> {
    await this.#workspace[Symbol.asyncDispose]();
    this.#workspace = new Workspace();
    this.#pid = undefined;
  }
}

/** Does the command read, by what it says of itself, and can it be played without what came before? */
function reads({ category, effect, params, examples }: KnownCommand): boolean {
  if (examples.length === 0) return false;
  if (effect === "none") return true;
  return effect === "disk" && ["look", "extract"].includes(category) && !params.includes("action");
}
