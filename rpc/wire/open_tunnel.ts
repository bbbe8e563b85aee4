/** One opening of the tunnel: our own door first, then the way to it, then a look whether it leads here. */
import { randomUUID } from "node:crypto";
import { BrowseError } from "../../errors.ts";
import type { ProcessIdentity } from "../../security/process/process_identity.ts";
import type { TunnelConfig } from "../../security/tunnel/config.ts";
import type { Forwarding, TunnelProvider } from "../../security/tunnel/provider.ts";
import { checkReachable } from "../../security/tunnel/reachability.ts";
import { IdleTimer } from "../lifecycle/idle_timer.ts";
import { PROTOCOL_VERSION } from "../protocol.ts";
import { type RpcServer, type RpcServerOptions, startRpcServer } from "./server.ts";

const REACHABLE_WITHIN_MS = 30_000;
const IDLE_MINUTES = 30;
const MINUTE_MS = 60_000;
/** Of everybody outside together. */
const MAX_CONNECTIONS = 100;

export interface OpeningOptions {
  /** What both listeners share. */
  wire: Omit<RpcServerOptions, "via" | "port" | "health" | "publicHost" | "maxConnections">;
  /** Ends processes that outlive this one. */
  watchdog: { watch(process: ProcessIdentity): void; unwatch(process: ProcessIdentity): void };
  /** How long a provider's address may take to lead here. Default 30 s. */
  reachableWithinMs?: number;
  provider: TunnelProvider;
  config: TunnelConfig;
  signal: AbortSignal;
}

export interface OpenTunnel {
  /** The origin by which it is reached from outside. */
  url: string;
  server: RpcServer;
  /** It closes after so long without a call. */
  idleMs: number;
  /** Resolves, with the reason, when it is of no more use: nobody calls, or the provider ended. It is open until `close`. */
  useless: Promise<string>;
  close(): Promise<void>;
}

/** Throws `unsupported`, or the signal's reason, and leaves nothing behind then. */
export async function openTunnel(options: OpeningOptions): Promise<OpenTunnel> {
  const { config, wire, reachableWithinMs = REACHABLE_WITHIN_MS } = options;
  const probe = randomUUID();
  const idleMs = (config.idleMinutes ?? IDLE_MINUTES) * MINUTE_MS;
  const { promise: useless, resolve: onUseless } = Promise.withResolvers<string>();
  await using opening = new AsyncDisposableStack();
  let publicHost: string | undefined;
  const server = await listen(wire, { probe, publicHost: () => publicHost, onCall: () => idle.touch() });
  opening.defer(() => server.close());
  const idle = new IdleTimer({
    afterMs: idleMs,
    isHeld: () => server.runningCalls > 0,
    onIdle: () => onUseless("Nobody used it"),
  });
  opening.defer(() => idle.stop());
  const forwarding = await forward(server.port, options);
  opening.defer(() => forwarding.close());
  publicHost = new URL(forwarding.url).host;
  const signal = AbortSignal.any([options.signal, endOf(forwarding)]);
  await checkReachable(forwarding.url, { probe, withinMs: reachableWithinMs, signal });
  idle.touch();
  void forwarding.ended.then(onUseless);
  const open = opening.move();
  return { url: forwarding.url, server, idleMs, useless, close: () => open.disposeAsync() };
}

function endOf({ ended }: Forwarding): AbortSignal {
  const controller = new AbortController();
  const end = (why: string) => controller.abort(new BrowseError("unsupported", `${why} before the tunnel was open`));
  void ended.then(end);
  return controller.signal;
}

interface Door {
  /** What only this listener knows, for the look from outside. */
  probe: string;
  publicHost: () => string | undefined;
  onCall: () => void;
}

async function listen(wire: OpeningOptions["wire"], { probe, publicHost, onCall }: Door): Promise<RpcServer> {
  return await startRpcServer({
    ...wire,
    via: "tunnel",
    port: 0,
    publicHost,
    maxConnections: MAX_CONNECTIONS,
    // Strangers read it: no version to look up faults for, and nothing of the user.
    health: () => ({ status: "ok", protocol: PROTOCOL_VERSION, probe }),
    dispatch: async (...call) => {
      onCall();
      return await wire.dispatch(...call);
    },
  });
}

/** The provider at work, with its processes under the watchdog for as long. */
async function forward(port: number, { provider, watchdog, signal }: OpeningOptions): Promise<Forwarding> {
  const processes: ProcessIdentity[] = [];
  const release = () => {
    for (const process of processes) watchdog.unwatch(process);
  };
  const onProcess = (process: ProcessIdentity) => {
    processes.push(process);
    watchdog.watch(process);
  };
  try {
    const forwarding = await provider.open(port, { signal, onProcess });
    const close = () => forwarding.close().finally(release);
    return { ...forwarding, close };
  } catch (error) {
    release();
    throw error;
  }
}
