/** Agents with every authority, trying every way to what is not theirs. What they learn is searched mechanically. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Arena, ArenaOptions, Broken, Campaign, Round } from "../arena.ts";
import { drawn, weighted } from "../draw.ts";
import { type KnownCommand, knownCommands } from "../registry.ts";
import { Agent } from "./agent.ts";
import { Attempt, type Door, ROUTES, type Route, type Way } from "./attempt.ts";
import { changes, type Listing, listing, textIn } from "./files.ts";
import { Household } from "./household.ts";
import { secretsIn } from "./secrets.ts";
import { fileReadingWays } from "./ways/file_reads.ts";
import { fileWritingWays } from "./ways/file_writes.ts";
import { hostWays } from "./ways/hosts.ts";
import { otherWays } from "./ways/others.ts";

const SCOPES = [
  "read,write,meta",
  "read",
  "read,write",
  "read,write,meta,admin",
  "read,write,meta,control",
  "read,write,meta,admin,control",
];

interface AgentCase {
  /** Which group of ways, which kind in it, and which of that kind. */
  group: number;
  kind: number;
  way: number;
  scopes: string;
  isHeldToHosts: boolean;
  /** Is lent a tab of the owner's that has shown secrets before. */
  hasTab: boolean;
  /** Is lent a folder, where it is let in on this machine. */
  hasFolder: boolean;
  door: Door;
  route: Route;
  /** Stands in the project's folder, else in the user's home. */
  isInProject: boolean;
}

const CASES: fc.Arbitrary<AgentCase> = fc.record({
  group: fc.nat(),
  kind: fc.nat(),
  way: fc.nat(),
  scopes: weighted(
    [12, SCOPES[0]],
    [1, SCOPES[1]],
    ...SCOPES.slice(2).map((scopes) => [2, scopes] as const),
  ) as fc.Arbitrary<string>,
  isHeldToHosts: fc.boolean(),
  hasTab: weighted([3, false], [1, true]),
  hasFolder: weighted([3, false], [1, true]),
  door: weighted<Door>([3, "local"], [1, "tunnel"]),
  route: fc.oneof(fc.constant<Route>("command line"), fc.constantFrom<Route>(...ROUTES)),
  isInProject: weighted([4, true], [1, false]),
});

export const agents: Campaign = {
  name: "agents",
  cases: 1_000,
  open: async (options) => await AgentArena.open(options),
};

class AgentArena implements Arena {
  readonly #options: ArenaOptions;
  readonly #commands: readonly KnownCommand[];
  readonly #groups: readonly (readonly Way[])[];
  #household: Household;

  private constructor(options: ArenaOptions, household: Household, commands: readonly KnownCommand[]) {
    this.#options = options;
    this.#household = household;
    this.#commands = commands;
    this.#groups = groupsOf(household, commands);
  }

  static async open(options: ArenaOptions): Promise<AgentArena> {
    const household = await Household.open();
    return new AgentArena(options, household, await knownCommands(household.workspace, household.attacker.url));
  }

