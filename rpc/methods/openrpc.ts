/** The OpenRPC document of the daemon, made from the registry. https://spec.open-rpc.org */
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import { allCommands, type Command, findCommand, hasEffectReport } from "../../commands/command.ts";
import { ERROR_KINDS, type ErrorKind } from "../../errors.ts";
import { splitWords } from "../../wording.ts";
import type { Caller } from "../gate/call.ts";
import { parseArgv } from "../line/argv.ts";
import { takesSnapshot } from "../line/snapshot_after.ts";
import { paramsJsonSchema } from "../line/syntax.ts";
import { Globals, GlobalsOfAll, GlobalsOfTabs } from "./command_globals.ts";
import { allMethods, findMethod, type MethodSchema, type ProtocolMethod } from "./method.ts";
import "./mod.ts";

/** The version of the OpenRPC specification, not ours. */
const OPENRPC_VERSION = "1.3.2";

/** The document of all methods, or of those that a remote agent can call. `version` is the daemon's. */
export function openRpcDocument(version: string, via: Caller["via"] = "local"): Record<string, unknown> {
  const isOffered = (name: string) => via === "local" || findMethod(name)?.remote || isRemote(name);
  return {
    openrpc: OPENRPC_VERSION,
    info: { title: "browse", version, license: { name: "MIT" } },
    methods: [...allCommands().map(commandMethod), ...allMethods().map(protocolMethod)].filter(({ name }) =>
      isOffered(String(name)),
    ),
    components: { errors: Object.fromEntries(ERROR_NAMES.map((kind) => [kind, errorObject(kind)])) },
  };
}

function isRemote(name: string): boolean {
  const { remote = false } = findCommand(name) ?? {};
  return remote !== false;
}

const ERROR_NAMES = Object.keys(ERROR_KINDS) as ErrorKind[];

function commandMethod(command: Command): Record<string, unknown> {
  const globals = globalsOf(command);
  const descriptors = [...descriptorsOf(paramsJsonSchema(command)), ...descriptorsOf(jsonSchemaOf(globals))];
  const examples = command.examples.flatMap((line) => exampleOf(command, line));
  return {
    name: command.name,
    summary: command.summary,
    ...(command.description !== undefined && { description: command.description }),
    tags: [{ name: command.category }],
    paramStructure: "by-name",
    // Required params come first, as OpenRPC asks.
    params: descriptors.sort((a, b) => Number(b.required) - Number(a.required)),
    result: { name: `${command.name} result`, schema: resultSchemaOf(command) },
    errors: errorsOf(command).map((kind) => ({ $ref: `#/components/errors/${kind}` })),
    ...(examples.length > 0 && { examples }),
    "x-scope": command.scope,
    "x-effect": command.effect,
    "x-retry-safe": command.effect === "none" && (command.raises ?? []).every(({ effect }) => effect === "none"),
  };
}

function globalsOf(command: Command): MethodSchema {
  if (hasEffectReport(command)) return Globals;
  return takesSnapshot(command) ? GlobalsOfTabs : GlobalsOfAll;
}

function protocolMethod({ name, summary, params, retrySafe }: ProtocolMethod): Record<string, unknown> {
  return {
    name,
    summary,
    tags: [{ name: "protocol" }],
    paramStructure: "by-name",
    params: descriptorsOf(jsonSchemaOf(params)),
    result: { name: `${name} result`, schema: { type: "object" } },
    "x-retry-safe": retrySafe,
  };
}

interface ContentDescriptor {
  name: string;
  description?: string;
  required: boolean;
  schema: JsonSchema | boolean;
}

function descriptorsOf({ properties = {}, required = [] }: JsonSchema): ContentDescriptor[] {
  return Object.entries(properties).map(([name, schema]) => {
    const description = typeof schema === "object" ? schema.description : undefined;
    return {
      name,
      ...(description !== undefined && { description }),
      required: required.includes(name),
      schema,
    };
  });
}

function jsonSchemaOf(schema: MethodSchema): JsonSchema {
  return toJsonSchema(schema, { typeMode: "input", errorMode: "ignore", ignoreActions: ["metadata"] });
}

function resultSchemaOf(command: Command): JsonSchema {
  const { $schema: _, ...schema } = toJsonSchema(command.result, { typeMode: "output", errorMode: "ignore" });
  return schema;
}

function exampleOf(command: Command, line: string): Record<string, unknown>[] {
  const [program, ...argv] = splitWords(line).lines[0] ?? [];
  if (program !== "browse") return [];
  try {
    const { command: name, params } = parseArgv(argv);
    if (name !== command.name) return [];
    return [{ name: line, params: Object.entries(params).map(([param, value]) => ({ name: param, value })) }];
  } catch {
    // A line that pipes, or reads standard input, has no form as one call; the suite runs every example as it stands.
    return [];
  }
}

/** The kinds that a command of this nature can end with. */
function errorsOf({ needs, effect, output, fromPage, urls, paths }: Command): ErrorKind[] {
  const kinds: ErrorKind[] = ["invalid_params", "forbidden", "rate_limited", "timeout", "cancelled", "internal"];
  if (needs !== "daemon") kinds.push("no_browser", "browser_gone");
  if (needs === "tab")
    kinds.push("tab_gone", "frame_gone", "dialog_open", "not_owner", "not_found", "stale_ref", "unknown_ref");
  if (effect !== "none") kinds.push("outcome_unknown");
  if (effect === "page") kinds.push("ambiguous", "not_visible", "disabled", "covered", "detached");
  if (effect === "navigation") kinds.push("navigation_failed");
  if (fromPage !== "nothing") kinds.push("blocked_content");
  if (output === "page") kinds.push("too_large");
  if (urls.length > 0) kinds.push("blocked_url");
  if (paths.length > 0) kinds.push("blocked_path");
  return kinds;
}

function errorObject(kind: ErrorKind): Record<string, unknown> {
  const { code, summary, hint } = ERROR_KINDS[kind];
  return { code, message: summary, data: { kind, hint } };
}
