/** The way in from outside: opened only where the user has consented, one at a time, and closed when nobody uses it. */

import { BrowseError } from "../../errors.ts";
import type { TunnelConfig } from "../../security/tunnel/config.ts";
import { providerOf } from "../../security/tunnel/provider.ts";
import { type OpeningOptions, type OpenTunnel, openTunnel } from "./open_tunnel.ts";
import type { RpcServer } from "./server.ts";

export interface TunnelPorts extends Pick<OpeningOptions, "wire" | "watchdog" | "reachableWithinMs"> {
  /** What the user's configuration says now. Throws when it cannot be read. */
  config: () => TunnelConfig | undefined;
  publish: (event: { event: "tunnelOpened" | "tunnelClosed" } & Record<string, unknown>) => void;
  log: (level: "info" | "error", message: string, cause?: unknown) => void;
}

export interface TunnelStatus {
  isOpen: boolean;
  /** The origin that agents are given. */
  url?: string;
  provider?: TunnelConfig["provider"];
  /** Of the loopback listener behind it. */
  port?: number;
  /** ISO 8601. */
  openedAt?: string;
  /** It closes after so long without a call. */
  idleMs?: number;
  /** Why the last one closed. */
  closed?: string;
}

interface Opened extends OpenTunnel {
  provider: TunnelConfig["provider"];
  openedAt: string;
}

interface Opening {
  controller: AbortController;
  done: Promise<Opened>;
}

export class Tunnel {
  readonly #ports: TunnelPorts;
  #opening: Opening | undefined;
  #opened: Opened | undefined;
  #closed: string | undefined;

  constructor(ports: TunnelPorts) {
    this.#ports = ports;
  }

  /** Behind the open tunnel; undefined when there is none. */
  get server(): RpcServer | undefined {
    return this.#opened?.server;
  }

  get status(): TunnelStatus {
    const closed = this.#closed === undefined ? {} : { closed: this.#closed };
    if (!this.#opened) return { isOpen: false, ...closed };
    const { url, provider, openedAt, idleMs, server } = this.#opened;
    return { isOpen: true, url, provider, port: server.port, openedAt, idleMs };
  }

  /**
   * Opens the tunnel, or finds it open. Throws `forbidden` without the user's consent, `unsupported` when the provider
   * cannot open it or its address does not lead here.
   */
  async open(signal: AbortSignal): Promise<TunnelStatus> {
    if (this.#opened) return this.status;
    this.#opening ??= this.#begin(consented(this.#ports.config()));
    const { controller, done } = this.#opening;
    const onAborted = () => controller.abort(signal.reason);
    if (signal.aborted) onAborted();
    signal.addEventListener("abort", onAborted, { once: true });
    try {
      await done;
    } finally {
      signal.removeEventListener("abort", onAborted);
    }
    return this.status;
  }

  /** False when there is none. Resolves when nothing of it is left. */
  async close(reason: string): Promise<boolean> {
    this.#opening?.controller.abort(new BrowseError("cancelled", "The tunnel was stopped while it opened"));
    await this.#opening?.done.catch(() => undefined);
    const opened = this.#opened;
    if (!opened) return false;
    this.#opened = undefined;
    this.#closed = reason;
    await opened.close();
    this.#ports.log("info", `The tunnel is closed: ${reason}`);
    this.#ports.publish({ event: "tunnelClosed", reason });
    return true;
  }

  /** The configuration has changed: what is open without consent closes. One that cannot be read is none. */
  async review(): Promise<void> {
    if (!this.#opened) return;
    try {
      consented(this.#ports.config());
    } catch {
      await this.close("Your consent was withdrawn");
    }
  }

  #begin(config: TunnelConfig): Opening {
    const controller = new AbortController();
    const done = this.#openAs(config, controller.signal).finally(() => {
      this.#opening = undefined;
    });
    return { controller, done };
  }

  async #openAs(config: TunnelConfig, signal: AbortSignal): Promise<Opened> {
    const { log, publish } = this.#ports;
    const open = await openTunnel({ ...this.#ports, config, provider: providerOf(config), signal });
    const opened = { ...open, provider: config.provider, openedAt: new Date().toISOString() };
    this.#opened = opened;
    this.#closed = undefined;
    log("info", `The tunnel is open at ${open.url}`);
    publish({ event: "tunnelOpened", url: open.url, provider: config.provider });
    void open.useless
      .then(async (reason) => (this.#opened === opened ? await this.close(reason) : undefined))
      .catch((error: unknown) => log("error", "The tunnel did not close in order", error));
    return opened;
  }
}

function consented(config: TunnelConfig | undefined): TunnelConfig {
  if (config?.consent === true) return config;
  throw new BrowseError("forbidden", "A tunnel makes this browser reachable from outside, and you have not consented", {
    hint: 'Write {"tunnel": {"consent": true, "provider": "ngrok"}} into ~/.browse/config.json',
  });
}
