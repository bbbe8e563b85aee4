/** A real listener with a few commands of its own. */
import * as v from "valibot";
import WebSocket, { type ClientOptions } from "ws";
import { defineCommand, findCommand } from "../../../commands/command.ts";
import { BrowseError } from "../../../errors.ts";
import { EventHub } from "../../../rpc/events/hub.ts";
import type { Caller, CallOptions, Dispatch } from "../../../rpc/gate/call.ts";
import { parseParams } from "../../../rpc/line/params.ts";
import { print } from "../../../rpc/line/print.ts";
import { openRpcDocument } from "../../../rpc/methods/openrpc.ts";
import { makeCliExec } from "../../../rpc/methods/run_command_line.ts";
import { PROTOCOL_VERSION } from "../../../rpc/protocol.ts";
import { type RpcServer, type RpcServerOptions, startRpcServer } from "../../../rpc/wire/server.ts";
import type { Denial } from "../../../security/tokens/denials.ts";
import { rootToken, type Token, TokenRegistry } from "../../../security/tokens/token.ts";
import { BareClient } from "./bare_client.ts";

export const SECRET = "the-secret";
/** May do nothing but what needs the scope "control". */
export const CONTROL_SECRET = "the-control-secret";

/** Reads, in tabs of its own, two calls a second. */
export const AGENT_SECRET = "the-agent-secret";

interface SeenCall {
  caller: Caller;
  name: string;
  params: Record<string, unknown>;
  options: CallOptions;
}

/** What a held command waits for: each `hold` call ends when `release` is called with its key, or when it is aborted. */
class Gate {
  readonly #waiting = new Map<string, () => void>();
  readonly #arrived = new Map<string, () => void>();
  readonly #present = new Set<string>();

