/**
 * The ways into the daemon: the listener for this machine, the tunnel for paired agents elsewhere, the tokens that open
 * them, and the record of who was refused.
 */
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { findCommand } from "../../commands/command.ts";
import type {
  Agent,
  Authority,
  DenialLine,
  Pairing,
  PairOptions,
  PairRequest,
  RemoteAccess,
  WaitingKey,
} from "../../commands/remote_access.ts";
import { BrowseError, ERROR_KINDS } from "../../errors.ts";
import { lentFolders } from "../../security/files/lent_folders.ts";
import { Canaries } from "../../security/secrets/canaries.ts";
import { type Denial, DenialLog, type RecordDenial } from "../../security/tokens/denials.ts";
import { grantFrom } from "../../security/tokens/grant.ts";
import { assertWithin } from "../../security/tokens/grant_within.ts";
import { rootToken, TokenRegistry } from "../../security/tokens/token.ts";
import type { JournalEntry } from "../events/journal.ts";
import { helpNamed, helpOverview } from "../line/help.ts";
import { openRpcDocument } from "../methods/openrpc.ts";
import { type CliExecPorts, makeCliExec } from "../methods/run_command_line.ts";
import { type Channel, type ChannelOptions, type RpcServer, type RpcServerOptions, startRpcServer } from "./server.ts";
import { Tunnel, type TunnelPorts, type TunnelStatus } from "./tunnel.ts";

export interface ListenersOptions
  extends Pick<TunnelPorts, "watchdog">,
    Pick<CliExecPorts, "checkLaunch">,
    Pick<RpcServerOptions, "version" | "hub" | "owns" | "currentTab" | "adviceFor" | "dispatch" | "handover" | "log"> {
  stateDir: string;
  /** The user's own state. */
  home: string;
  /** Readies tabs for others: of where they have been, nothing is left. Throws `tab_gone` for one that is not open. */
  lendTabs: (ids: Iterable<string>, signal: AbortSignal) => Promise<void>;
  /** Writes down who did not even come to make a call. */
  journal: (entry: JournalEntry) => void;
  /** What the user says about tunnels now. Throws when that cannot be read. */
  tunnelConfig: TunnelPorts["config"];
}

export class Listeners implements RemoteAccess {
  readonly tokens = new TokenRegistry();
  readonly canaries = new Canaries();
  readonly recordDenial: RecordDenial;
  readonly #options: ListenersOptions;
  readonly #wire: TunnelPorts["wire"];
  readonly #denials: DenialLog;
  readonly #tunnel: Tunnel;
  #local: RpcServer | undefined;
  #unnamed = 0;

