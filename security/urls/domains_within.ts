/** The hosts that somebody may open who is held to some, and whose lender is held to others. */
import { DomainRules } from "./domain_rules.ts";

/** `[*.]host[:port]`, as in `DomainRules`. */
interface Pattern {
  host: string;
  isBelow: boolean;
  port: string;
}

/**
 * What is in both, of any host where one is absent. Undefined: any host; "none": there is none that is in both. Throws
 * `invalid_params` for what is no host.
 */
export function domainsWithin(
  allowed: DomainRules | undefined,
  wanted: readonly string[] | undefined,
): DomainRules | "none" | undefined {
  if (wanted === undefined) return allowed;
  if (!allowed) return new DomainRules(wanted);
  const theirs = allowed.patterns.map(patternOf);
  const both = wanted.map(patternOf).flatMap((mine) => theirs.flatMap((other) => bothOf(mine, other)));
  return both.length === 0 ? "none" : new DomainRules([...new Set(both)]);
}

/** The pattern of what both of them allow; nothing when there is nothing. */
function bothOf(a: Pattern, b: Pattern): string[] {
  if (a.port !== "" && b.port !== "" && a.port !== b.port) return [];
  const [inner, outer] =
    a.host.length > b.host.length || (a.host.length === b.host.length && a.isBelow) ? [a, b] : [b, a];
  const isCovered = inner.host === outer.host ? inner.isBelow === outer.isBelow : isUnder(inner, outer);
  return isCovered ? [textOf({ ...inner, port: inner.port || outer.port })] : [];
}

function isUnder(inner: Pattern, outer: Pattern): boolean {
  return outer.isBelow && inner.host.endsWith(`.${outer.host}`);
}

function patternOf(text: string): Pattern {
  const typed = text.trim().toLowerCase();
  const port = /:([1-9]\d{0,4})$/.exec(typed)?.[1] ?? "";
  const host = (port === "" ? typed : typed.slice(0, -port.length - 1)).replace(/\.$/, "");
  const isBelow = host.startsWith("*.");
  return { host: isBelow ? host.slice(2) : host, isBelow, port };
}

function textOf({ host, isBelow, port }: Pattern): string {
  return `${isBelow ? "*." : ""}${host}${port && `:${port}`}`;
}
