/** Asks the documents that an action touched what has changed in them, as long as they are there to answer. */

import { abortable } from "../../abort.ts";
import type { EffectReport } from "../../browser/effect_report.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import type { Changes } from "../page/effects/protocol.ts";
import { ask } from "../reader.ts";
import type { ActionEvents } from "./action_events.ts";
import { type Look, NONE, together } from "./changes_look.ts";
import type { Coming } from "./effect_waits.ts";
import { untilLeaving } from "./interruptions.ts";
import { readChanges } from "./shown_changes.ts";
import { lastSeen, touchedFrames, workLeft } from "./touched_frames.ts";

/** For the page to say which lines have changed. */
const LINES_MS = 1_000;
/** Changes seen so lately need not be asked for again. */
const FRESH_MS = 5;

export class Looks {
  readonly #tab: Tab;
  readonly #seen: ActionEvents;
  #coming: Coming = { closing: false };
  #downloading: string | undefined;

  constructor(tab: Tab, seen: ActionEvents) {
    this.#tab = tab;
    this.#seen = seen;
  }

  /** What the page said at the last look was about to come; whoever has waited for it takes it out. */
  get coming(): Coming {
    return this.#coming;
  }

  /** The address of the first file that the page asked for. */
  get downloading(): string | undefined {
    return this.#downloading;
  }

  /** Nobody is there to ask, or what is there is not what was acted on, or it is about to be left. */
  get isElsewhere(): boolean {
    const { isNewDocument, isNavigating, asked } = this.#seen;
    return (
      !this.#tab.isOpen || this.#tab.dialogs.open !== undefined || isNewDocument || isNavigating || asked !== undefined
    );
  }

  /** What has changed so far; undefined when the page leaves before it answers. */
  async look(signal: AbortSignal): Promise<Look | undefined> {
    if (this.isElsewhere) return undefined;
    using leaving = untilLeaving(this.#tab);
    const frames = touchedFrames(this.#tab);
    const looks = frames.map(async (frame) => {
      const seen = lastSeen(this.#tab, frame, FRESH_MS);
      // A frame that went, or whose document did, is a change that the frame around it has seen.
      const changes = seen ?? (await ask(frame, "changes", {}, { signal }).catch((): Changes => NONE));
      return { frame, changes };
    });
    const told = Promise.all([Promise.all(looks), workLeft(this.#tab), this.#tab.frameSessions.untilTold(frames)]);
    const [all, left] = (await abortable(Promise.race([told, leaving.promise]), signal)) ?? [];
    if (!all || !left) return undefined;
    const look = together(all, left);
    this.#coming = { closing: look.closing, choosing: look.choosing, downloading: look.downloading };
    this.#downloading ??= look.downloading;
    return look;
  }

  /** Which lines have changed; nothing when the page leaves before it answers. */
  async lines(signal: AbortSignal): Promise<Pick<EffectReport, "changes" | "moreChanges">> {
    if (this.isElsewhere) return {};
    using leaving = untilLeaving(this.#tab);
    // It is done: a page that takes its time to say what it looks like now makes nothing unknown.
    const late = AbortSignal.any([signal, AbortSignal.timeout(LINES_MS)]);
    const read = readChanges(this.#tab, touchedFrames(this.#tab), late);
    const shown = await abortable(Promise.race([read, leaving.promise]), late).catch(() => undefined);
    if (!shown || shown.changes.length === 0) return {};
    return { changes: shown.changes, ...(shown.more > 0 && { moreChanges: shown.more }) };
  }
}
