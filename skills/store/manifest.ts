/** SKILL.md: what stands in YAML between two lines `---`, by a strict schema, and the prose after it. */
import * as v from "valibot";
import { isScalar, LineCounter, parseDocument, visit } from "yaml";
import { suggestion } from "../../wording.ts";
import { ARG_MEMBERS, type SkillManifest, SkillManifestSchema } from "../skill.ts";
import { Unusable } from "./unusable.ts";

/** UTF-16 units of the YAML. */
const MAX_FRONT = 8_192;
/** Of one line, which can hold a list in a list in a list without a bracket. */
const MAX_LINE = 1_000;
/** Brackets in brackets, since the parser calls itself for each. */
const MAX_NESTED = 64;

const MEMBERS = Object.keys(SkillManifestSchema.entries);

export interface SkillText {
  manifest: SkillManifest;
  prose: string;
}

/** Throws `Unusable`, with the line where it can be told. */
export function parseSkillText(bytes: Uint8Array): SkillText {
  const text = decoded(bytes).replaceAll("\r\n", "\n");
  const front = /^---[ \t]*\n/.exec(text)?.[0];
  if (front === undefined) throw new Unusable("SKILL.md does not begin with a line `---`");
  const end = endOf(text, front.length);
  if (end === undefined) throw new Unusable("SKILL.md has no second line `---`");
  const yaml = text.slice(front.length, end.from);
  if (yaml.length > MAX_FRONT)
    throw new Unusable(`SKILL.md has over ${MAX_FRONT} characters between its lines \`---\``);
  return { manifest: manifestFrom(yaml), prose: text.slice(end.to).trim() };
}

function decoded(bytes: Uint8Array): string {
  try {
    // Leaves a byte order mark out.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Unusable("SKILL.md is not UTF-8");
  }
}

function endOf(text: string, from: number): { from: number; to: number } | undefined {
  for (let at = from; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const to = newline < 0 ? text.length : newline + 1;
    if (text.slice(at, Math.min(to, at + 100)).trimEnd() === "---") return { from: at, to };
    at = to;
  }
  return undefined;
}

function manifestFrom(yaml: string): SkillManifest {
  const result = v.safeParse(SkillManifestSchema, membersOf(yaml));
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  throw new Unusable(path === null ? `SKILL.md: ${issue.message}` : `SKILL.md: ${path}: ${problemOf(issue)}`);
}

/** In plain words where a member is missing, or nobody knows it. */
function problemOf({ type, message, expected, path }: v.BaseIssue<unknown>): string {
  const last = path?.at(-1);
  if (type !== "strict_object" || last === undefined) return message;
  if (expected !== "never") return "is missing";
  const known = path?.length === 1 ? MEMBERS : ARG_MEMBERS;
  return `is not a known key${suggestion(String(last.key), known)}; the known keys are ${known.join(", ")}`;
}

/** The first line of the YAML is the second of the file. */
const LINES_BEFORE = 1;

function membersOf(yaml: string): unknown {
  if (isDeep(yaml)) throw new Unusable("SKILL.md: its YAML is nested too deep");
  const long = yaml.split("\n").findIndex((line) => line.length > MAX_LINE);
  if (long >= 0) throw new Unusable(`SKILL.md: line ${long + 1 + LINES_BEFORE}: has over ${MAX_LINE} characters`);
  const lineCounter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter, prettyErrors: false, strict: true, uniqueKeys: true });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) {
    const { line } = lineCounter.linePos(problem.pos[0]);
    throw new Unusable(`SKILL.md: line ${line + LINES_BEFORE}: ${firstLine(problem.message)}`);
  }
  visit(document, {
    // A few of them, each of ten others, are billions.
    Alias: () => {
      throw new Unusable("SKILL.md: its YAML uses an alias");
    },
    // As a value it becomes its own text again, once for each level that it is nested in.
    Pair: (_key, { key }) => {
      if (!isScalar(key)) throw new Unusable("SKILL.md: its YAML has a key that is no plain word");
    },
  });
  return document.toJS({ maxAliasCount: 0 });
}

/** By its brackets, wherever they stand: no manifest has as many that stay open. */
function isDeep(yaml: string): boolean {
  let open = 0;
  let deepest = 0;
  for (const character of yaml) {
    if (character === "[" || character === "{") deepest = Math.max(deepest, ++open);
    else if (character === "]" || character === "}") open -= 1;
  }
  return deepest > MAX_NESTED;
}

function firstLine(message: string): string {
  return (message.split("\n", 1)[0] ?? message).slice(0, 300);
}
