/** One try of one agent to come by what is not its own. */
import { setTimeout as pause } from "node:timers/promises";
import type { Broken } from "../arena.ts";
import type { KnownCommand } from "../registry.ts";
import type { Agent, Answer } from "./agent.ts";
import type { Household } from "./household.ts";

/** How a command line reaches dispatch. */
export const ROUTES = ["command line", "chain", "nested chain", "batch", "tab-each"] as const;
export type Route = (typeof ROUTES)[number];
export type Door = "local" | "tunnel";

/** What a page does by itself after it has loaded. */
const AFTERMATH_MS = 300;
const CALL_TIMEOUT_MS = 4_000;
/** Whatever says something of a page. */
const LOOKS = ["text", "html", "snapshot", "title", "url", "links", "network", "console", "forms", "accessibility"];

export interface Way {
  name: string;
  /** What it does, whatever it is after: each kind is drawn as often as any other. */
  kind: string;
  /** The only door at which it makes sense. */
  door?: Door;
  /** Loads no document from a forbidden host, only parts of a page, which domain limits do not hold. */
  isPartOnly?: true;
  run(attempt: Attempt): Promise<unknown>;
}

export interface AttemptPorts {
  agent: Agent;
  household: Household;
  commands: readonly KnownCommand[];
  door: Door;
  route: Route;
  /** Folder that the agent says it stands in. */
  cwd: string;
  version: string;
}

export class Attempt {
  /** What the way itself has seen that must not be. */
  readonly broken: Broken[] = [];
  readonly #ports: AttemptPorts;
  #pages = 0;

  constructor(ports: AttemptPorts) {
    this.#ports = ports;
  }

  get agent(): Agent {
    return this.#ports.agent;
  }

  get household(): Household {
    return this.#ports.household;
  }

  get commands(): readonly KnownCommand[] {
    return this.#ports.commands;
  }

  get door(): Door {
    return this.#ports.door;
  }

  async call(method: string, params: object = {}): Promise<Answer> {
    return await this.agent.call(method, { timeoutMs: CALL_TIMEOUT_MS, ...params });
  }

  /** A tab of its own, which what is tried needs. */
  async open(url: string): Promise<Answer> {
    return await this.call("newtab", { url });
  }

  /** A command line, by the case's way around dispatch. */
  async line(...argv: string[]): Promise<Answer> {
    const { door, route } = this.#ports;
    const words = [...argv, "--timeout", String(CALL_TIMEOUT_MS)];
    if (door === "tunnel") return await this.agent.call("chain", { commands: JSON.stringify([words]) });
    const asJson = JSON.stringify([words]);
    switch (route) {
      case "command line":
        return await this.#exec(words);
      case "chain":
        return await this.#exec(["chain", asJson]);
      case "nested chain":
        return await this.#exec(["chain", JSON.stringify([["chain", asJson]])]);
      case "batch":
        return await this.#exec(["batch", "--commands", asJson]);
      case "tab-each":
        return await this.#exec(["tab-each", ...words]);
    }
  }

  /** Serves a page of the attacker's and gives its address. */
  page(html: string): string {
    const path = `/attack-${++this.#pages}`;
    this.household.attacker.set(path, `<!doctype html><title>Attack</title>${html}`);
    return this.household.attacker.url + path;
  }

  /** An address of the attacker's that leads elsewhere. */
  redirect(to: string): string {
    const path = `/redirect-${++this.#pages}`;
    this.household.attacker.set(path, (_request, response) => response.writeHead(302, { location: to }).end());
    return this.household.attacker.url + path;
  }

  /** Opens the address, follows what it does, and looks at all there is to see. */
  async visit(url: string, after: (tab: string) => Promise<unknown> = async () => undefined): Promise<void> {
    const { result } = await this.open(url);
    const tab = typeof result?.id === "string" ? result.id : undefined;
    if (tab !== undefined) await after(tab);
    await this.lookAround();
  }

  async lookAround(): Promise<void> {
    await pause(AFTERMATH_MS);
    const { result } = await this.call("tabs");
    const tabs = (result?.tabs ?? []) as { id: string }[];
    for (const { id } of tabs) await this.look(id);
  }

  async look(tab: string): Promise<void> {
    const { error } = await this.call("text", { tab });
    // The others are refused alike.
    if (error && ["not_owner", "forbidden", "unauthorized", "lost"].includes(error.data.kind)) return;
    for (const method of LOOKS.slice(1)) await this.call(method, { tab });
  }

  async #exec(argv: string[]): Promise<Answer> {
    const { cwd, version } = this.#ports;
    return await this.agent.call("cli.exec", { argv, cwd, version });
  }
}
