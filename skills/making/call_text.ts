/** One call of a recording in the source of a script. */
import { REDACTED } from "../../security/secrets/secret_shapes.ts";
import type { LiftedArgs } from "./args.ts";
import { locatorFor } from "./locators.ts";
import { cannotCodify, type RecordedCall } from "./recording.ts";
import { commentText, literal, nameFrom, templatePiece } from "./source_text.ts";
import { isTakeable, TARGETS } from "./taken.ts";

const NAME_FOR: Readonly<Record<string, string>> = {
  goto: "Open",
  newtab: "Open",
  fill: "Fill",
  select: "Choose in",
  press: "Press",
};

export interface CallText {
  comment: string;
  /** `browse.click({ target: on.search })`. */
  source: string;
  /** The element that it needs, as it stands in the source. */
  needs?: string;
}

export class CallTexts {
  /** Locators by their source, with the names that the script gives them. */
  readonly #on = new Map<string, { name: string; takesArgs: boolean }>();
  readonly #reads = new Map<string, string>();
  readonly #args: LiftedArgs;
  readonly brittle: string[] = [];
  /** What is found by words that an argument could have changed, and does not. */
  readonly kept: string[] = [];

  constructor(args: LiftedArgs) {
    this.#args = args;
  }

  /** Members of the object `on`. */
  get locators(): string[] {
    return [...this.#on].map(([source, { name }]) => `${name}: ${source},`);
  }

  /** The variable of a read whose answer later calls take from. */
  variableOf(call: RecordedCall): string {
    const name = this.#reads.get(call.id) ?? nameFrom(call.command, "answer", new Set(this.#reads.values()));
    this.#reads.set(call.id, name);
    return name;
  }

  textOf(call: RecordedCall, isRead: boolean): CallText {
    const { command, params } = call;
    let needs: string | undefined;
    const members = Object.entries(params).map(([param, value]) => {
      const isTarget = TARGETS.includes(param) && typeof value === "string" && !isMainFrame(call);
      const source = isTarget ? this.#target(call, param, value, isRead) : this.#value(call, param, value);
      if (isTarget) needs ??= source;
      return `${/^[a-zA-Z]\w*$/.test(param) ? param : literal(param)}: ${source}`;
    });
    const name = command === "newtab" ? "goto" : command;
    const method = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const source = `browse.${method}({${members.length > 0 ? ` ${members.join(", ")} ` : ""}})`;
    return { comment: this.#comment(call), source, ...(needs !== undefined && { needs }) };
  }

  #comment({ command, params, elements = [] }: RecordedCall): string {
    const verb = NAME_FOR[command] ?? `${command.charAt(0).toUpperCase()}${command.slice(1)}`.replaceAll("-", " ");
    const [element] = elements;
    const on = element ? ` ${element.role}${element.name ? ` "${commentText(element.name)}"` : ""}` : "";
    if (command === "goto" || command === "newtab") return `${verb} the page`;
    return `${verb}${typeof params.key === "string" ? ` ${commentText(params.key)}` : ""}${on}`;
  }

  #target(call: RecordedCall, param: string, value: string, isRead: boolean): string {
    const index = TARGETS.filter((name) => name in call.params).indexOf(param);
    const element = call.elements?.[index];
    const locator = locatorFor(value, element, this.#args, isRead);
    if (!locator)
      throw cannotCodify(
        `nothing is known by which ${value} of "${call.command}" (${call.id}) could be found again`,
        "Do that step with a selector, then codify",
      );
    const known = this.#on.get(locator.source);
    if (locator.isBrittle && !known) this.brittle.push(`${call.command} (${call.id}): ${locator.source}`);
    if (locator.keeps !== undefined && !known) this.kept.push(`${locator.source}, whatever --arg ${locator.keeps} is`);
    const said = element?.name || element?.role || /[a-z]+/i.exec(value)?.[0] || "element";
    const taken = new Set([...this.#on.values()].map(({ name }) => name));
    const { name } = known ?? {
      name: nameFrom(isRead ? (element?.role === "generic" ? call.command : said) : said, "element", taken),
    };
    if (!known) this.#on.set(locator.source, { name, takesArgs: locator.takesArgs });
    return `on.${name}${locator.takesArgs ? "(args)" : ""}`;
  }

  #value(call: RecordedCall, param: string, value: unknown): string {
    const origin = this.#originOf(call, param);
    if (origin !== undefined) return origin;
    if (value === REDACTED) return `args.${this.#args.forHidden(call, param).name}`;
    if (typeof value === "string") return param === "url" ? this.#url(call, value) : this.#text(value);
    if (Array.isArray(value))
      return `[${value.map((item) => (typeof item === "string" ? this.#text(item) : JSON.stringify(item))).join(", ")}]`;
    return JSON.stringify(value);
  }

  #text(value: string): string {
    const arg = this.#args.whole(value);
    return arg ? `args.${arg.name}` : literal(value);
  }

  /** `links.links[3].url`, of a read that the script makes too. */
  #originOf({ from = [] }: RecordedCall, param: string): string | undefined {
    const origin = from.find((each) => each.param === param);
    const variable = origin && this.#reads.get(origin.call);
    if (!origin || variable === undefined || !isTakeable(origin.path)) return undefined;
    const steps = origin.path.split(".").map((step) => (/^\d+$/.test(step) ? `[${step}]?` : `.${step}`));
    return `need(${variable}${steps.join("").replace(/\?$/, "")})`;
  }

  /** With arguments in its query, and in parts of its path. */
  #url({ page }: RecordedCall, given: string): string {
    const url = /^https?:/i.test(given) || page === undefined ? given : page;
    if (url.includes(REDACTED))
      throw cannotCodify("an address that it opens holds a secret", "Open the page by what it shows, then codify");
    const pieces = url.split(/(?<=[/?&=#])|(?=[/?&=#])/);
    const sources = pieces.map((piece) => {
      const arg = piece.length < 3 ? undefined : this.#args.whole(decoded(piece));
      return arg ? `\${encodeURIComponent(args.${arg.name})}` : templatePiece(piece);
    });
    const isLifted = sources.some((source, at) => source !== templatePiece(pieces[at] ?? ""));
    return isLifted ? `\`${sources.join("")}\`` : literal(url);
  }
}

/** `frame main` names no element. */
function isMainFrame({ command, params }: RecordedCall): boolean {
  return command === "frame" && params.target === "main";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
