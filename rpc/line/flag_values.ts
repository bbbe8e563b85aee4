/** Typed text as the value a param takes. */
import { BrowseError } from "../../errors.ts";
import type { ParamSyntax, ValueKind } from "./syntax.ts";

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const WHOLE_NUMBER = /^[+-]?\d+$/;

const KIND_WORDS: Record<ValueKind, string> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  json: "JSON",
};

/** The value that `text` stands for. Throws `invalid_params`, naming the param as `label`. */
export function valueFrom(text: string, param: ParamSyntax, label: string): unknown {
  const value = param.choices
    ? param.choices.find((choice) => String(choice) === text)
    : firstDefined(
        CONVERSIONS.filter(([kind]) => param.kinds.has(kind)).map(
          ([, convert]) =>
            () =>
              convert(text),
        ),
      );
  if (value !== undefined) return value;
  throw new BrowseError("invalid_params", `${label} takes ${acceptedBy(param)}, not ${shown(text)}`, {
    ...(param.choices && { hint: `Use one of ${param.choices.join(", ")}` }),
    details: { flag: param.flag, param: param.name },
  });
}

/** `a whole number`, `one of load, dom, idle`. */
export function acceptedBy(param: ParamSyntax): string {
  if (param.accepts !== undefined) return param.accepts;
  if (param.choices?.length === 1) return `only ${param.choices[0]}`;
  if (param.choices) return `one of ${param.choices.join(", ")}`;
  return [...param.kinds].map((kind) => KIND_WORDS[kind]).join(" or ");
}

/** From the narrowest kind to the widest; each gives undefined for text that is not of its kind. */
const CONVERSIONS: readonly [ValueKind, (text: string) => unknown][] = [
  ["boolean", (text) => (text === "true" ? true : text === "false" ? false : undefined)],
  ["integer", (text) => (WHOLE_NUMBER.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined)],
  ["number", (text) => (NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined)],
  ["json", parseJson],
  ["string", (text) => text],
];

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // A bare word, number or null is text where text is taken, and wrong where an object is.
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function firstDefined(attempts: readonly (() => unknown)[]): unknown {
  for (const attempt of attempts) {
    const value = attempt();
    if (value !== undefined) return value;
  }
  return undefined;
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