  async pass(key: string, signal: AbortSignal): Promise<void> {
    this.#present.add(key);
    this.#arrived.get(key)?.();
    await new Promise<void>((resolve, reject) => {
      this.#waiting.set(key, resolve);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }

  async arrival(key: string): Promise<void> {
    if (this.#present.has(key)) return;
    await new Promise<void>((resolve) => this.#arrived.set(key, resolve));
  }

  release(key: string): void {
    this.#waiting.get(key)?.();
  }
}

let areDefined = false;

function defineTestCommands(): void {
  if (areDefined) return;
  areDefined = true;
  const common = { category: "read", needs: "daemon", output: "plain", fromPage: "nothing", examples: [] } as const;
  const Key = v.strictObject({ key: v.string() });
  defineCommand({
    ...common,
    name: "echo",
    summary: "Give back the text",
    scope: "read",
    effect: "none",
    params: v.strictObject({ text: v.string(), times: v.optional(v.pipe(v.number(), v.integer())) }),
    aliases: ["echo-twice"],
    cli: { rest: "text", stdin: "text", presets: { "echo-twice": { times: 2 } } },
    result: v.strictObject({ text: v.string() }),
    run: (_context, { text, times = 1 }) => ({ text: text.repeat(times) }),
    render: ({ text }) => text,
  });
  defineCommand({
    ...common,
    needs: "tab",
    name: "hold",
    summary: "Wait to be released, without effect",
    scope: "read",
    effect: "none",
    params: Key,
    cli: { positional: ["key"] },
    result: Key,
    run: (_context, { key }) => ({ key }),
    render: ({ key }) => key,
  });
  defineCommand({
    ...common,
    needs: "tab",
    name: "act",
    summary: "Have an effect, then wait to be released",
    scope: "write",
    effect: "page",
    params: Key,
    cli: { positional: ["key"] },
    result: v.strictObject({ key: v.string(), ran: v.number() }),
    run: () => ({ key: "", ran: 0 }),
    render: ({ key, ran }) => `${key} ran ${ran}`,
  });
  defineCommand({
    ...common,
    name: "fail",
    summary: "Fail",
    scope: "read",
    effect: "none",
    params: v.strictObject({ how: v.optional(v.string()) }),
    cli: { positional: ["how"] },
    result: v.strictObject({}),
    run: (_context, { how }) => {
      if (how === "plainly") throw new Error("A secret detail");
      throw new BrowseError("covered", 'The button is covered by "<div>"', { details: { by: "div" } });
    },
    render: () => "",
  });
}

export interface Wire extends AsyncDisposable {
  server: RpcServer;
  hub: EventHub;
  gate: Gate;
  seen: SeenCall[];
  /** How often `act` ran, by key. */
  acted: Map<string, number>;
  logged: { level: string; message: string; cause: unknown }[];
  denials: Denial[];
  tokens: TokenRegistry;
  url: string;
  connect(options?: ConnectOptions): Promise<BareClient>;
}

interface ConnectOptions extends ClientOptions {
  /** Instance id of the client process. */
  instance?: string;
  secret?: string;
}

export async function startWire(overrides: Partial<RpcServerOptions> = {}): Promise<Wire> {
  defineTestCommands();
  const tokens = new TokenRegistry();
  tokens.add(SECRET, { ...rootToken(), scopes: new Set(["read", "write"]) });
  tokens.add(CONTROL_SECRET, { ...rootToken(), name: "control", scopes: new Set(["control"]) });
  const agent: Token = {
    ...rootToken(),
    kind: "client",
    name: "bob",
    scopes: new Set(["read"]),
    tabs: "own",
    rate: { perSecond: 2 },
  };
  tokens.add(AGENT_SECRET, agent);
  const hub = new EventHub();
  const gate = new Gate();
  const seen: SeenCall[] = [];
  const acted = new Map<string, number>();
  const logged: Wire["logged"] = [];
  const denials: Denial[] = [];
  const log = (level: string, message: string, cause?: unknown) => void logged.push({ level, message, cause });
  const dispatch = makeDispatch(gate, seen, acted);
  const cliExec = makeCliExec({
    dispatch,
    version: "9.9.9",
    helpFor: (name) => `Help for ${name}`,
    helpOverview: () => "Overview",
    checkLaunch: ({ headed }) => {
      if (headed) throw new BrowseError("unsupported", "The daemon runs headless");
    },
    log,
  });
  const server = await startRpcServer({
    via: "local",
    port: 0,
    tokens,
    hub,
    dispatch,
    cliExec,
    version: "9.9.9",
    canaryFor: ({ name }) => `canary of ${name}`,
    handover: (client) => ({ restarting: false, reason: `The client is ${client}`, command: "browse restart" }),
    openRpc: (via) => openRpcDocument("9.9.9", via),
    health: () => ({
      status: "ok",
      version: "9.9.9",
      protocol: PROTOCOL_VERSION,
      mode: "headless",
      uptimeMs: 1,
      browser: "none",
    }),
    recordDenial: (denial) => void denials.push(denial),
    log,
    ...overrides,
  });
  const url = `ws://127.0.0.1:${server.port}/rpc`;
  const clients: BareClient[] = [];
  return {
    server,
    hub,
    gate,
    seen,
    acted,
    logged,
    denials,
    tokens,
    url,
    connect: async ({ instance, secret = SECRET, ...options } = {}) => {
      const headers = { authorization: `Bearer ${secret}`, ...(instance && { "x-browse-client": instance }) };
      const client = new BareClient(new WebSocket(url, { headers, perMessageDeflate: false, ...options }));
      clients.push(client);
      await client.opened();
      return client;
    },
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) client.socket.terminate();
      await server.close(0);
    },
  };
}

/** Does what dispatch does, as far as the wire can tell. */
function makeDispatch(gate: Gate, seen: SeenCall[], acted: Map<string, number>): Dispatch {
  return async (caller, name, raw, options) => {
    seen.push({ caller, name, params: raw, options });
    const command = findCommand(name)!;
    const params = parseParams(command, raw) as { key: string };
    if (command.effect !== "none") await options.notify?.accepted();
    if (name === "act") acted.set(params.key, (acted.get(params.key) ?? 0) + 1);
    options.notify?.log("warning", "Mind the gap");
    options.notify?.progress(1, 2, "steps");
    if (name === "hold" || name === "act") await gate.pass(params.key, options.signal);
    const plain = await command.run({} as never, params);
    const result = name === "act" ? { key: params.key, ran: acted.get(params.key) ?? 0 } : plain;
    const text = command.render(result, params);
    const answer = { command: name, result, segments: [{ text }], text, exitCode: 0 };
    return options.print ? { ...answer, text: print(answer, options.print) } : answer;
  };
}
