/** The script of a skill, as a colleague would have written it: where things are, the steps, and the parser. */
import type { LiftedArgs } from "./args.ts";
import { CallTexts } from "./call_text.ts";
import { parserFor } from "./parsers.ts";
import type { RecordedCall } from "./recording.ts";
import { commentText, literal } from "./source_text.ts";
import { OPENS, takenBy } from "./taken.ts";

const FIELDS: ReadonlySet<string> = new Set(["fill", "type", "select", "check", "uncheck", "focus"]);
/** What they act on may be hidden, behind something that is drawn in its place. */
const ON_HIDDEN: ReadonlySet<string> = new Set(["check", "uncheck", "upload", "wait", "count", "is"]);

export interface ScriptRequest {
  description: string;
  /** All of them, the read at the end. */
  calls: readonly RecordedCall[];
  read: RecordedCall;
  next?: RecordedCall;
  args: LiftedArgs;
}

export interface ScriptText {
  source: string;
  /** Names of the commands that it calls, with what they are given. */
  uses: { command: string; params: Record<string, unknown> }[];
  /** What finds an element only by where it stands. */
  brittle: string[];
  /** What is found by words that an argument could have changed, and does not. */
  kept: string[];
}

export function scriptText({ description, calls, read, next, args }: ScriptRequest): ScriptText {
  const texts = new CallTexts(args);
  const body = new Body(texts);
  for (const call of calls.filter((each) => each !== read))
    body.step(
      call,
      calls.some((other) => takenBy(other).some((origin) => origin.call === call.id)),
    );
  if (next) body.pages(read, next);
  else body.answer(read);
  const parser = parserFor(read.command);
  const { locators } = texts;
  const all = [...locators, ...body.lines].join("\n");
  const source = `/**
 * ${commentText(description)}.
 *
 * Made by \`browse skill codify\` of calls that led there; from then on it is yours to change.
 */
import type { Browse } from "./client.ts";

${argsText(args)}${onText(locators)}export async function main(browse: Browse, ${args.isEmpty ? "_args: Args" : "args: Args"}): Promise<${next ? parser.to.replace(/^(?!.*\[\]$).*$/, "$&[]") : parser.to}> {
${body.lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}
}

${parser.source}
${helpers(all)}`;
  return { source, uses: body.uses, brittle: texts.brittle, kept: texts.kept };
}

function argsText(args: LiftedArgs): string {
  if (args.isEmpty) return "type Args = Record<string, never>;\n\n";
  const members = args.all.map(({ name, description }) => `  /** ${commentText(description)} */\n  ${name}: string;`);
  return `interface Args {\n${members.join("\n")}\n}\n\n`;
}

function onText(locators: readonly string[]): string {
  if (locators.length === 0) return "";
  return `/** Where things are, by what they are called. */\nconst on = {\n${locators.map((line) => `  ${line}`).join("\n")}\n};\n\n`;
}

/** Those that the script uses. */
function helpers(source: string): string {
  const quoted = `
/** A text that is to be found as it stands. */
function quoted(text: string): string {
  return \`"\${text.replace(/[\\\\"]/g, "\\\\$&")}"\`;
}
`;
  const containing = `
/** What has the text in it, in letters of any case. */
function containing(text: string): string {
  return \`/\${text.replace(/[\\\\^$.*+?()[\\]{}|/]/g, "\\\\$&")}/i\`;
}
`;
  const need = `
/** What an earlier step has to have found. */
function need<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("An earlier step found less than when this was made");
  return value;
}
`;
  return [
    ["${quoted(", quoted],
    ["${containing(", containing],
    ["need(", need],
  ]
    .map(([use = "", text]) => (source.includes(use) ? text : ""))
    .join("");
}

const MAX_PAGES = 50;

class Body {
  readonly lines: string[] = [];
  readonly uses: ScriptText["uses"] = [];
  readonly #texts: CallTexts;
  /** The page may be on its way to what the next step needs. */
  #isMoving = false;
  #frame: string | undefined;

  constructor(texts: CallTexts) {
    this.#texts = texts;
  }

  step(call: RecordedCall, isUsed: boolean): void {
    const source = this.#begin(call, { isRead: false });
    this.lines.push(`${isUsed ? `const ${this.#texts.variableOf(call)} = ` : ""}await ${source};`);
    this.#isMoving = !FIELDS.has(call.command);
  }

  answer(read: RecordedCall): void {
    const source = this.#begin(read, { isRead: true, comment: "Read what it is all for" });
    this.lines.push(`return parse(await ${source});`);
  }

  /** Reads until nothing leads on. What ends before is an error: it would look whole. */
  pages(read: RecordedCall, next: RecordedCall): void {
    const source = this.#begin(read, { isRead: true, comment: "Read page after page" });
    const click = this.#texts.textOf(next, false);
    for (const [command, params] of [
      ["count", {}],
      ["is", {}],
      ["click", next.params],
    ] as const)
      this.uses.push({ command, params });
    this.lines.push(
      "const found = [];",
      "for (let page = 1; ; page++) {",
      `  found.push(parse(await ${source}));`,
      `  const { count } = await browse.count({ target: ${click.needs} });`,
      `  if (count === 0 || !(await browse.is({ state: "enabled", target: ${click.needs} })).is) break;`,
      `  if (page === ${MAX_PAGES}) throw new Error("There are more than ${MAX_PAGES} pages: allow for more in script.ts");`,
      `  await ${click.source};`,
      "}",
      `return ${parserFor(read.command).to.endsWith("[]") ? "found.flat()" : "found"};`,
    );
  }

  /** Into its frame, and until what it needs is there; gives the call itself. */
  #begin(call: RecordedCall, { isRead, comment }: { isRead: boolean; comment?: string }): string {
    const { source, comment: own, needs } = this.#texts.textOf(call, isRead);
    this.lines.push(`// ${comment ?? own}`);
    this.#enterFrame(call);
    const mustWait = this.#isMoving && needs !== undefined && !ON_HIDDEN.has(call.command);
    if (mustWait) {
      this.lines.push(`await browse.wait({ what: ${needs} });`);
      this.uses.push({ command: "wait", params: {} });
    }
    this.uses.push({ command: call.command === "newtab" ? "goto" : call.command, params: call.params });
    return source;
  }

  #enterFrame({ command, elements = [] }: RecordedCall): void {
    if (OPENS.has(command)) this.#frame = undefined;
    const [element] = elements;
    if (!element || element.frame === this.#frame) return;
    this.#frame = element.frame;
    const where =
      element.frame === undefined ? '{ target: "main" }' : `{ url: ${literal(addressPart(element.frame))} }`;
    this.lines.push(`await browse.frame(${where});`);
    this.uses.push({ command: "frame", params: {} });
  }
}

/** Without what differs each time. */
function addressPart(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname } = new URL(url);
  return pathname.length > 1 ? pathname : url;
}
