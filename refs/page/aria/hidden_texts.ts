/** Collects, on the way of a reading, what nobody sees of the text that it comes upon. */

import type { HiddenText, HiddenTexts, HidingWay } from "../../../security/content/hidden_text.ts";
import { readsLikeOrders } from "../../../security/content/orders.ts";
import { closestAcross, fold, rectOf } from "../dom/dom.ts";
import type { HiddenReason } from "../protocol.ts";
import { isForScreenReaders } from "./clips.ts";
import type { Reading } from "./reading.ts";
import type { Visibility } from "./visibility.ts";

/** Of each way that many are kept, so much of each. UTF-16 units. */
const MAX_KEPT = 10;
const MAX_TEXT = 500;
/** Pieces of text that are looked at closely; more are only counted. */
const MAX_PIECES = 5_000;
/** Pieces that follow each other are one text, up to so much of it. */
const MAX_JOINED = 20_000;
/** How far up it is looked for what moves or cuts. */
const MAX_LEVELS = 12;
/** Further out of reach than this is nothing that comes in by and by. CSS pixels. */
const FAR = 1_000;

/** What is pressed, and what opens and closes. */
const WIDGETS =
  "a, button, input, select, textarea, label, summary, details, option, nav, menu, dialog, [popover], [tabindex], [inert], [aria-live], " +
  "[contenteditable], [role=navigation], [role=menu], [role=menubar], [role=menuitem], [role=listbox], [role=option], [role=tooltip], " +
  "[role=dialog], [role=alertdialog], [role=tab], [role=tablist], [role=tabpanel], [role=button], [role=link], [role=combobox], " +
  "[role=tree], [role=status], [role=alert], [role=slider], [role=switch], [role=checkbox], [role=radio], [role=search]";

/** What opens and closes over the page, and is no part of what it says. */
const OVERLAYS =
  "nav, menu, select, dialog, [popover], [role=navigation], [role=menu], [role=menubar], [role=listbox], [role=tooltip], " +
  "[role=dialog], [role=alertdialog], [role=status], [role=alert]";
/** Shorter ones in what is pressed are words on things, not prose. */
const LONG = 40;

/** These are hidden from nobody who looks, or shown to nobody at all: menus, templates, other tabs. */
const NO_WAYS: ReadonlySet<HiddenReason> = new Set(["display", "visibility", "aria-hidden"]);

interface Kind extends Pick<HiddenText, "how" | "isDesign"> {
  /** UTF-16 units from which on it is a passage of the page. */
  passageFrom: number;
}

export class HiddenCollector {
  readonly #reading: Reading;
  readonly #visibility: Visibility;
  readonly #kept = new Map<HidingWay, HiddenText[]>();
  readonly #counts: HiddenTexts["counts"] = {};
  #passages = 0;
  #left = MAX_PIECES;
  /** What further pieces may belong to. */
  #open: { kind: Kind; text: string } | undefined;

  constructor(reading: Reading, visibility: Visibility) {
    this.#reading = reading;
    this.#visibility = visibility;
  }

  /** A piece of text in an element that is hidden so. */
  add(element: Element, content: string, reason: HiddenReason): void {
    if (NO_WAYS.has(reason) || !/\S/.test(content)) return;
    const how = reason as HidingWay;
    if (this.#left-- <= 0) {
      this.#counts[how] = (this.#counts[how] ?? 0) + 1;
      return;
    }
    const kind = this.#kindOf(element, how);
    const open = this.#open;
    if (open && open.kind.how === kind.how && open.kind.isDesign === kind.isDesign && open.text.length < MAX_JOINED) {
      // A name is told beside the text that it comes from.
      if (!open.text.endsWith(content)) open.text += this.#isInLine(element) ? content : ` ${content}`;
      return;
    }
    this.endText();
    this.#open = { kind, text: content };
  }

