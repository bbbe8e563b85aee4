/** Checks raw params against a schema, and says in words what is not accepted. */
import * as v from "valibot";
import { type Command, type ParamsSchema, sensitiveOf } from "../../commands/command.ts";
import { BrowseError } from "../../errors.ts";
import { suggestion } from "../../wording.ts";
import { type Syntax, syntaxOf } from "./syntax.ts";

/** How a caller writes params: by name, or as flags and arguments of a command line. */
export type Notation = "params" | "argv";

/** The command's params, parsed. Throws `invalid_params` in the caller's own notation. */
export function parseParams(
  command: Command,
  raw: Record<string, unknown>,
  notation: Notation = "params",
): Record<string, unknown> {
  const syntax = syntaxOf(command);
  const parsed = v.safeParse(command.params, raw, { abortEarly: true });
  if (parsed.success) {
    assertNothingDropped(raw);
    assertExclusive(command, parsed.output, notation);
    return parsed.output;
  }
  const [issue] = parsed.issues;
  const param = paramOf(issue);
  const stray = Object.keys(raw).find((name) => !syntax.params.has(name));
  const isSecret = param !== undefined && sensitiveOf(command, raw).includes(param);
  const message = messageOf(issue, {
    schema: command.params,
    isSecret,
    write: (name) => writtenAs(name, syntax, notation),
    accepted: [...syntax.params.keys()],
  });
  const isMissing = param !== undefined && raw[param] === undefined;
  const instead = isMissing && stray !== undefined ? `; there is no ${JSON.stringify(stray)}` : "";
  throw new BrowseError("invalid_params", `${message}${instead}`, {
    hint: `Run \`browse help ${command.spelling}\` for what it accepts`,
    details: param === undefined ? { command: command.name } : { command: command.name, param },
  });
}

/** Valibot leaves such members out of objects whose names are free, without a word. */
const DROPPED: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

function assertNothingDropped(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (DROPPED.has(name)) {
      throw new BrowseError("invalid_params", `No member can be called ${JSON.stringify(name)}`, {
        hint: "Give a list where the command takes one, or another name",
      });
    }
    assertNothingDropped(member);
  }
}

function assertExclusive(command: Command, params: Record<string, unknown>, notation: Notation): void {
  for (const names of command.exclusive ?? []) {
    const given = names.filter((name) => params[name] !== undefined && params[name] !== false);
    if (given.length < 2) continue;
    const written = given.map((name) => writtenAs(name, syntaxOf(command), notation));
    const choice = written.length === 2 ? `${written.join(" or ")}, not both` : `only one of ${written.join(", ")}`;
    throw new BrowseError("invalid_params", `"${command.spelling}" takes ${choice}`, {
      hint: `Leave out all but one of ${written.join(", ")}`,
      details: { command: command.name, given },
    });
  }
}

