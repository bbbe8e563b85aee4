/**
 * TypeScript as the JavaScript that is in it, each text once: Node takes a quarter of a second to load what strips types, which would be
 * the better part of a run. It is done by a process that may do nothing else, since the texts are anybody's.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { text as textOf } from "node:stream/consumers";
import { abortReason } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import { sandboxed } from "./sandbox.ts";

const MAX_KEPT = 40;
const STRIP_MS = 10_000;

/** Reads a JSON list of texts, and writes the list of what was made of each: `{code}` or `{error}`. */
const STRIPPER = `
const { stripTypeScriptTypes } = process.getBuiltinModule("node:module");
const one = (text) => {
  try { return { code: stripTypeScriptTypes(text) }; } catch (error) { return { error: String(error.message).slice(0, 1000) }; }
};
let given = "";
process.stdin.setEncoding("utf8").on("data", (more) => { given += more; });
process.stdin.on("end", () => process.stdout.write(JSON.stringify(JSON.parse(given).map(one))));
`;

type Stripped = { code: string; error?: never } | { error: string; code?: never };

export class PlainSources {
  /** By hash, the one used longest ago first. */
  readonly #known = new Map<string, Stripped>();

  /** In the order of the texts. Throws `skill_failed` for one that does not parse. */
  async of(texts: readonly string[], signal: AbortSignal): Promise<string[]> {
    const keys = texts.map((text) => createHash("sha256").update(text).digest("base64"));
    const unknown = texts.filter((_, index) => !this.#known.has(keys[index] ?? ""));
    if (unknown.length > 0) {
      const made = await strip(unknown, signal);
      for (const [index, text] of unknown.entries()) this.#keep(text, made[index]);
    }
    return keys.map((key) => this.#take(key));
  }

  #keep(text: string, stripped: Stripped = { error: "Nothing was made of it" }): void {
    this.#known.set(createHash("sha256").update(text).digest("base64"), stripped);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KEPT) break;
      this.#known.delete(oldest);
    }
  }

  #take(key: string): string {
    const stripped = this.#known.get(key) ?? { error: "Nothing was made of it" };
    this.#known.delete(key);
    this.#known.set(key, stripped);
    if (stripped.code !== undefined) return stripped.code;
    throw new BrowseError("skill_failed", `The script does not parse: ${JSON.stringify(stripped.error)}`, {
      hint: "Mend its script.ts, then run it again",
    });
  }
}

/** Throws what the signal says, and `skill_failed` when nothing came of it. */
async function strip(texts: readonly string[], signal: AbortSignal): Promise<Stripped[]> {
  const { command, args, env, cwd } = sandboxed(undefined, ["-e", STRIPPER]);
  const late = AbortSignal.timeout(STRIP_MS);
  const ended = AbortSignal.any([signal, late]);
  const stdio: ["pipe", "pipe", "ignore"] = ["pipe", "pipe", "ignore"];
  const child = spawn(command, args, { env, cwd, stdio, signal: ended, killSignal: "SIGKILL", windowsHide: true });
  // Both are told by the exit.
  child.stdin.on("error", () => undefined);
  child.stdin.end(JSON.stringify(texts));
  try {
    const [output] = await Promise.all([textOf(child.stdout), once(child, "close")]);
    return JSON.parse(output) as Stripped[];
  } catch (cause) {
    if (signal.aborted) throw abortReason(signal);
    const how = late.aborted ? `did not end in ${STRIP_MS} ms` : "was ended";
    throw new BrowseError("skill_failed", `The process that reads the script ${how}`, {
      hint: "Nothing of the script has run: run it again",
      cause,
    });
  }
}