  constructor(options: ListenersOptions) {
    const { hub, log, version } = options;
    this.#options = options;
    this.#denials = new DenialLog({
      dir: join(options.home, "security"),
      isCommand: (name) => findCommand(name) !== undefined,
      onError: (error) => log("error", "Cannot write down what was refused", error),
    });
    this.recordDenial = this.#denials.record;
    this.#wire = {
      ...options,
      tokens: this.tokens,
      cliExec: makeCliExec({ ...options, helpFor: helpNamed, helpOverview }),
      openRpc: (via) => openRpcDocument(version, via),
      canaryFor: (token) => this.canaries.issue(token),
      recordDenial: (denial) => this.#tellOf(denial),
    };
    this.#tunnel = new Tunnel({
      config: options.tunnelConfig,
      watchdog: options.watchdog,
      wire: this.#wire,
      log,
      publish: (event) => hub.publish("security", event),
    });
    this.tokens.onRevoked((token) => {
      this.#local?.drop(token);
      this.#tunnel.server?.drop(token);
      this.canaries.end(token);
    });
  }

  get port(): number {
    return this.#local?.port ?? 0;
  }

  get connectionCount(): number {
    return (this.#local?.connectionCount ?? 0) + (this.#tunnel.server?.connectionCount ?? 0);
  }

  get runningCalls(): number {
    return (this.#local?.runningCalls ?? 0) + (this.#tunnel.server?.runningCalls ?? 0);
  }

  /** An idle daemon is to go on: something runs, or somebody outside was promised that it will. */
  get isBusy(): boolean {
    return this.runningCalls > 0 || this.#tunnel.server !== undefined;
  }

  get denialCount(): number {
    return this.#denials.count;
  }

  /** Opens the local door to the holder of `secret`, who may do everything. */
  async listen(secret: string, local: Pick<RpcServerOptions, "port" | "health">): Promise<void> {
    this.tokens.add(secret, rootToken());
    this.#local = await startRpcServer({ ...this.#wire, ...local, via: "local" });
  }

  /** Both doors, once what runs behind them has answered. */
  async close(): Promise<void> {
    await Promise.all([this.#tunnel.close("The daemon ended"), this.#local?.close()]);
    this.#denials.flush();
  }

  /**
   * Takes the channel to a process of ours as a connection to the local door, whose calls are made with the token. Throws
   * `cancelled` when the daemon is ending.
   */
  attach(stream: Duplex, channel: ChannelOptions): Channel {
    if (this.#local) return this.#local.attach(stream, channel);
    throw new BrowseError("cancelled", "The daemon takes no calls");
  }

  async pair({ files, ...named }: PairRequest, { by, cwd, signal }: PairOptions): Promise<Pairing> {
    const { stateDir, home: homeStateDir } = this.#options;
    const fileRoots = files && lentFolders(files, { cwd, stateDir, homeStateDir });
    const request = { ...named, name: named.name ?? this.#newName(), ...(fileRoots && { fileRoots }) };
    // What is wrong with the request is said before anything is opened or revoked.
    const wanted = grantFrom(request);
    assertWithin(wanted, by);
    // An id that nobody has yet would lend whatever tab gets it.
    await this.#options.lendTabs(wanted.shared, signal);
    const { isTunnelled } = wanted;
    if (isTunnelled) await this.openTunnel(signal);
    const { key, expiresAt, grant, revoked } = this.tokens.issuePairingKey(request, by);
    return {
      ...authorityOf(grant),
      perSecond: grant.perSecond,
      key,
      keyExpiresAt: new Date(expiresAt).toISOString(),
      ttlMs: grant.ttlMs,
      url: (isTunnelled ? this.#tunnel.status.url : undefined) ?? `http://127.0.0.1:${this.port}`,
      isNarrowed: revoked !== undefined,
    };
  }

  agents(): Agent[] {
    return this.tokens.clients().map((token) => ({
      ...authorityOf(token),
      ...(token.rate && { perSecond: token.rate.perSecond }),
      ...(token.expiresAt !== undefined && { expiresAt: new Date(token.expiresAt).toISOString() }),
    }));
  }

  waiting(): WaitingKey[] {
    return this.tokens
      .waiting()
      .map(({ name, expiresAt }) => ({ name, keyExpiresAt: new Date(expiresAt).toISOString() }));
  }

  unpair(name: string): boolean {
    return this.tokens.revoke(name);
  }

  async openTunnel(signal: AbortSignal): Promise<TunnelStatus> {
    return await this.#tunnel.open(signal);
  }

  async closeTunnel(): Promise<boolean> {
    return await this.#tunnel.close("It was stopped");
  }

  /** The user's configuration has changed. */
  async reviewTunnel(): Promise<void> {
    await this.#tunnel.review();
  }

  tunnel(): TunnelStatus {
    return this.#tunnel.status;
  }

  denials(last: number): DenialLine[] {
    return this.#denials.read(last);
  }

  /** Of calls, dispatch tells; here it is those who did not come that far. */
  #tellOf(denial: Denial): void {
    const entry = this.#denials.record(denial);
    if (!entry) return;
    const { time, reason, command } = entry;
    const { hub, journal } = this.#options;
    hub.publish("security", { event: "denied", reason, command });
    const outcome = reason in ERROR_KINDS ? reason : "unauthorized";
    const nobody = { client: "unknown", by: "unknown" };
    journal({ time, command, params: {}, ...nobody, outcome, refused: `Refused at the door: ${reason}`, ms: 0 });
  }

  #newName(): string {
    const taken = new Set(this.tokens.clients().map(({ name }) => name));
    while (taken.has(`agent-${++this.#unnamed}`));
    return `agent-${this.#unnamed}`;
  }
}

interface Held {
  name: string;
  scopes: ReadonlySet<string>;
  tabs: "own" | "all";
  shared: ReadonlySet<string>;
  domains?: { readonly patterns: readonly string[] };
  privateGranted: boolean;
  fileRoots?: readonly string[];
  isTunnelled?: boolean;
}

function authorityOf({ name, scopes, tabs, shared, domains, privateGranted, ...held }: Held): Authority {
  return {
    name,
    scopes: [...scopes],
    tabs,
    shared: [...shared],
    ...(domains && { domains: [...domains.patterns] }),
    isPrivateGranted: privateGranted,
    files: [...(held.fileRoots ?? [])],
    isTunnelled: held.isTunnelled === true,
  };
}
