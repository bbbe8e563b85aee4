/**
 * What the guards of a tab's documents tell the moment they see it: a press that makes the page leave takes the guard
 * along, and who asks the next document learns nothing.
 */

import type { CDPSession } from "playwright";
import { directly } from "../../browser/driver/direct_session.ts";
import { worldName } from "../../browser/driver/world.ts";
import type { StateKey } from "../../browser/state_of.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { HIT_REPORT } from "../page/act/hit_report_name.ts";
import type { Seen } from "../page/act/protocol.ts";
import type { DocumentId } from "../page/protocol.ts";
import type { Ref } from "../ref_table.ts";
import { closeNewDocuments } from "./new_documents.ts";

const HIT_REPORTS: StateKey<Tab, HitReports> = { make: (tab) => new HitReports(tab) };

export function hitReportsOf(tab: Tab): HitReports {
  return tab.pageState.get(HIT_REPORTS);
}

class HitReports {
  readonly #tab: Tab;
  #world: Promise<string | undefined> | undefined;
  readonly #seen = new Map<DocumentId, Seen>();
  readonly #listenedTo = new WeakSet<CDPSession>();
  /** Open the documents that come from then on to presses. */
  #reopen: (() => void)[] = [];

  constructor(tab: Tab) {
    this.#tab = tab;
  }

  /**
   * Forgets the last press, lets the guard of the ref's document speak, and keeps the press out of the documents that come
   * until `end`.
   */
  async begin(ref: Pick<Ref, "frame" | "doc">): Promise<void> {
    this.#seen.clear();
    this.end();
    this.#world ??= worldName(this.#tab.page);
    const world = await this.#world;
    if (!world) return;
    const [page, own] = await Promise.all([this.#tab.cdp(), this.#tab.frameSessions.of(ref.frame, ref.doc)]);
    const closing = [...new Set([page, own])].map((cdp) => closeNewDocuments(cdp, world));
    const [reopen] = await Promise.all([Promise.all(closing), this.#hear(own, world)]);
    this.#reopen = reopen;
  }

  /** The press has arrived, or never will. */
  end(): void {
    for (const reopen of this.#reopen) reopen();
    this.#reopen = [];
  }

  /** What the document's guard has told of the press. */
  sawIn(doc: DocumentId): Seen["press"] {
    return this.#seen.get(doc)?.press ?? "none";
  }

  /** Before each press: a page that comes back from the history has lost the debugger's ear. */
  async #hear(cdp: CDPSession, executionContextName: string): Promise<void> {
    this.#listen(cdp);
    // Refused when the frame has just left, which the look at the element will say.
    await directly(cdp).send("Runtime.addBinding", { name: HIT_REPORT, executionContextName }).catch(ignored);
  }

  #listen(cdp: CDPSession): void {
    if (this.#listenedTo.has(cdp)) return;
    this.#listenedTo.add(cdp);
    cdp.on("Runtime.bindingCalled", ({ name, payload }) => {
      if (name !== HIT_REPORT) return;
      const seen = JSON.parse(payload) as Seen;
      this.#seen.set(seen.doc, seen);
    });
  }
}

function ignored(): undefined {
  return undefined;
}
