/** Frames that nobody sees: what is in them knows nothing of it. */
import { HIDING_WAYS, type HiddenTexts, type HidingWay } from "../../security/content/hidden_text.ts";
import { readsLikeOrders } from "../../security/content/orders.ts";
import type { HiddenReason } from "../page/protocol.ts";
import type { SnapshotNode } from "./snapshot.ts";

/** Of a frame's text. UTF-16 units. */
const MAX_TEXT = 20_000;

/** Why what is in the frame of this line can't be seen; what is said of its name hides nothing. */
export function hidingOf({ hidden }: SnapshotNode): HiddenReason | undefined {
  return hidden === "aria-hidden" || hidden === "label-mismatch" ? undefined : hidden;
}

export class UnseenFrames {
  readonly #texts = new Map<HidingWay, string>();

  /** The line of a frame that is hidden so. */
  mark(line: SnapshotNode, around: HiddenReason): void {
    const isHiddenItself = hidingOf(line) !== undefined;
    if (isHiddenItself) return;
    line.hidden = around;
    const how = HIDING_WAYS.find((way) => way === around);
    const text = how === undefined ? "" : (this.#texts.get(how) ?? "");
    if (how !== undefined && text.length < MAX_TEXT) {
      this.#texts.set(how, `${text} ${line.quiet ? "" : line.name} ${line.text ?? ""}`.replace(/\s+/g, " ").trim());
    }
  }

  /** Frames without a size measure and count: nothing is meant by them unless they tell somebody what to do. */
  told(): HiddenTexts[] {
    return [...this.#texts].flatMap(([how, text]): HiddenTexts[] => {
      if (text === "") return [];
      const isOrder = readsLikeOrders(text);
      const told = { how, text: text.slice(0, 500), length: text.length, isDesign: !isOrder, readsLikeOrders: isOrder };
      return [{ texts: [told], counts: { [how]: 1 }, passages: 0 }];
    });
  }
}
