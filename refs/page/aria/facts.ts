/** What a reading has asked about an element so far; undefined what it has not. */

import type { HiddenReason } from "../protocol.ts";
import type { Color } from "./colors.ts";
import type { Effects } from "./drawing.ts";
import type { Clip } from "./visibility.ts";

export type Rendered = "opaque" | "transparent" | "not";

/** One object an element: a map for each question costs as much as asking. */
export class Facts {
  readonly element: Element;
  /** The document or shadow root that it is in. */
  root: Node | undefined = undefined;
  /** In the tree as it is drawn; null at the top. */
  parent: Facts | null | undefined = undefined;
  style: CSSStyleDeclaration | undefined = undefined;
  rendered: Rendered | undefined = undefined;
  /** Null for none. */
  role: string | null | undefined = undefined;
  /** From assistive technology. */
  hidden: boolean | undefined = undefined;
  ariaHidden: boolean | undefined = undefined;
  ariaDisabled: boolean | undefined = undefined;
  /** Has text of its own, white space aside. */
  hasText: boolean | undefined = undefined;
  /** Why a person could not see it; null when one can. */
  reason: HiddenReason | null | undefined = undefined;
  /** What its content is cut to; null for nothing. */
  clip: Clip | null | undefined = undefined;
  /** On what is drawn in it. */
  effects: Effects | undefined = undefined;
  /** Stays in its place of the window, as does what it is in. */
  isFixed: boolean | undefined = undefined;
  /** What its content stands on; null when it can't be told. */
  background: Color | null | undefined = undefined;

  constructor(element: Element) {
    this.element = element;
  }
}
