/** Plays generated sessions in a real page, and hears from the page what came of each action. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame } from "playwright";
import { setChecked } from "../../../refs/act/check.ts";
import { clickElement, hover } from "../../../refs/act/click.ts";
import { fill } from "../../../refs/act/fill.ts";
import { resolve } from "../../../refs/find/target.ts";
import { locatorOf } from "../../../refs/reader.ts";
import { type Ref, refsOf } from "../../../refs/ref_table.ts";
import { takeSnapshot } from "../../../refs/snapshot/snapshot.ts";
import { openStage, type Stage } from "../act/stage.ts";
import { type Heard, judge, type Played, type State } from "./judge.ts";
import type { PageSpec, Round, Session, Step } from "./sequences.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../fixtures/random.html"), "utf8");

const ACTIONS: Readonly<Record<string, readonly Played["action"][]>> = {
  checkbox: ["check", "check", "click"],
  textbox: ["fill", "fill", "click"],
  switch: ["click"],
  button: ["click", "click", "hover and click"],
  link: ["click", "hover and click"],
};

/** The driver waits for an entry that another navigation has put aside. */
const MAX_HISTORY_MS = 2000;

/** A ref with what the page itself calls the element. */
interface Given {
  ref: Ref;
  id: string;
}

export class Player implements AsyncDisposable {
  readonly played: Played[] = [];
  /** Times that Chromium's renderer gave up on a page: nothing can be said of what was played then. */
  crashes = 0;
  #stage: Stage;
  #heard: Heard[] = [];

  private constructor(stage: Stage) {
    this.#stage = stage;
  }

  static async open(): Promise<Player> {
    const player = new Player(await openStage());
    await player.#begin();
    return player;
  }

  /** Throws what the first action did wrong. */
  async play(session: Session): Promise<void> {
    try {
      await this.#play(session);
    } catch (error) {
      if (!isCrash(error)) throw error;
      this.crashes++;
      await this.#stage[Symbol.asyncDispose]();
      this.#stage = await openStage();
      await this.#begin();
    }
  }

