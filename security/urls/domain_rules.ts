/** The hosts that a token is limited to. */
import { domainToASCII } from "node:url";
import { BrowseError } from "../../errors.ts";

/** Larger lists are somebody's mistake. */
const MAX_PATTERNS = 100;
const LABELS = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const PORT = /^(.*):([1-9]\d{0,4})$/s;

interface Rule {
  host: string;
  /** Every host below `host`, and not `host` itself. */
  below: boolean;
  /** Any when absent. */
  port?: string;
}

/**
 * `example.com` is that one host, `*.example.com` each host below it and not itself, `localhost:3000` one port of a
 * host. Nothing means everything: a rule that does not parse is an error, and an address that does not parse is denied.
 */
export class DomainRules {
  readonly patterns: readonly string[];
  readonly #rules: readonly Rule[];

  /** Throws `invalid_params` for an empty list, and for what is no host. */
  constructor(patterns: readonly string[]) {
    if (patterns.length === 0) throw wrongDomain("No domain is named");
    if (patterns.length > MAX_PATTERNS) throw wrongDomain(`More than ${MAX_PATTERNS} domains are named`);
    this.patterns = [...patterns];
    this.#rules = patterns.map(ruleFrom);
  }

  /** May a document come from this address? */
  allows(url: string): boolean {
    const parsed = URL.parse(url);
    if (parsed === null || parsed.hostname === "") return false;
    const name = withoutTrailingDot(parsed.hostname);
    const port = parsed.port === "" ? defaultPort(parsed.protocol) : parsed.port;
    return this.#rules.some(
      (rule) =>
        (rule.below ? name.endsWith(`.${rule.host}`) : name === rule.host) &&
        (rule.port === undefined || rule.port === port),
    );
  }
}

function ruleFrom(pattern: string): Rule {
  const typed = pattern.trim().toLowerCase();
  const [, beforePort = typed, port] = PORT.exec(typed) ?? [];
  const below = beforePort.startsWith("*.");
  const host = hostOf(below ? beforePort.slice(2) : beforePort);
  if (host === undefined || (below && /^[\d.]+$|^\[/.test(host)) || Number(port ?? 1) > 65_535) {
    throw wrongDomain(`${JSON.stringify(pattern)} is not a domain`);
  }
  return { host, below, ...(port !== undefined && { port }) };
}

/** The host as URLs have it, or undefined for what is none. */
export function hostOf(text: string): string | undefined {
  const name = withoutTrailingDot(text);
  if (/^\[[0-9a-f:.]+\]$/.test(name)) return URL.parse(`http://${name}/`)?.hostname;
  // Of what looks like an address it would take the host, and forget the rest.
  if (/[/\\?#@:]/.test(name)) return undefined;
  const ascii = domainToASCII(name);
  return LABELS.test(ascii) ? URL.parse(`http://${ascii}/`)?.hostname : undefined;
}

function withoutTrailingDot(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}

function defaultPort(protocol: string): string {
  return protocol === "https:" || protocol === "wss:" ? "443" : "80";
}

function wrongDomain(problem: string): BrowseError {
  return new BrowseError("invalid_params", problem, {
    hint: "Write hosts such as example.com, *.example.com for all below it, or localhost:3000",
  });
}
