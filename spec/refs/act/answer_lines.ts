/** What an action on a stage is answered with, as it is printed; refs without their numbers. */
import { effectText } from "../../../commands/effect_text.ts";
import { clickElement } from "../../../refs/act/click.ts";
import { observeEffects } from "../../../refs/effects/effects.ts";
import type { Stage } from "./stage.ts";

interface How {
  shows?: boolean;
}

export async function answerOf(
  { tab, signal }: Stage,
  act: () => Promise<unknown>,
  { shows = true }: How = {},
): Promise<string> {
  using observer = observeEffects(tab, { signal, settles: true, shows });
  await act();
  const { line, changes, more = [] } = effectText(await observer.settle(signal));
  return [line.trim(), ...changes, ...[more].flat()].join("\n").replace(/@e\d+/g, "@");
}

/** The lines below the answer. */
export async function linesOf(stage: Stage, act: () => Promise<unknown>, how: How = {}): Promise<string[]> {
  return (await answerOf(stage, act, how)).split("\n").slice(1);
}

export async function pressing(stage: Stage, target: string, how: How = {}): Promise<string[]> {
  const { tab, signal } = stage;
  const ref = await stage.ref(target);
  return await linesOf(stage, async () => clickElement(tab, ref, { signal }), how);
}

/** A button that runs the script, and what is beside it on its page. */
export const button = (script: string, more = ""): string => `<button id=go onclick="${script}">Go</button>${more}`;
