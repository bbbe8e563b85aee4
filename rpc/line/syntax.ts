/** How a command is typed, from its own schema: flags, arguments, and what kind of value each takes. */
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type { Command } from "../../commands/command.ts";

/** What a value may be; one param may take several kinds. `json` is any other value, typed as JSON. */
export type ValueKind = "string" | "number" | "integer" | "boolean" | "json";

export interface ParamSyntax {
  name: string;
  /** `--new-tab` */
  flag: string;
  /** One letter, without the dash. */
  short?: string;
  /** How errors and usage name it: `<target>` when it is taken by position, else its flag. */
  label: string;
  isPositional: boolean;
  /** Takes every further position. */
  isRest: boolean;
  isRequired: boolean;
  /** A list: its flag may be repeated. */
  isList: boolean;
  kinds: ReadonlySet<ValueKind>;
  /** What it takes, where its kinds say too little: `a tab id such as t3`. */
  accepts?: string;
  /** The only values it takes, when they are listed. */
  choices?: readonly (string | number | boolean)[];
  description?: string;
}

export interface Syntax {
  /** By param name, positional ones first and in their order. */
  params: ReadonlyMap<string, ParamSyntax>;
  /** By flag, dashes included, short ones too. */
  flags: ReadonlyMap<string, ParamSyntax>;
  positional: readonly ParamSyntax[];
  rest?: ParamSyntax;
}

const cache = new WeakMap<Command, Syntax>();

/** The command's syntax; made once. */
export function syntaxOf(command: Command): Syntax {
  const known = cache.get(command);
  if (known) return known;
  const made = makeSyntax(command);
  cache.set(command, made);
  return made;
}

/** `browse click <target> [--double] [--modifiers <text>…]` */
export function usageOf(command: Command): string {
  const { params } = syntaxOf(command);
  const parts = [...params.values()].map((param) => {
    const dots = param.isRest || (param.isPositional && param.isList) ? "…" : "";
    const part = param.isPositional ? `<${flagName(param.name)}${dots && "…"}>` : flagUsage(param);
    return param.isRequired ? part : `[${part}]`;
  });
  return ["browse", command.spelling, ...parts].join(" ");
}

/** The JSON Schema of what a caller passes. */
export function paramsJsonSchema(command: Command): JsonSchema {
  return toJsonSchema(command.params, { typeMode: "input", errorMode: "ignore", ignoreActions: ["metadata"] });
}

/** `newTab` as `new-tab`. */
function flagName(param: string): string {
  return param.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function makeSyntax(command: Command): Syntax {
  const schema = paramsJsonSchema(command);
  const { positional = [], rest } = command.cli ?? {};
  const byPosition = rest === undefined ? positional : [...positional, rest];
  const properties = schema.properties ?? {};
  const names = [...byPosition, ...Object.keys(properties).filter((name) => !byPosition.includes(name))];
  const params = new Map<string, ParamSyntax>();
  const flags = new Map<string, ParamSyntax>();
  for (const name of names) {
    const property = properties[name];
    if (typeof property !== "object")
      throw new Error(`"${command.name}" has no param "${name}", which its syntax names`);
    const param = makeParam(command, name, property, schema.required?.includes(name) ?? false);
    params.set(name, param);
    flags.set(param.flag, param);
    if (param.short !== undefined) flags.set(`-${param.short}`, param);
  }
  const taken = [...params.values()];
  const restParam = taken.find((param) => param.isRest);
  return {
    params,
    flags,
    positional: taken.filter((param) => param.isPositional && !param.isRest),
    ...(restParam && { rest: restParam }),
  };
}

function makeParam(command: Command, name: string, property: JsonSchema, isRequired: boolean): ParamSyntax {
  const { positional = [], rest, short = {}, flags = {} } = command.cli ?? {};
  const flag = `--${flagName(flags[name] ?? name)}`;
  const isRest = rest === name;
  const isPositional = isRest || positional.includes(name);
  const variants = variantsOf(property);
  // What may be an object as well as a list is typed as JSON, whichever of them it is.
  const isJson = variants.some((variant) => variant.type === "object");
  const lists = isJson ? [] : variants.filter((variant) => variant.type === "array" && isSchema(variant.items));
  const values = lists
    .flatMap((variant) => variantsOf(variant.items as JsonSchema))
    .concat(variants.filter((variant) => !lists.includes(variant)));
  const choices = choicesOf(values);
  const letter = short[name];
  return {
    name,
    flag,
    label: isPositional ? `<${flagName(name)}>` : flag,
    isPositional,
    isRest,
    isRequired,
    isList: lists.length > 0,
    kinds: new Set(values.map(kindOf)),
    ...(letter !== undefined && { short: letter }),
    ...(choices && { choices }),
    ...(property.description !== undefined && { description: property.description }),
  };
}

function isSchema(items: unknown): items is JsonSchema {
  return typeof items === "object" && items !== null && !Array.isArray(items);
}

/** The alternatives of a schema, null left out: a command line has no way to type it. */
function variantsOf(schema: JsonSchema): JsonSchema[] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (!alternatives) return schema.type === "null" ? [] : [schema];
  return alternatives.flatMap((variant) => (typeof variant === "object" ? variantsOf(variant) : []));
}

function kindOf(schema: JsonSchema): ValueKind {
  const example = schema.const ?? schema.enum?.[0];
  const type = schema.type ?? (example === undefined ? undefined : typeof example);
  return type === "string" || type === "number" || type === "integer" || type === "boolean" ? type : "json";
}

function choicesOf(values: readonly JsonSchema[]): (string | number | boolean)[] | undefined {
  const listed = values.map((schema) => schema.enum ?? (schema.const === undefined ? undefined : [schema.const]));
  if (values.length === 0 || listed.some((choices) => choices === undefined)) return undefined;
  return listed.flat().filter((choice) => ["string", "number", "boolean"].includes(typeof choice)) as string[];
}

function flagUsage(param: ParamSyntax): string {
  if (param.kinds.has("boolean") && param.kinds.size === 1) return param.flag;
  const value = param.choices ? param.choices.join("|") : `<${[...param.kinds].join("|")}>`;
  const dots = param.isList ? "…" : "";
  return param.kinds.has("boolean") ? `${param.flag}[=${value}]` : `${param.flag} ${value}${dots}`;
}