  /** What is seen stands between the last piece and the next. */
  endText(): void {
    if (!this.#open) return;
    const { kind, text } = this.#open;
    this.#open = undefined;
    const told = fold(text);
    if (told === "") return;
    // A single word is the name of an icon, or a mark.
    if (told.length >= kind.passageFrom && /\s/.test(told)) this.#passages++;
    this.#keep(kind, told);
  }

  /** An element that is called something else than it shows. */
  addName(element: Element, name: string, shows: string): void {
    if (this.#left-- <= 0) return;
    // The letters that an icon is drawn by.
    const isDesign = !/\s/.test(shows.trim()) && closestAcross(element, WIDGETS) !== undefined;
    this.#keep({ how: "label-mismatch", isDesign }, name, shows.slice(0, MAX_TEXT));
  }

  /** Nothing when all was seen. */
  answer(): { hidden?: HiddenTexts } {
    this.endText();
    const texts = [...this.#kept.values()].flat();
    return texts.length > 0 ? { hidden: { texts, counts: this.#counts, passages: this.#passages } } : {};
  }

  #isInLine(element: Element): boolean {
    return this.#reading.styleOf(element).display === "inline";
  }

  #keep({ how, isDesign }: Pick<Kind, "how" | "isDesign">, text: string, shows?: string): void {
    this.#counts[how] = (this.#counts[how] ?? 0) + 1;
    const { length } = text;
    const kept = this.#kept.get(how) ?? [];
    this.#kept.set(how, kept);
    const told = { how, text: text.slice(0, MAX_TEXT), length, isDesign, readsLikeOrders: readsLikeOrders(text) };
    kept.push(shows === undefined ? told : { ...told, shows });
    if (kept.length <= MAX_KEPT) return;
    kept.splice(kept.indexOf(kept.reduce((least, each) => (isLess(each, least) ? each : least))), 1);
  }

  #kindOf(element: Element, how: HidingWay): Kind {
    if (how === "clipped" && this.#ancestors(element).some((at) => isForScreenReaders(at, this.#reading.styleOf(at)))) {
      return { how: "screen-readers", isDesign: false, passageFrom: Number.POSITIVE_INFINITY };
    }
    return { how, isDesign: this.#isDesign(element, how), passageFrom: passageFrom(element) };
  }

  #isDesign(element: Element, how: HidingWay): boolean {
    if (closestAcross(element, WIDGETS)) return true;
    if (how === "off-screen") return !this.#isFar(element);
    if (how === "clipped" && this.#visibility.isCutOff(element)) return true;
    return how !== "same-color" && this.#ancestors(element).some((at) => this.#moves(at));
  }

  #ancestors(element: Element): Element[] {
    const chain: Element[] = [];
    for (let at = this.#reading.factsOf(element); chain.length < MAX_LEVELS; ) {
      chain.push(at.element);
      const parent = this.#reading.parentOf(at);
      if (!parent) break;
      at = parent;
    }
    return chain;
  }

  #moves(element: Element): boolean {
    const { transitionDuration, animationName, willChange } = this.#reading.styleOf(element);
    return !/^(0s(, )?)+$/.test(transitionDuration) || animationName !== "none" || willChange !== "auto";
  }

  #isFar(element: Element): boolean {
    const { left, top, right, bottom } = rectOf(element);
    const { textIndent } = this.#reading.styleOf(element);
    const { scrollX, scrollY, innerWidth, innerHeight } = window;
    const isOut =
      right + scrollX < -FAR || bottom + scrollY < -FAR || left > innerWidth + FAR || top > innerHeight + FAR;
    return isOut || Math.abs(Number.parseFloat(textIndent)) >= FAR;
  }
}

function passageFrom(element: Element): number {
  if (closestAcross(element, OVERLAYS)) return Number.POSITIVE_INFINITY;
  return closestAcross(element, WIDGETS) ? LONG : 0;
}

/** What tells less. */
function isLess(a: HiddenText, b: HiddenText): boolean {
  if (a.readsLikeOrders !== b.readsLikeOrders) return b.readsLikeOrders;
  return a.isDesign === b.isDesign ? a.length < b.length : a.isDesign;
}
