/** What a skill is given: what was typed for it, held against what its manifest declares. */
import { BrowseError } from "../../errors.ts";
import { suggestion } from "../../wording.ts";
import type { Skill, SkillManifest } from "../skill.ts";

/** Characters of one. */
const MAX_VALUE = 100_000;

type SkillArg = SkillManifest["args"][number];
type Value = string | number | boolean;

/** `words` are `name=value`. Throws `invalid_params` for what is missing, unknown, given twice, or no value. */
export function argumentsFrom({ name: skill, manifest }: Skill, words: readonly string[]): Record<string, Value> {
  const given = new Map<string, Value>();
  for (const word of words) {
    const [name, text] = parted(word);
    const declared = manifest.args.find((arg) => arg.name === name);
    if (!declared) throw unknown(skill, name, manifest.args);
    if (given.has(name)) throw wrong(skill, `The argument "${name}" is given twice`, name);
    if (text.length > MAX_VALUE) throw wrong(skill, `The argument "${name}" has over ${MAX_VALUE} characters`, name);
    given.set(name, typedAs(skill, declared, text));
  }
  for (const { name, required, default: fallback } of manifest.args) {
    if (given.has(name)) continue;
    if (required) throw wrong(skill, `The argument "${name}" is missing`, name);
    if (fallback !== undefined) given.set(name, fallback);
  }
  return Object.fromEntries(given);
}

/**
 * The same of an object, beside words of which it may give others. Throws `invalid_params` for values that are no text, number or
 * truth value.
 */
export function argumentsOf(
  skill: Skill,
  words: readonly string[],
  given: Readonly<Record<string, unknown>>,
): Record<string, Value> {
  const own = Object.entries(given).map(([name, value]) => {
    if (typeof value === "object" || value === undefined) {
      throw wrong(
        skill.name,
        `The argument ${JSON.stringify(name)} is neither text nor a number nor a truth value`,
        name,
      );
    }
    return `${name}=${value}`;
  });
  const others = words.filter((word) => !Object.hasOwn(given, parted(word)[0]));
  return argumentsFrom(skill, [...others, ...own]);
}

function parted(word: string): [name: string, value: string] {
  const at = word.indexOf("=");
  if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
  throw new BrowseError(
    "invalid_params",
    `An argument is written name=value, not ${JSON.stringify(word.slice(0, 100))}`,
    {
      hint: "For example: --arg query=lamps",
      details: { param: "arg" },
    },
  );
}

/** What is declared with a number or a truth value as its default is one. */
function typedAs(skill: string, { name, default: fallback }: SkillArg, text: string): Value {
  if (typeof fallback === "number") {
    const value = Number(text);
    if (text.trim() === "" || !Number.isFinite(value))
      throw wrong(skill, `The argument "${name}" must be a number`, name);
    return value;
  }
  if (typeof fallback !== "boolean") return text;
  if (text === "true" || text === "false") return text === "true";
  throw wrong(skill, `The argument "${name}" must be true or false`, name);
}

function unknown(skill: string, name: string, args: readonly SkillArg[]): BrowseError {
  const known = args.map((arg) => arg.name);
  const shown = name.slice(0, 100);
  return wrong(
    skill,
    `The skill "${skill}" has no argument ${JSON.stringify(shown)}${suggestion(shown, known)}`,
    shown,
  );
}

function wrong(skill: string, message: string, argument: string): BrowseError {
  return new BrowseError("invalid_params", message, {
    hint: `\`browse skill show ${skill}\` lists what it takes`,
    details: { param: "arg", argument },
  });
}
