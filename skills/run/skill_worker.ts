/** A process that does one skill's jobs, one after another, with a token of its own that ends with it. */
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { abortable, abortReason } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import type { SkillError, SkillLoad } from "../../rpc/protocol.ts";
import type { Channel } from "../../rpc/wire/server.ts";
import { cutText } from "../../security/content/cut_text.ts";
import { nameShown } from "../../security/content/invisible.ts";
import type { Approvals } from "./approvals.ts";
import type { OwnTime } from "./own_time.ts";
import { ScriptLog } from "./script_log.ts";
import type { Exit, SkillProcess } from "./skill_process.ts";

/** Takes the process's channel as a connection of its token; `hear` is told of what is not about a call. */
export type Attach = (stream: Duplex, hear: (method: string, params: Record<string, unknown>) => void) => Channel;

export interface WorkerOptions {
  /** The skill's. */
  name: string;
  /** Gives the process, which has a channel. Throws `unsupported`. */
  start: () => Promise<SkillProcess>;
  load: SkillLoad;
  /** Of the job that runs. */
  time: OwnTime;
  /** The person who allows what it does. */
  approvals?: Pick<Approvals, "isUnanswered" | "begin"> | undefined;
  attach: Attach;
  /** Told of each line that the script prints. */
  onLog: (line: string) => void;
  /**
   * Ends the token, and closes the tabs that are its. `isDone`: each of its jobs gave a value; `gone` resolves when the process
   * is, which need not be waited for first. Never rejects.
   */
  release: (how: { isDone: boolean; gone: Promise<void> }) => Promise<void>;
}

export interface Job {
  timeoutMs: number;
  /** Ends the worker too. */
  signal: AbortSignal;
}

interface Waiting {
  id: string;
  settle: (outcome: { value: unknown } | { error: SkillError }) => void;
}

/** A process that closes its channel is about to end, or would go on unheard. */
const LEAVE_MS = 500;

export class SkillWorker {
  readonly #options: WorkerOptions;
  readonly #process: SkillProcess;
  readonly #channel: Channel;
  readonly #log: ScriptLog;
  #waiting: Waiting | undefined;
  #jobs = 0;
  /** Of the jobs, those that gave a value. */
  #done = 0;
  #ending: Promise<void> | undefined;

  /** Throws `unsupported` when no process can be started; the token is released then. */
  static async start(options: WorkerOptions): Promise<SkillWorker> {
    try {
      return new SkillWorker(options, await options.start());
    } catch (error) {
      await options.release({ isDone: false, gone: Promise.resolve() });
      throw error;
    }
  }

  private constructor(options: WorkerOptions, process: SkillProcess) {
    this.#options = options;
    this.#process = process;
    this.#log = new ScriptLog({ onLine: options.onLog, onFlood: () => this.#endFor("printed without end") });
    for (const output of process.outputs) this.#log.follow(output);
    this.#channel = options.attach(process.channel, (method, params) => this.#hear(method, params));
    void this.#channel.gone().then(() => this.#hangUp());
    void process.exited.then(() => this.end());
    this.#channel.notify("skill.load", options.load).catch(() => undefined);
  }

  /** No job can be given to it any more. */
  get isOver(): boolean {
    return this.#ending !== undefined;
  }

