/** Tokens of one family count as one: those that an agent lent, what these lent on, and the runs of skills of them all. */
import type { Token } from "./token.ts";

/** The token that all others of the family come of. */
export interface FamilyHead {
  readonly id: string;
  readonly name: string;
}

/** What the user lends begins a family of its own. */
export function headOf({ head, id, name }: Pick<Token, "head" | "id" | "name">): FamilyHead {
  return head ?? { id, name };
}

/** Of a token that `by` lends. */
export function lentOf(by: Token | undefined): Pick<Token, "lentBy" | "head"> {
  return by === undefined || by.kind === "root" ? {} : { lentBy: by.id, head: headOf(by) };
}

export function areOfOneFamily(one: Token, other: Token): boolean {
  return headOf(one).id === headOf(other).id;
}
