/** Tells flags from positions in a list of words. */
import { BrowseError } from "../../errors.ts";
import { suggestion } from "../../wording.ts";
import { acceptedBy, valueFrom } from "./flag_values.ts";
import { GLOBAL_FLAGS } from "./global_flags.ts";
import type { ParamSyntax } from "./syntax.ts";

export class ArgvReader {
  readonly positions: { text: string; isLiteral: boolean }[] = [];
  readonly #command: string;
  readonly #flags: ReadonlyMap<string, ParamSyntax>;
  readonly #stdinFor: (param: ParamSyntax) => string | undefined;
  readonly #values = new Map<ParamSyntax, unknown>();
  #tokens: readonly string[] = [];
  #next = 0;

  /** `stdinFor` gives what `-` means as the value of a param; undefined when it means itself. */
  constructor(
    command: string,
    flags: ReadonlyMap<string, ParamSyntax>,
    stdinFor: (param: ParamSyntax) => string | undefined,
  ) {
    this.#command = command;
    this.#flags = flags;
    this.#stdinFor = stdinFor;
  }

  /** Reads all tokens. Throws `invalid_params`. */
  read(tokens: readonly string[]): void {
    this.#tokens = tokens;
    this.#next = 0;
    let isLiteral = false;
    for (let token = this.#take(); token !== undefined; token = this.#take()) {
      if (isLiteral || !this.#isFlag(token)) this.positions.push({ text: token, isLiteral });
      else if (token === "--") isLiteral = true;
      else if (token.startsWith("--")) this.#readLong(token);
      else this.#readShort(token);
    }
  }

  /** What was given to those params, by name. */
  valuesOf(isWanted: (param: ParamSyntax) => boolean): Map<string, unknown> {
    return new Map([...this.#values].filter(([param]) => isWanted(param)).map(([param, value]) => [param.name, value]));
  }

  #take(): string | undefined {
    return this.#tokens[this.#next++];
  }

  /** `-` is a value, and so is a negative number unless a flag is called so. */
  #isFlag(token: string): boolean {
    if (!token.startsWith("-") || token === "-") return false;
    return !/^-\.?\d/.test(token) || this.#flags.has(token.slice(0, 2));
  }

  #readLong(token: string): void {
    const equals = token.indexOf("=");
    const flag = equals < 0 ? token : token.slice(0, equals);
    const text = equals < 0 ? undefined : token.slice(equals + 1);
    const param = this.#flags.get(flag);
    if (param) this.#readValue(param, flag, text);
    else this.#readNegated(flag, text);
  }

  /** `--no-new-tab` */
  #readNegated(flag: string, text: string | undefined): void {
    const negated = flag.startsWith("--no-") ? this.#flags.get(`--${flag.slice(5)}`) : undefined;
    if (!negated?.kinds.has("boolean")) throw this.#unknown(flag);
    if (text !== undefined) throw this.#wrong(negated, `${flag} takes no value`);
    this.#set(negated, false);
  }

  #readShort(token: string): void {
    for (let index = 1; index < token.length; index++) {
      const flag = `-${token[index]}`;
      const param = this.#flags.get(flag);
      if (!param) throw this.#unknown(flag);
      const remainder = token.slice(index + 1);
      if (param.kinds.has("boolean") && !remainder.startsWith("=")) {
        this.#set(param, true);
        continue;
      }
      this.#readValue(param, flag, remainder === "" ? undefined : remainder.replace(/^=/, ""));
      break;
    }
  }

  #readValue(param: ParamSyntax, flag: string, inline: string | undefined): void {
    if (inline !== undefined) this.#set(param, valueFrom(inline, param, flag));
    else if (param.kinds.has("boolean")) this.#set(param, true);
    else this.#set(param, valueFrom(this.#takeValue(param, flag), param, flag));
  }

  #takeValue(param: ParamSyntax, flag: string): string {
    const token = this.#take();
    if (token === "-") return this.#stdinFor(param) ?? token;
    if (token !== undefined && !this.#isFlag(token)) return token;
    const hint = `Write ${flag}=<value>; that form also takes a value that begins with "-"`;
    throw this.#wrong(param, `${flag} needs a value: ${acceptedBy(param)}`, hint);
  }

  #set(param: ParamSyntax, value: unknown): void {
    const earlier = this.#values.get(param);
    if (earlier === undefined) this.#values.set(param, param.isList ? [value] : value);
    else if (param.isList && Array.isArray(earlier)) earlier.push(value);
    else throw this.#wrong(param, `${param.flag} is given twice`);
  }

  #unknown(flag: string): BrowseError {
    const all = [...new Set(this.#flags.values())];
    const accepted = all.map((param) => param.flag);
    const own = all.filter((param) => !GLOBAL_FLAGS.includes(param)).map((param) => param.flag);
    const guess = flag.startsWith("--") ? suggestion(flag, accepted) : "";
    const end = flag.startsWith("--") ? "" : `; a value that begins with "-" goes after --`;
    const of = own.length === 0 ? "has no flags of its own" : `accepts ${own.join(", ")}`;
    return new BrowseError("invalid_params", `Unknown flag ${JSON.stringify(flag)}${guess}`, {
      hint: `"${this.#command}" ${of}; \`browse help\` lists those of every command${end}`,
      details: { flag, accepted },
    });
  }

  #wrong(param: ParamSyntax, message: string, hint?: string): BrowseError {
    return new BrowseError("invalid_params", message, {
      details: { flag: param.flag, param: param.name },
      ...(hint !== undefined && { hint }),
    });
  }
}
