/** The mouse moved by hand: where it is and which buttons are down, by tab, from one command to the next. */

import { abortable } from "../../../abort.ts";
import type { StateKey } from "../../../browser/state_of.ts";
import type { Tab } from "../../../browser/tabs/tab.ts";
import { BUTTON_BITS, type MouseButton } from "../../../refs/act/mouse.ts";
import { untilBlocked } from "../../../refs/effects/interruptions.ts";
import { untilWatched } from "../../../refs/effects/touched_frames.ts";
import type { Point } from "../../../refs/page/protocol.ts";

export type PointerMove =
  | ({ action: "move" } & Point)
  | { action: "down" | "up"; button: MouseButton }
  /** CSS pixels to the right and down. */
  | ({ action: "wheel" } & Point);

interface Pointer extends Point {
  /** Bits of the buttons that are down. */
  down: number;
}

const POINTER: StateKey<Tab, Pointer> = { make: () => ({ x: 0, y: 0, down: 0 }) };

/** Where the mouse is then, in the viewport. */
export async function movePointer(tab: Tab, move: PointerMove, { signal }: { signal: AbortSignal }): Promise<Point> {
  const next = pointerAfter(tab.state.get(POINTER), move);
  tab.state.set(POINTER, next);
  const cdp = await tab.cdp();
  const { x, y } = next;
  if ((await untilWatched(tab, signal)) === "blocked") return { x, y };
  tab.noteInput();
  await abortable(untilBlocked(tab, cdp.send("Input.dispatchMouseEvent", { ...eventOf(move, next), x, y })), signal);
  return { x, y };
}

function pointerAfter(now: Pointer, move: PointerMove): Pointer {
  if (move.action === "move") return { ...now, x: move.x, y: move.y };
  if (move.action === "wheel") return now;
  const bit = BUTTON_BITS[move.button];
  return { ...now, down: move.action === "down" ? now.down | bit : now.down & ~bit };
}

function eventOf(move: PointerMove, { down }: Pointer) {
  switch (move.action) {
    case "move":
      return { type: "mouseMoved" as const, button: heldButton(down), buttons: down };
    case "wheel":
      return { type: "mouseWheel" as const, deltaX: move.x, deltaY: move.y, buttons: down };
    default: {
      const type = move.action === "down" ? ("mousePressed" as const) : ("mouseReleased" as const);
      return { type, button: move.button, buttons: down, clickCount: 1 };
    }
  }
}

function heldButton(down: number): MouseButton | "none" {
  const [button] = Object.entries(BUTTON_BITS).find(([, bit]) => (down & bit) !== 0) ?? ["none"];
  return button as MouseButton | "none";
}
