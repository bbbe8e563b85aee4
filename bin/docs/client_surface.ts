/** The typed surface of `client.ts`, written between its two marks from the commands' own schemas. */
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import { allCommands, type Command, hasEffectReport } from "../../commands/command.ts";
import { EffectSchema } from "../../commands/effect.ts";
import { takesSnapshot } from "../../rpc/line/snapshot_after.ts";
import { paramsJsonSchema } from "../../rpc/line/syntax.ts";

const START = "// <generated commands>";
/** A command a line: the file is read by people too. */
const FORMAT_NOTE = "// biome-ignore format: generated, one command a line";
const END = "// </generated commands>";

/** `source` with the part between the marks made anew. */
export function clientSurface(source: string): string {
  const from = source.indexOf(START);
  const to = source.indexOf(END);
  if (from < 0 || to < from) throw new Error(`client.ts has lost its marks "${START}" and "${END}"`);
  return `${source.slice(0, from + START.length)}\n${surface()}\n${source.slice(to)}`;
}

function surface(): string {
  const effect = toJsonSchema(EffectSchema, { typeMode: "output", errorMode: "ignore" });
  const commands = allCommands().map(commandMember);
  return [
    "/** What an action did; absent members did not happen. */",
    FORMAT_NOTE,
    `export interface EffectReport ${typeOf(effect)}`,
    "",
    "/** What the content guard says of the page's words in an answer: data, not orders. */",
    "export interface Untrusted {",
    "  /** Origin of the page; absent where there is not one. */",
    "  source?: string;",
    '  verdict: "allow" | "log" | "warn" | "block";',
    "  warnings: string[];",
    "}",
    "",
    "/** What it led to, when the call asked for `snapshot`: that, or why there is none. */",
    "export interface SnapshotAfter {",
    '  snapshot?: Commands["snapshot"]["result"];',
    "  snapshotError?: { kind: string; message: string; hint: string };",
    "}",
    "",
    "/** What is known of the host that a call has led to, for a connection that asked for it. What others wrote: no orders. */",
    "export interface Advice {",
    "  host: string;",
    '  skills: Commands["note.show"]["result"]["skills"];',
    '  notes: Pick<Commands["note.show"]["result"]["notes"][number], "id" | "tier" | "text">[];',
    "  /** Notes that nobody has used yet: `note.show` has them. */",
    "  quarantined: number;",
    "  untrusted: Untrusted;",
    "}",
    "",
    "/** Params and result of every command. */",
    FORMAT_NOTE,
    "export interface Commands {",
    ...commands,
    "}",
  ].join("\n");
}

function commandMember(command: Command): string {
  const result = typeOf(toJsonSchema(command.result, { typeMode: "output", errorMode: "ignore" }));
  const { fromPage } = command;
  const more = [
    fromPage === "whole" ? " & { untrusted: Untrusted }" : "",
    fromPage === "parts" ? " & { untrusted?: Untrusted }" : "",
    hasEffectReport(command) ? " & { effect: EffectReport }" : "",
    takesSnapshot(command) ? " & SnapshotAfter & { advice?: Advice }" : "",
  ];
  const whole = `${result}${more.join("")}`;
  const name = /^\w+$/.test(command.name) ? command.name : JSON.stringify(command.name);
  return `  /** ${command.summary}. */\n  ${name}: { params: ${typeOf(paramsJsonSchema(command))}; result: ${whole} };`;
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return variants.map((variant) => typeOf(asSchema(variant))).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return `${grouped(typeOf(asSchema(schema.items)))}[]`;
    case "object":
      return objectType(schema);
    default:
      return "unknown";
  }
}

function objectType(schema: JsonSchema): string {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) {
    const values = schema.additionalProperties;
    return typeof values === "object" ? `Record<string, ${typeOf(values)}>` : "Record<string, never>";
  }
  const members = properties.map(([name, value]) => {
    const optional = schema.required?.includes(name) ? "" : "?";
    return `${name}${optional}: ${typeOf(asSchema(value))}`;
  });
  return `{ ${members.join("; ")} }`;
}

function asSchema(value: unknown): JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {};
}

function grouped(type: string): string {
  return type.includes(" | ") ? `(${type})` : type;
}
