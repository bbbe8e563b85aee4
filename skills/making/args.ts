/** Which values of a recording are the arguments of its skill. */
import { BrowseError } from "../../errors.ts";
import type { RecordedCall } from "./recording.ts";
import { nameFrom } from "./source_text.ts";

export interface LiftedArg {
  name: string;
  description: string;
  /** Only what the user named beside it; what was typed is not known, and a secret must not be. */
  default?: string;
  /** Of the value that was typed; absent for secrets, and for what was typed under another daemon. */
  digest?: string;
}

/** Digests of one daemon, which its journal has too. */
export type DigestOf = (value: string) => string;

export class LiftedArgs {
  readonly #args: LiftedArg[] = [];
  readonly #byHidden = new Map<string, LiftedArg>();
  readonly #digestOf: DigestOf;

  /** `named` are `name=value` pairs of the user. Throws `invalid_params` for one that is no such pair. */
  constructor(named: readonly string[], digestOf: DigestOf) {
    this.#digestOf = digestOf;
    for (const pair of named) this.#args.push(this.#namedArg(pair));
  }

  get all(): readonly LiftedArg[] {
    return this.#args;
  }

  get isEmpty(): boolean {
    return this.#args.length === 0;
  }

  /** The arg for a hidden param of a call; of one element and value it is the same one. */
  forHidden(call: RecordedCall, param: string): LiftedArg {
    const key = `${call.id} ${param}`;
    const digest = call.hidden?.find((hidden) => hidden.param === param)?.digest;
    const arg = this.#byHidden.get(key) ?? this.#withDigest(digest) ?? this.#newArg(call, digest);
    this.#byHidden.set(key, arg);
    return arg;
  }

  /** Has the user named the hidden value of a call's param? */
  names(call: RecordedCall, param: string): boolean {
    const arg = this.#withDigest(call.hidden?.find((hidden) => hidden.param === param)?.digest);
    return arg?.default !== undefined;
  }

  /** The arg that this is the whole value of. */
  whole(text: string): LiftedArg | undefined {
    return this.#args.find((arg) => arg.default === text) ?? this.#withDigest(this.#digestOf(text), text);
  }

  /** The arg whose value is one of the words of the text, or stands in it. */
  within(text: string): LiftedArg | undefined {
    const folded = text.toLowerCase();
    const known = this.#args.find(
      ({ default: value }) => value !== undefined && value.length >= 3 && folded.includes(value.toLowerCase()),
    );
    return known ?? this.#amongWords(text.match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  }

  /** The same, where its value alone tells the name from others: `words` are those that only this one has. */
  telling(name: string, words: readonly string[]): LiftedArg | undefined {
    const folded = name.toLowerCase();
    const known = this.#args.find(({ default: value }) => {
      const given = value?.toLowerCase();
      return given !== undefined && folded.includes(given) && words.some((word) => given.includes(word));
    });
    return known ?? this.#amongWords(words);
  }

  /** Named ones that nothing was found for. */
  unused(source: string): string[] {
    return this.#args.filter(({ name }) => !source.includes(`args.${name}`)).map(({ name }) => name);
  }

  #amongWords(words: readonly string[]): LiftedArg | undefined {
    const found = words.slice(0, 20).map((word) => this.#withDigest(this.#digestOf(word)));
    return found.find((arg) => arg !== undefined);
  }

  #withDigest(digest: string | undefined, text?: string): LiftedArg | undefined {
    if (digest === undefined || (text !== undefined && text.length < 3)) return undefined;
    return this.#args.find((arg) => arg.digest === digest);
  }

  #namedArg(pair: string): LiftedArg {
    const [, name, value] = /^([a-zA-Z][a-zA-Z0-9_]{0,63})=(.+)$/s.exec(pair) ?? [];
    if (name === undefined || value === undefined) {
      throw new BrowseError(
        "invalid_params",
        `--arg takes name=value, the value being one that was used, not ${JSON.stringify(pair)}`,
      );
    }
    return { name, description: `Was ${value}`.slice(0, 200), default: value, digest: this.#digestOf(value) };
  }

  #newArg({ command, elements = [] }: RecordedCall, digest: string | undefined): LiftedArg {
    const [element] = elements;
    const said = element?.name ?? "";
    const taken = new Set(this.#args.map(({ name }) => name));
    const arg: LiftedArg = {
      name: nameFrom(said, "value", taken),
      description: `For the ${element ? element.role : command}${said === "" ? "" : ` ${said}`}`,
      ...(digest !== undefined && { digest }),
    };
    this.#args.push(arg);
    return arg;
  }
}
