/** Whatever makes a port of this machine reachable from outside. */
import type { ProcessIdentity } from "../process/process_identity.ts";
import { commandProvider } from "./command_provider.ts";
import type { TunnelConfig } from "./config.ts";
import { ngrokProvider } from "./ngrok_provider.ts";

export interface TunnelProvider {
  /** Forwards to the port. Rejects with `unsupported`, and with the signal's reason; nothing is left running then. */
  open(port: number, options: OpenOptions): Promise<Forwarding>;
}

export interface OpenOptions {
  signal: AbortSignal;
  /** Told of a process that must not outlive the daemon. */
  onProcess: (process: ProcessIdentity) => void;
}

export interface Forwarding {
  /** Where the port is reachable, as an origin: `https://a1b2.example`. */
  url: string;
  /** Resolves, with the reason, when the provider ends by itself. */
  ended: Promise<string>;
  close(): Promise<void>;
}

export function providerOf(config: TunnelConfig): TunnelProvider {
  switch (config.provider) {
    case "ngrok":
      return ngrokProvider(config);
    case "command":
      return commandProvider(config);
    case "none":
      return onThisMachine;
  }
}

/** Forwards nothing: for agents on this machine that are to have no more than remote ones, and for tests. */
const onThisMachine: TunnelProvider = {
  open: async (port) => ({
    url: `http://127.0.0.1:${port}`,
    ended: new Promise(() => {}),
    close: async () => {},
  }),
};
