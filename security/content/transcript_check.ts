/**
 * L4b of the content guard: what a program or a service of the user's choice says of a text, such as an agent's own
 * language model. Nothing is asked unless the user's `config.json` names one.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import * as v from "valibot";

const Http = v.pipe(
  v.string(),
  v.check((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "must be an http or https address"),
);

export const TranscriptCheckSchema = v.pipe(
  v.strictObject({
    /** A program and its arguments: the text comes on standard input, the answer goes to standard output. */
    command: v.exactOptional(
      v.pipe(v.array(v.pipe(v.string(), v.minLength(1))), v.minLength(1, "must name a program")),
    ),
    /** The text comes as `{"text": …}` by POST. */
    url: v.exactOptional(Http),
    /** Default 10. */
    timeoutSeconds: v.exactOptional(v.pipe(v.number(), v.minValue(0.1), v.maxValue(300))),
  }),
  v.check(({ command, url }) => (command === undefined) !== (url === undefined), 'must have "command" or "url"'),
);

export type TranscriptCheckConfig = v.InferOutput<typeof TranscriptCheckSchema>;

export interface TranscriptScore {
  /** 0 to 1: how likely it is that the text is meant to steer whoever reads it. */
  score: number;
  /** Why, in the words of whoever was asked; cut at 200 characters. */
  reason?: string;
}

interface TranscriptCheckOptions {
  /** What the user's config says now; undefined when it asks for no check. */
  config: () => TranscriptCheckConfig | undefined;
  /** Takes secrets out of what is sent. */
  redact: (text: string) => string;
}

const AnswerSchema = v.looseObject({
  score: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  reason: v.exactOptional(v.string()),
});

const DEFAULT_TIMEOUT_SECONDS = 10;
/** Of a longer text, the beginning is sent. UTF-16 units. */
const MAX_TEXT = 24_000;
const LOOK_AHEAD = 4_000;
/** An answer is one number and a sentence. Bytes. */
const MAX_ANSWER = 65_536;
const MAX_REASON = 200;

export class TranscriptCheck {
  readonly #options: TranscriptCheckOptions;

  constructor(options: TranscriptCheckOptions) {
    this.#options = options;
  }

  /**
   * Undefined when no check is configured; `missing` says why a configured one gave no score. Never rejects: when `signal`
   * aborts, the check is missing.
   */
  async score(
    text: string,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<TranscriptScore | { missing: string } | undefined> {
    try {
      const config = this.#options.config();
      if (!config) return undefined;
      const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = config;
      const deadline = AbortSignal.timeout(timeoutSeconds * 1_000);
      // Redacted before it is cut: a secret is not to be known by its first half.
      const sent = this.#options
        .redact(text.slice(0, MAX_TEXT + LOOK_AHEAD))
        .slice(0, MAX_TEXT)
        .toWellFormed();
      const ends = signal ? AbortSignal.any([signal, deadline]) : deadline;
      return await answerOf(config, sent, ends).catch((error: unknown) => {
        if (deadline.aborted) return { missing: `The transcript check did not answer within ${timeoutSeconds} s` };
        throw error;
      });
    } catch (error) {
      return { missing: `The transcript check failed: ${error instanceof Error ? error.message : String(error)}` };
    }
  }
}

async function answerOf(
  { command, url }: TranscriptCheckConfig,
  text: string,
  signal: AbortSignal,
): Promise<TranscriptScore> {
  const answer = command ? await askProgram(command, text, signal) : await askService(url ?? "", text, signal);
  const parsed = v.safeParse(AnswerSchema, parsedJson(answer));
  if (!parsed.success) throw new Error('its answer is not {"score": 0 to 1, "reason": …}');
  const { score, reason } = parsed.output;
  return { score, ...(reason && { reason: reason.slice(0, MAX_REASON).toWellFormed() }) };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function askProgram(command: readonly string[], text: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true,
    // Of a group of its own, so that what it starts ends with it.
    detached: process.platform !== "win32",
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("BROWSE_"))),
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  child.once("error", reject);
  child.once("close", (code, by) =>
    code === 0 ? resolve() : reject(new Error(`"${program}" ended with ${by ?? code}`)),
  );
  const onAbort = () => reject(new Error("it was cancelled"));
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    // It may answer without having read all.
    child.stdin.on("error", () => undefined).end(text);
    const [output] = await Promise.all([outputOf(child, reject), ended]);
    return output;
  } finally {
    signal.removeEventListener("abort", onAbort);
    endGroup(child);
  }
}

async function outputOf(
  child: ChildProcessByStdio<Writable, Readable, null>,
  fail: (error: Error) => void,
): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  child.stdout.on("data", (part: Buffer) => {
    size += part.length;
    if (size > MAX_ANSWER) fail(new Error(`its answer has over ${MAX_ANSWER} bytes`));
    else parts.push(part);
  });
  await new Promise((resolve) => child.once("close", resolve));
  return Buffer.concat(parts).toString("utf8");
}

function endGroup({ pid, exitCode, signalCode }: ChildProcessByStdio<Writable, Readable, null>): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}

async function askService(url: string, text: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text }),
    // The text goes where the user said, and nowhere else.
    redirect: "error",
    signal,
  });
  if (!response.ok) throw new Error(`"${new URL(url).origin}" answered with ${response.status}`);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_ANSWER) throw new Error(`its answer has over ${MAX_ANSWER} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