  async #begin(): Promise<void> {
    await this.#stage.tab.page.exposeBinding("record", (_source, heard: Heard) => this.#heard.push(heard));
    await this.#stage.show(PAGE, { "/page": PAGE });
  }

  async #play({ home, other, rounds }: Session): Promise<void> {
    await this.#goto(home);
    const given: Ref[] = [];
    for (const round of rounds) {
      const played = await this.#round(round, other, given);
      if (!played) continue;
      this.played.push(played);
      const wrong = judge(played);
      if (wrong) throw new Error(`${wrong}\n${JSON.stringify(played, null, 1)}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stage[Symbol.asyncDispose]();
  }

  /** Undefined when the page has nothing to act on. */
  async #round(round: Round, other: PageSpec, given: Ref[]): Promise<Played | undefined> {
    const { tab, signal } = this.#stage;
    const { nodes } = await takeSnapshot(tab, { interactive: true, signal });
    const now = nodes.filter(({ role, ref }) => ref && ACTIONS[role]).map(({ ref }) => refsOf(tab).find(ref!));
    const chosen = await this.#choose(round, now, given);
    given.push(...now);
    if (!chosen) return undefined;
    let isPlain = true;
    for (const step of round.steps) {
      if (step.do === "arm" || (step.do === "change" && step.change.op === "leave")) isPlain = false;
      await this.#step(step, chosen, other);
    }
    const before = isPlain ? await this.#stateOf(chosen) : undefined;
    this.#heard = [];
    const actions = ACTIONS[chosen.ref.role]!;
    const played = await this.#act(chosen, actions[round.action % actions.length]!);
    const after = await this.#calm(chosen);
    const { id, role, name } = chosen.ref;
    return { ref: { id, role, name }, id: chosen.id, before, after, ...played, heard: this.#heard };
  }

  async #choose({ pick, old }: Round, now: Ref[], given: Ref[]): Promise<Given | undefined> {
    const among = old && given.length > 0 ? given : now;
    const ref = among[pick % among.length];
    if (!ref) return undefined;
    const id = await identify(ref);
    // One that is gone already can still be asked for: it has no identity any more, so nothing may happen.
    return { ref, id: id ?? "gone" };
  }

  async #act({ ref }: Given, action: Played["action"]): Promise<Pick<Played, "action" | "ms" | "error" | "changed">> {
    const { tab, signal } = this.#stage;
    let started = performance.now();
    try {
      const target = await resolve(tab, ref.id, { signal });
      let changed = true;
      if (action === "check") changed = await setChecked(tab, target, true, { signal });
      else if (action === "fill") await fill(tab, target, `text ${started}`, { signal });
      else {
        if (action === "hover and click") {
          await hover(tab, target, { signal });
          started = performance.now();
        }
        await clickElement(tab, target, { signal });
      }
      return { action, changed, ms: performance.now() - started, error: undefined };
    } catch (error) {
      return { action, changed: false, ms: performance.now() - started, error };
    }
  }

  async #step(step: Step, { ref, id }: Given, other: PageSpec): Promise<void> {
    const { page } = this.#stage.tab;
    switch (step.do) {
      case "change": {
        const frames = page.frames();
        const frame = step.elsewhere === undefined ? ref.frame : frames[step.elsewhere % frames.length]!;
        return await tell(frame, "apply", step.change, id);
      }
      case "arm":
        return await tell(ref.frame, "arm", step.armed, id);
      case "goto":
        return await this.#goto(other);
      case "reload":
        return void (await page.reload().catch(interrupted));
      case "back":
        return void (await page.goBack({ timeout: MAX_HISTORY_MS }).catch(interrupted));
      case "forward":
        return void (await page.goForward({ timeout: MAX_HISTORY_MS }).catch(interrupted));
    }
  }

  async #goto(spec: PageSpec): Promise<void> {
    const { tab, origin, other } = this.#stage;
    const address = `${origin}/page?${encodeURIComponent(JSON.stringify({ ...spec, origin, other }))}`;
    await tab.page.goto(address).catch(interrupted);
  }

  /** What the page says of the element. */
  async #stateOf({ ref, id }: Given): Promise<State> {
    const isGone = ref.frame.isDetached() || id === "gone";
    const own = isGone ? undefined : await evaluate<State>(ref.frame, `window.stateOf?.(${JSON.stringify(id)})`);
    const covers = await Promise.all(
      around(ref.frame).map((frame) => evaluate<boolean>(frame, "document.querySelector('.cover') !== null")),
    );
    return { ...(own ?? { here: false }), cover: covers.includes(true) };
  }

  /** What is under way in the page comes to an end, and all that it had to say has been heard. */
  async #calm(chosen: Given): Promise<State> {
    const after = await this.#stateOf(chosen);
    await Promise.all(this.#stage.tab.page.frames().map((frame) => evaluate(frame, "window.calm?.()")));
    return after;
  }
}

function isCrash(error: unknown): boolean {
  return error instanceof Error && /(Page|Target) crashed/.test(error.message);
}

async function evaluate<Answer>(frame: Frame, script: string): Promise<Answer | undefined> {
  return await frame.evaluate<Answer>(script).catch(interrupted);
}

async function identify(ref: Ref): Promise<string | undefined> {
  if (ref.frame.isDetached()) return undefined;
  const [handle] = await locatorOf(ref.frame, ref).elementHandles();
  const id = await handle?.evaluate((element) => (globalThis as unknown as PageGlobals).identityOf(element));
  await handle?.dispose();
  return id;
}

interface PageGlobals {
  identityOf(element: unknown): string;
}

async function tell(frame: Frame, what: "apply" | "arm", told: unknown, id: string): Promise<void> {
  if (frame.isDetached()) return;
  await evaluate(frame, `window.${what}?.(${JSON.stringify(told)}, ${JSON.stringify(id)})`);
}

function around(frame: Frame): Frame[] {
  const frames: Frame[] = [];
  for (let at: Frame | null = frame; at && !at.isDetached(); at = at.parentFrame()) frames.push(at);
  return frames;
}

/** Steps cut each other short, as they do in real pages: a frame leaves, a navigation overtakes another. */
function interrupted(error: unknown): undefined {
  const known =
    /interrupted by another|ERR_ABORTED|detached|context was destroyed|Cannot find context|closed|not attached to an active page|Timeout/i;
  if (error instanceof Error && known.test(error.message)) return undefined;
  throw error;
}
