/** Both sockets in front of a real dispatch, and a site that pages and agents are led to by names. */
import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import { Gate } from "../harness/gate.ts";
import { Site } from "../harness/site.ts";
import { startWire, type Wire } from "../rpc/wire/wire.ts";

export const METADATA = "169.254.169.254";
export const ROOT = "the-root-token";

const lookup = dns.lookup;

export class WaysIn implements AsyncDisposable {
  readonly gate: Gate;
  readonly site: Site;
  readonly tunnel: Wire;
  readonly local: Wire;
  /** The site by a name that is public as far as anyone can tell. */
  readonly home: string;
  #recorded = 0;
  #published = 0;

  private constructor(gate: Gate, site: Site, wires: { tunnel: Wire; local: Wire }) {
    this.gate = gate;
    this.site = site;
    this.tunnel = wires.tunnel;
    this.local = wires.local;
    this.home = `http://home.example:${new URL(site.url).port}`;
  }

  static async open(): Promise<WaysIn> {
    leadNames();
    const gate = await Gate.open(["--host-resolver-rules=MAP *.example 127.0.0.1"]);
    gate.tokens.add(ROOT, gate.root);
    const shared = {
      tokens: gate.tokens,
      dispatch: gate.dispatcher.call.bind(gate.dispatcher),
      recordDenial: (denial: Gate["denials"][number]) => void gate.denials.push(denial),
    };
    const tunnel = await startWire({ ...shared, via: "tunnel" });
    const local = await startWire({ ...shared, via: "local" });
    const site = await Site.serve({ "/": "<title>Home</title><button>Buy</button>", "/blank": "" });
    return new WaysIn(gate, site, { tunnel, local });
  }

  /** What was recorded and told before counts no more. */
  forget(): void {
    this.#recorded = this.gate.denials.length;
    this.#published = this.gate.published.length;
  }

  /** The denials since, each with the command that was called. */
  recorded() {
    return this.gate.denials.slice(this.#recorded).map(({ reason, command }) => [reason, command]);
  }

  /** What has been told of them. */
  messages() {
    const published = this.gate.published.slice(this.#published);
    return published.flatMap(({ data }) => (data.event === "denied" ? [data.message] : []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    dns.lookup = lookup;
    syncBuiltinESMExports();
    await this.tunnel[Symbol.asyncDispose]();
    await this.local[Symbol.asyncDispose]();
    await this.gate[Symbol.asyncDispose]();
    await this.site[Symbol.asyncDispose]();
  }
}

/** The names lead to the site; one of them to the metadata service, as its owner would have it. */
function leadNames(): void {
  dns.lookup = (async (host: string, options: object) => {
    if (host === "rebound.example") return [{ address: METADATA, family: 4 }];
    return host.endsWith(".example") ? [{ address: "203.0.113.7", family: 4 }] : await lookup(host, options);
  }) as typeof dns.lookup;
  syncBuiltinESMExports();
}