/** Params of a method of the protocol itself, parsed. Throws `invalid_params`. */
export function parseMethodParams<Output extends object>(
  entries: ParamsSchema & v.GenericSchema<Record<string, unknown>, Output>,
  accepted: readonly string[],
  raw: unknown,
): Output {
  const parsed = v.safeParse(entries, raw, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const message = messageOf(issue, { schema: entries, isSecret: false, write: JSON.stringify, accepted });
  throw new BrowseError("invalid_params", message, {
    hint: `It accepts ${accepted.map((name) => JSON.stringify(name)).join(", ")}`,
  });
}

interface Wording {
  schema: object;
  isSecret: boolean;
  /** A param as the caller writes it. */
  write: (param: string) => string;
  /** The params there are. */
  accepted: readonly string[];
}

function messageOf(issue: v.BaseIssue<unknown>, wording: Wording): string {
  const { isSecret, write, accepted } = wording;
  const param = paramOf(issue);
  if (param === undefined) return sentence(issue.message);
  if (issue.type === "strict_object" && issue.path) {
    if (issue.path.length > 1) return memberProblem(issue, issue.path, wording);
    if (issue.expected !== "never") return `Missing ${write(param)}`;
    const names = accepted.length === 0 ? "it takes none" : `it accepts ${accepted.map(write).join(", ")}`;
    return `Unknown parameter ${JSON.stringify(param)}${suggestion(param, accepted)}; ${names}`;
  }
  const member = issue.path?.slice(1).at(-1)?.key;
  const place = typeof member === "string" && !isSecret ? `${JSON.stringify(member)} in ${write(param)}` : write(param);
  return `${capital(place)} ${problemOf(issue, isSecret)}`;
}

/** Of an object within a param: a member that is not there, or one that nobody knows. */
function memberProblem(
  { expected }: v.BaseIssue<unknown>,
  path: readonly v.IssuePathItem[],
  { schema, isSecret, write }: Wording,
): string {
  const [param, ...rest] = path.map(({ key }) => String(key));
  const member = rest.pop() ?? "";
  const place = write(String(param));
  if (expected !== "never") return `Missing ${JSON.stringify(member)} in ${place}`;
  const accepted = membersAt(schema, [String(param), ...rest]);
  const named = isSecret ? "" : ` ${JSON.stringify(member)}${suggestion(member, accepted)}`;
  return `Unknown member${named} in ${place}; it accepts ${accepted.map((name) => JSON.stringify(name)).join(", ")}`;
}

/** What we read of valibot's schemas: objects, lists, and what may be left out. */
interface SchemaNode {
  readonly entries?: Readonly<Record<string, SchemaNode>>;
  readonly item?: SchemaNode;
  readonly wrapped?: SchemaNode;
}

/** The members of the object at that place. */
function membersAt(schema: SchemaNode, path: readonly string[]): string[] {
  const node = path.reduce<SchemaNode>((at, key) => unwrapped(at.entries?.[key] ?? at.item ?? {}), unwrapped(schema));
  return Object.keys(node.entries ?? {});
}

function unwrapped(schema: SchemaNode): SchemaNode {
  return schema.wrapped ? unwrapped(schema.wrapped) : schema;
}

/** An author's own message reads on from the param's name; valibot's are put into such words. */
function problemOf(issue: v.BaseIssue<unknown>, isSecret: boolean): string {
  if (!/^Invalid [\w ]+: /.test(issue.message)) return issue.message;
  const received = isSecret ? "" : `, not ${shortened(issue.received)}`;
  if (issue.kind === "schema") return `takes ${wordsFor(issue.expected ?? "")}${received}`;
  return `${demandOf(issue)}${received}`;
}

function demandOf({ type, expected, requirement }: v.BaseIssue<unknown>): string {
  if (type === "integer" || type === "safe_integer") return "takes a whole number";
  if (type === "min_value") return `must be at least ${String(requirement)}`;
  if (type === "max_value") return `must be at most ${String(requirement)}`;
  if (type === "min_length" || type === "max_length") return `must have a length of ${expected}`;
  return expected === null ? `must be a valid ${type.replaceAll("_", " ")}` : `must fit ${expected}`;
}

function wordsFor(expected: string): string {
  if (expected === "boolean") return "true or false";
  if (expected === "string") return "text";
  if (expected === "number") return "a number";
  if (expected === "Array") return "a list";
  if (expected === "Object") return "an object";
  return expected.replace(/^\((.*)\)$/, "$1").replaceAll(" | ", " or ");
}

function paramOf(issue: v.BaseIssue<unknown>): string | undefined {
  const key = issue.path?.[0]?.key;
  return key === undefined ? undefined : String(key);
}

function writtenAs(param: string, syntax: Syntax, notation: Notation): string {
  const known = syntax.params.get(param);
  return notation === "params" || !known ? JSON.stringify(param) : known.label;
}

function shortened(received: string): string {
  return received.length > 80 ? `${received.slice(0, 80)}…` : received;
}

function sentence(message: string): string {
  return capital(message.replace(/\.$/, ""));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
