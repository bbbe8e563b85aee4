/** The effects of actions on a stage. */
import type { EffectReport } from "../../../browser/effect_report.ts";
import { observeEffects } from "../../../refs/effects/effects.ts";
import { click, type Stage } from "./stage.ts";

interface How {
  settles?: boolean;
  shows?: boolean;
}

export async function effectOf(
  { tab, signal }: Stage,
  act: () => Promise<unknown>,
  { settles = true, shows = false }: How = {},
): Promise<EffectReport> {
  using observer = observeEffects(tab, { signal, settles, shows });
  await act();
  return settles ? await observer.settle(signal) : observer.soFar();
}

export async function pressing(stage: Stage, target: string, how: How = {}): Promise<EffectReport> {
  return await effectOf(stage, () => click(stage, target), how);
}

/** Of the page that is shown, before which nothing counts. */
export async function show(stage: Stage, html: string): Promise<void> {
  await stage.show(html);
  using _ = observeEffects(stage.tab, { signal: stage.signal, settles: false });
}
