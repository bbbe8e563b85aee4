/** A person's yes to a skill that a repository may have brought along, before it is given anything. */
import { BrowseError, toBrowseError } from "../../errors.ts";
import { asksFirst, doubtsAbout, type Skill } from "../../skills/skill.ts";
import type { BaseContext } from "../context.ts";

/** Throws `confirmation_required` where nobody is at the user's terminal, and `forbidden` for a no. */
export async function agreedToRun({ agree, daemon }: BaseContext, skill: Skill): Promise<void> {
  const { name, hash, trusted } = skill;
  const doubt = doubtOf(skill);
  if (doubt === undefined) return;
  try {
    await agree({ shown: `${doubt}\n  content: ${hash}`, question: "Run it?", whole: hash });
  } catch (thrown) {
    throw toldOf(doubt, name, toBrowseError(thrown));
  }
  // Where its actions are asked for one by one, it is they that a person approves.
  if (!asksFirst(skill)) await daemon.skills.store.trust.agree(hash, name, { trusted, approved: true });
}

/** Why a person has to agree to it first, in a sentence; undefined where nobody has to. */
export function doubtOf(skill: Skill): string | undefined {
  const doubts = doubtsAbout(skill);
  return doubts.length === 0 ? undefined : `The project's skill "${skill.name}" ${doubts.join(", and ")}`;
}

function toldOf(doubt: string, name: string, error: BrowseError): BrowseError {
  const { kind, details } = error;
  const isUnasked = details.terminal === false;
  if (kind !== "confirmation_required" && !isUnasked) return error;
  const otherwise = isUnasked
    ? ""
    : `, or \`browse confirm ${details.confirmation}\` with another token within a minute`;
  return new BrowseError("confirmation_required", `${doubt}: a person must agree to it first`, {
    hint: `A person runs \`browse skill trust ${name}\` at a terminal${otherwise}; then make the same call again`,
    details,
  });
}
