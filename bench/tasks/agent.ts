/**
 * The shortest honest way through a task: it looks once at each page, acts on what some answer has shown, and looks again only
 * where the answer before lacked what it has to know.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Step, Target, Task } from "./task.ts";
import type { Tool } from "./tool.ts";

/** Looks at one thing, before it is given up. */
const MOST_LOOKS = 6;
/** Between two looks for what is not there yet. */
const PAUSE_MS = 300;

export interface Tally {
  calls: number;
  /** Of these, needed only because an answer before lacked something. */
  forced: number;
  characters: number;
  /** Files read that answers name: to an agent, a call of another tool. */
  reads: number;
  ms: number;
  /** What it could not do; absent when the task was done. */
  failure?: string;
}

export async function attempt(task: Task, tool: Tool, origin: string): Promise<Tally> {
  const agent = new Agent(tool);
  const startMs = performance.now();
  let failure: string | undefined;
  try {
    await agent.open(`${origin}${task.path}`);
    for (const step of task.steps) await agent.do(step);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  const { calls, forced, characters, reads } = agent;
  return {
    calls,
    forced,
    characters,
    reads,
    ms: performance.now() - startMs,
    ...(failure !== undefined && { failure }),
  };
}

class Agent {
  calls = 0;
  forced = 0;
  characters = 0;
  reads = 0;
  readonly #tool: Tool;
  /** What answers have shown of this page, the newest first. */
  #shown: string[] = [];

  constructor(tool: Tool) {
    this.#tool = tool;
  }

  async open(url: string): Promise<void> {
    for (const argv of this.#tool.open(url)) await this.#call(argv);
  }

  async do(step: Step): Promise<void> {
    const { on, to, sees, leads } = step;
    if (on) {
      const ref = await this.#refOf(on);
      const toRef = to && (await this.#refOf(to));
      if (leads) this.#shown = [];
      await this.#act(step, ref, toRef);
    }
    if (sees) await this.#see(sees, leads === true || !on);
  }

  async #act(step: Step, ref: string, toRef?: string): Promise<void> {
    const argv = this.#tool.act(step, ref, toRef);
    if (!argv) return await this.#chooseByHand(step, ref);
    const failed = await this.#call(argv);
    if (!failed || !step.on) return;
    // Something has changed that the answer before did not tell.
    this.forced += 2;
    await this.#look(false);
    const again = this.#tool.act(step, await this.#refOf(step.on), step.to && (await this.#refOf(step.to)));
    if (again && (await this.#call(again))) throw new Error(`${again.join(" ")}: ${this.#shown[0]?.slice(0, 300)}`);
  }

  /** Opens a list that is no `<select>`, and presses its option. */
  async #chooseByHand({ value = "" }: Step, ref: string): Promise<void> {
    const click = (at: string) => this.#tool.act({ do: "click" }, at) ?? [];
    const before = this.#shown;
    this.#shown = [];
    await this.#call(click(ref));
    const option = await this.#refOf({
      role: /option|menuitem|listitem|generic|clickable/,
      name: new RegExp(`"${value}"|: ${value}$`),
    });
    this.#shown.push(...before);
    await this.#call(click(option));
  }

  async #refOf(target: Target): Promise<string> {
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const ref = this.#find(target);
      if (ref !== undefined) return ref;
      this.forced++;
      await this.#look(looks > 0);
      if (looks > 1) await delay(PAUSE_MS);
    }
    throw new Error(`No ref of ${target.role} ${target.name}`);
  }

  #find(target: Target): string | undefined {
    for (const [index, shown] of this.#shown.entries()) {
      const ref = this.#tool.refOf(shown, target) ?? this.#tool.refOf(this.#more(index) ?? "", target);
      if (ref !== undefined) return ref;
    }
    return undefined;
  }

  async #see(wanted: RegExp, mayLook: boolean): Promise<void> {
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      if (wanted.test(this.#shown[0] ?? "") || wanted.test(this.#more(0) ?? "")) return;
      // The first look at a page is nobody's fault.
      if (looks > 0 || !mayLook) this.forced++;
      if (looks > 1) await delay(PAUSE_MS);
      await this.#look(true);
    }
    throw new Error(`${wanted} is not seen in: ${this.#shown[0]?.slice(0, 300)}`);
  }

  async #look(all: boolean): Promise<void> {
    await this.#call(this.#tool.look(all));
  }

  /** What the answer has in a file, read when it is needed. */
  #more(index: number): string | undefined {
    const shown = this.#shown[index] ?? "";
    const more = this.#tool.more?.(shown);
    if (more === undefined) return undefined;
    this.characters += more.length;
    this.reads++;
    this.#shown[index] = more;
    return more;
  }

  async #call(argv: readonly string[]): Promise<boolean> {
    const { text, failed } = await this.#tool.run(argv);
    this.calls++;
    this.characters += text.length + argv.join(" ").length;
    this.#shown.unshift(text);
    return failed;
  }
}
