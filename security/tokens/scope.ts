/** What a token may do. A command needs exactly one of these; a token holds some. */
import { BrowseError } from "../../errors.ts";

export const SCOPES = ["read", "write", "admin", "control", "meta"] as const;
export type Scope = (typeof SCOPES)[number];

/** What a pairing gives when nobody says otherwise: `admin` and `control` only when asked for by name. */
export const PAIRING_SCOPES: readonly Scope[] = ["read", "write", "meta"];

/** The scopes of these names. Throws `invalid_params` for none at all and for one that does not exist. */
export function scopesFrom(names: readonly string[]): ReadonlySet<Scope> {
  if (names.length === 0) throw wrongScope("No scope is named");
  for (const name of names) {
    if (!isScope(name)) throw wrongScope(`There is no scope ${JSON.stringify(name)}`);
  }
  return new Set(names.filter(isScope));
}

function isScope(name: string): name is Scope {
  return (SCOPES as readonly string[]).includes(name);
}

function wrongScope(problem: string): BrowseError {
  return new BrowseError("invalid_params", problem, {
    hint: `Scopes are ${SCOPES.join(", ")}`,
    details: { accepted: SCOPES },
  });
}