  /**
   * What `main` gave. Throws `skill_failed`; and `timeout`, `cancelled` or what else the signal says, with which the worker
   * ends. One job at a time.
   */
  async run(args: Record<string, unknown>, { timeoutMs, signal }: Job): Promise<unknown> {
    if (signal.aborted) throw abortReason(signal);
    if (this.isOver || this.#waiting)
      throw new BrowseError("internal", `A worker of "${this.#options.name}" is not free`);
    const id = String(++this.#jobs);
    const { promise: outcome, resolve: settle } = Promise.withResolvers<{ value: unknown } | { error: SkillError }>();
    this.#waiting = { id, settle };
    this.#options.approvals?.begin(args);
    // One that is gone has an exit to tell of.
    this.#channel.notify("skill.job", { id, args }).catch(() => undefined);
    const late = this.#options.time.begin(timeoutMs);
    try {
      const first = Promise.race([outcome, this.#process.exited]);
      const ended = await abortable(first, AbortSignal.any([signal, late]));
      if ("value" in ended) {
        this.#done++;
        return ended.value;
      }
      throw "error" in ended ? this.#thrown(ended.error) : this.#exited(ended);
    } catch (error) {
      if (!late.aborted && !signal.aborted) throw error;
      await this.#process.terminate();
      await this.end();
      throw signal.aborted ? abortReason(signal) : this.#timedOut(timeoutMs);
    } finally {
      this.#options.time.end();
      this.#waiting = undefined;
    }
  }

  /** Ends the process and its token. Never rejects. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    const gone = this.#process.kill();
    await this.#options.release({ isDone: this.#jobs > 0 && this.#done === this.#jobs, gone });
    this.#log.end();
  }

  #hear(method: string, params: Record<string, unknown>): void {
    const waiting = this.#waiting;
    if (method !== "skill.result" || !waiting || params.id !== waiting.id) return;
    if ("value" in params) waiting.settle({ value: params.value });
    else waiting.settle({ error: errorIn(params.error) });
  }

  async #hangUp(): Promise<void> {
    const hasLeft = await Promise.race([this.#process.exited.then(() => true), pause(LEAVE_MS, false)]);
    if (hasLeft || this.isOver) return;
    this.#endFor("closed its channel");
  }

  #endFor(deed: string): void {
    this.#process.endedFor ??= new BrowseError("skill_failed", `${this.#subject} ${deed}, and was ended`);
    void this.end();
  }

  get #subject(): string {
    return `The skill "${this.#options.name}"`;
  }

  /** Its tab is closed by now: what a call's own hint says of the page leads nowhere. */
  get #lookCloser(): string {
    const { name } = this.#options;
    return `Its log says more; \`browse skill check ${name} --live\` looks at its page again, and \`browse skill show ${name}\` says where its script is`;
  }

  /** All of it is the script's word, also what says that it is the daemon's: quoted, and no hint of ours. */
  #thrown({ message, kind, hint = "" }: SkillError): BrowseError {
    // Its word alone would not do.
    if (kind === "confirmation_required" && this.#options.approvals?.isUnanswered) return this.#unanswered();
    const advice = hint === "" ? "" : `, with the hint ${quote(hint)}`;
    return new BrowseError("skill_failed", `${this.#subject} failed: ${quote(message)}${advice}`, {
      hint: this.#lookCloser,
      details: {
        ...(kind !== undefined && { error: { kind, message, ...(hint !== "" && { hint }) } }),
        log: this.#log.lastLines,
      },
    });
  }

  #unanswered(): BrowseError {
    const { name } = this.#options;
    return new BrowseError("confirmation_required", `${this.#subject} waited for a person, and nobody has answered`, {
      hint: `Agree to all that it does with \`browse skill trust ${name}\` at a terminal, or run it again and allow each action with the \`browse confirm <id>\` that it tells of`,
      details: { log: this.#log.lastLines },
    });
  }

  #exited({ code, signal }: Exit): BrowseError {
    const { endedFor } = this.#process;
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
    const message = endedFor?.message ?? `${this.#subject} ended ${how}, and gave no result`;
    return new BrowseError("skill_failed", message, {
      hint: this.#lookCloser,
      details: {
        ...(code !== null && { exitCode: code }),
        ...(signal !== null && { signal }),
        log: this.#log.lastLines,
      },
    });
  }

  #timedOut(timeoutMs: number): BrowseError {
    return new BrowseError("timeout", `${this.#subject} did not end in ${timeoutMs} ms, and was ended`, {
      hint: "Give more time with `--timeout <ms>`; look at what it has done before you run it again",
      details: { timeoutMs, log: this.#log.lastLines },
    });
  }
}

/** Characters of a script's words in a message of ours. */
const MAX_QUOTED = 200;

/** On one line, whatever is in it. */
function quote(text: string): string {
  return nameShown(JSON.stringify(cutText(text, MAX_QUOTED)));
}

/** Characters of what a script says of its error. */
const MAX_SAID = 10_000;

function errorIn(value: unknown): SkillError {
  const { message, kind, hint } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const said = (text: unknown) => (typeof text === "string" ? text.slice(0, MAX_SAID) : undefined);
  const [knownKind, knownHint] = [said(kind), said(hint)];
  return {
    message: said(message) ?? "It gave no message",
    ...(knownKind !== undefined && { kind: knownKind }),
    ...(knownHint !== undefined && { hint: knownHint }),
  };
}