  draw(number: number): Round {
    const drawnCase = drawn(CASES, this.#options.seed, number);
    const way = wayOf(this.#groups, drawnCase);
    const { scopes, isHeldToHosts, hasTab, hasFolder, route } = drawnCase;
    const door = way.door ?? drawnCase.door;
    const held = `${isHeldToHosts ? ", held to a host" : ""}${hasTab ? ", lent a tab" : ""}${hasFolder ? ", lent a folder" : ""}`;
    const name = `${this.#shown(way.name)} (${scopes}${held}, ${door}${door === "local" ? `, ${route}` : ""})`;
    return { name, play: async () => await this.#play(drawnCase) };
  }

  figures(): string[] {
    return [`ways: ${this.#groups.map((group) => group.length).join(" + ")}`];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#household[Symbol.asyncDispose]();
  }

  /** Folders are other ones in each run. */
  #shown(text: string): string {
    const { project, root } = this.#household.workspace;
    return text.replaceAll(project.dir, "PROJECT").replaceAll(root, "USER");
  }

  async #play(drawnCase: AgentCase): Promise<Broken[]> {
    const household = await this.#alive();
    const way = wayOf(groupsOf(household, this.#commands), drawnCase);
    const door = way.door ?? drawnCase.door;
    const before = snapshotOf(household);
    const logged = [household.attacker.log.length, household.forbidden.log.length] as const;
    using agent = await pairAgent(household, { ...drawnCase, door });
    const attempt = new Attempt({
      agent,
      household,
      commands: this.#commands,
      door,
      route: drawnCase.route,
      cwd: drawnCase.isInProject ? household.workspace.project.dir : household.workspace.home,
      version: household.workspace.daemon()?.version ?? "",
    });
    await way.run(attempt);
    const broken = [
      ...attempt.broken,
      ...learned(household, agent, logged[0]),
      ...(drawnCase.isHeldToHosts && way.isPartOnly === undefined ? reached(household, logged[1]) : []),
      ...written(household, before),
    ];
    await this.#clear();
    return broken;
  }

  /** Takes the agent's authority and tabs away again. */
  async #clear(): Promise<void> {
    const household = this.#household;
    rmSync(artifactsOf(household), { recursive: true, force: true });
    try {
      const { agents: paired } = (await household.owner.call("agents")) as { agents: { name: string }[] };
      for (const { name } of paired) await household.owner.call("unpair", { name });
      const { sessions } = (await household.owner.call("sessions")) as { sessions: { name: string }[] };
      for (const { name: session } of sessions) {
        const { tabs } = (await household.owner.call("tabs", { session })) as { tabs: { id: string }[] };
        for (const { id } of tabs) {
          if (!household.tabs.includes(id)) await household.owner.call("closetab", { id, session, timeoutMs: 5_000 });
        }
      }
    } catch {
      // A household in disorder makes no fair case of the next one.
      await this.#replace();
    }
  }

  async #alive(): Promise<Household> {
    if (!this.#household.isAlive) await this.#replace();
    return this.#household;
  }

  async #replace(): Promise<void> {
    await this.#household[Symbol.asyncDispose]();
    this.#household = await Household.open();
  }
}

function groupsOf(household: Household, commands: readonly KnownCommand[]): Way[][] {
  return [fileReadingWays(household.forbiddenFiles), fileWritingWays(household), hostWays(), otherWays(commands)];
}

function wayOf(groups: readonly (readonly Way[])[], { group, kind, way }: AgentCase): Way {
  const kinds = [...Map.groupBy(pick(groups, group), (one) => one.kind).values()];
  return pick(pick(kinds, kind), way);
}

function pick<Item>(items: readonly Item[], number: number): Item {
  return items[number % items.length] as Item;
}

async function pairAgent(
  household: Household,
  { scopes, isHeldToHosts, hasTab, hasFolder, door }: AgentCase,
): Promise<Agent> {
  const tab = hasTab ? await household.tabToLend() : undefined;
  const { key, url } = await household.owner.call("pair", {
    name: "agent",
    scopes,
    rate: 1_000,
    ...(isHeldToHosts && { domains: "127.0.0.1" }),
    ...(tab !== undefined && { share: tab }),
    ...(hasFolder && door === "local" && { files: household.lentFolder() }),
    // What is served here is on this machine.
    ...(door === "tunnel" && { tunnel: true, private: true }),
  });
  return await Agent.pair(String(url), String(key));
}

/** What the agent, or who serves its pages, has come to know. */
function learned(household: Household, agent: Agent, since: number): Broken[] {
  const { secrets, attacker } = household;
  const promise = "an agent learns no secret";
  const places = {
    "an answer or event": agent.transcript,
    "the attacker's server": attacker.log.slice(since).join("\n"),
    "a file it made": madeFiles(artifactsOf(household)),
  };
  return Object.entries(places).flatMap(([place, text]) =>
    secretsIn(text, secrets).map((found) => ({ promise, seen: `${place} has the ${found}` })),
  );
}

function artifactsOf({ workspace }: Household): string {
  return join(workspace.project.stateDir, "artifacts");
}

function madeFiles(artifacts: string): string {
  return [...listing([artifacts], () => false).keys()].map(textIn).join("\n");
}

function reached({ forbidden }: Household, since: number): Broken[] {
  const requests = forbidden.log.slice(since);
  if (requests.length === 0) return [];
  return [
    { promise: "a forbidden host is never asked", seen: `${requests.length} requests: ${requests[0]?.slice(0, 200)}` },
  ];
}

/** The state folder is the daemon's own; of it, only what it makes for others is looked at. */
function snapshotOf({ lent, workspace: { project, home, temporary } }: Household): Listing {
  const isOurs = (path: string) =>
    path.startsWith(project.stateDir) ||
    path.startsWith(lent) ||
    path.startsWith(join(home, ".browse/security")) ||
    path.startsWith(join(home, ".cache")) ||
    path.startsWith(join(home, ".config/chromium")) ||
    path.startsWith(join(home, ".pki")) ||
    /\/(\.?org\.chromium|playwright|browse-|\.com\.google)[^/]*$/.test(path);
  return listing([project.dir, home, temporary], isOurs);
}

function written(household: Household, before: Listing): Broken[] {
  return changes(before, snapshotOf(household))
    .filter((change) => !/^changed [^:]*: folder/.test(change))
    .map((seen) => ({ promise: "an agent writes only where it may", seen }));
}
