/** The mouse, by CDP input events in page coordinates. One path for every press, so that its position has one owner. */
import { directly } from "../../browser/driver/direct_session.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { untilHandled } from "../effects/interruptions.ts";
import type { Point } from "../page/protocol.ts";

export const MOUSE_BUTTONS = ["left", "middle", "right"] as const;
export type MouseButton = (typeof MOUSE_BUTTONS)[number];

const MODIFIERS = ["Alt", "Control", "Meta", "Shift"] as const;
export type Modifier = (typeof MODIFIERS)[number];

/** Bits of `Input.dispatchMouseEvent`: Alt 1, Control 2, Meta 4, Shift 8; of `buttons`: left 1, right 2, middle 4. */
export const BUTTON_BITS: Readonly<Record<MouseButton, number>> = { left: 1, right: 2, middle: 4 };

export interface MousePress {
  button: MouseButton;
  clickCount: number;
  modifiers: readonly Modifier[];
}

type MouseEventType = "mouseMoved" | "mousePressed" | "mouseReleased";

export class Mouse {
  readonly #tab: Tab;
  readonly #press: MousePress;

  constructor(tab: Tab, press: Partial<MousePress> = {}) {
    this.#tab = tab;
    this.#press = { button: "left", clickCount: 1, modifiers: [], ...press };
  }

  /** Moves there, then presses and releases, twice for a double click; one after the other without waiting between. */
  async click(point: Point): Promise<void> {
    const events = [this.move(point)];
    for (let count = 1; count <= this.#press.clickCount; count++) {
      events.push(this.#send("mousePressed", point, count), this.#send("mouseReleased", point, count));
    }
    await Promise.all(events);
  }

  async move(point: Point, held = false): Promise<void> {
    await this.#send("mouseMoved", point, 0, held);
  }

  async down(point: Point): Promise<void> {
    await this.#send("mousePressed", point, 1);
  }

  async up(point: Point): Promise<void> {
    await this.#send("mouseReleased", point, 1);
  }

  get modifierBits(): number {
    return this.#press.modifiers.reduce((bits, modifier) => bits | (1 << MODIFIERS.indexOf(modifier)), 0);
  }

  async #send(type: MouseEventType, { x, y }: Point, clickCount: number, held = false): Promise<void> {
    const { button } = this.#press;
    const isDown = type === "mousePressed" || held;
    const cdp = directly(await this.#tab.cdp());
    if (type !== "mouseMoved") this.#tab.noteInput();
    const sent = cdp.send("Input.dispatchMouseEvent", {
      type,
      x,
      y,
      button: type === "mouseMoved" && !held ? "none" : button,
      buttons: isDown ? BUTTON_BITS[button] : 0,
      clickCount,
      modifiers: this.modifierBits,
    });
    await untilHandled(this.#tab, sent);
  }
}
