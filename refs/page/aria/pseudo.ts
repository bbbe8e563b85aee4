/** Text that style sheets put before and after elements. Asking each element would double the cost of a reading. */
import { attributeOf, queryAll } from "../dom/dom.ts";

/** More rules than this are not searched; every element is asked then. */
const MAX_RULES = 20_000;

const PSEUDO = /::?(before|after)\b/;

type Candidates = ReadonlySet<Element> | "all";

export class PseudoContent {
  readonly #candidates = new Map<Node, Candidates>();
  readonly #asksEach: boolean;
  readonly #rootOf: (element: Element) => Node;

  /** `asksEach` is right for a few elements: the style sheets aren't searched. */
  constructor(asksEach: boolean, rootOf: (element: Element) => Node) {
    this.#asksEach = asksEach;
    this.#rootOf = rootOf;
  }

  /** Text of the pseudo-element, with spaces around it where it is a block of its own. */
  textOf(element: Element, pseudo: "::before" | "::after"): string {
    if (!this.mayHave(element)) return "";
    const style = getComputedStyle(element, pseudo);
    const { content } = style;
    if (!content || content === "none" || content === "normal" || content === '""') return "";
    if (style.display === "none" || style.visibility === "hidden" || isUnreadable(style)) return "";
    const text = contentText(element, content);
    return text && style.display !== "inline" ? ` ${text} ` : text;
  }

  /** False only when it has no such text. */
  mayHave(element: Element): boolean {
    if (this.#asksEach) return true;
    const root = this.#rootOf(element);
    let candidates = this.#candidates.get(root);
    if (!candidates) {
      candidates = findCandidates(root);
      this.#candidates.set(root, candidates);
    }
    return candidates === "all" || candidates.has(element);
  }
}

/** By what its own style says: of the ways to hide text those that need no box to be known. */
function isUnreadable(style: CSSStyleDeclaration): boolean {
  const { opacity, fontSize, webkitTextFillColor, position, left, top, textIndent } = style;
  if (Number(opacity) <= 0.1 || Number.parseFloat(fontSize) <= 2) return true;
  if (/^rgba\(.*, 0\)$/.test(webkitTextFillColor) && !style.backgroundClip.includes("text")) return true;
  const isAway = (position === "absolute" || position === "fixed") && [left, top].some(isFar);
  return isAway || isFar(textIndent);
}

function isFar(place: string): boolean {
  return Number.parseFloat(place) < -1_000;
}

/** CSS `content` as text: strings and `attr()`, or what stands after the slash, which is its alternative text. */
function contentText(element: Element, content: string): string {
  const parts: string[] = [];
  const token = /"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)\s*\)|(\/)|(\S)/g;
  for (const [, string, attribute, slash, other] of content.matchAll(token)) {
    if (slash) parts.length = 0;
    else if (string !== undefined) parts.push(unescapeCss(string));
    else if (attribute !== undefined) parts.push(attributeOf(element, attribute) ?? "");
    else if (other && !content.includes("/")) return "";
  }
  return parts.join("");
}

function unescapeCss(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, hex: string | undefined, char: string) =>
    hex ? String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)) : char,
  );
}

function findCandidates(root: Node): Candidates {
  if (!(root instanceof Document || root instanceof ShadowRoot)) return "all";
  const selectors: string[] = [];
  const budget = { rules: MAX_RULES };
  for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
    if (!collect(sheet, selectors, budget)) return "all";
  }
  if (selectors.length === 0) return new Set();
  try {
    return new Set(queryAll(root, selectors.join(",")));
  } catch {
    // A selector that only makes sense where it stands (`:host`, nesting).
    return "all";
  }
}

/** Adds the selectors of rules with content; false when they can't all be known. */
function collect(sheet: CSSStyleSheet | CSSGroupingRule, selectors: string[], budget: { rules: number }): boolean {
  const rules = rulesOf(sheet);
  if (!rules) return false;
  for (const rule of rules) {
    if (--budget.rules < 0) return false;
    if (rule instanceof CSSStyleRule) {
      if (!collectStyle(rule, selectors)) return false;
    } else if (rule instanceof CSSImportRule) {
      if (rule.styleSheet && !collect(rule.styleSheet, selectors, budget)) return false;
    } else if ("cssRules" in rule && !collect(rule as CSSGroupingRule, selectors, budget)) {
      return false;
    }
  }
  return true;
}

/** Undefined for a sheet of another origin, which scripts may not read. */
function rulesOf(sheet: CSSStyleSheet | CSSGroupingRule): Iterable<CSSRule> | undefined {
  try {
    return sheet.cssRules;
  } catch {
    return undefined;
  }
}

function collectStyle(rule: CSSStyleRule, selectors: string[]): boolean {
  if (rule.cssRules.length > 0 && [...rule.cssRules].some((inner) => PSEUDO.test(inner.cssText))) return false;
  const { selectorText } = rule;
  if (!PSEUDO.test(selectorText)) return true;
  const content = rule.style.getPropertyValue("content");
  if (!content || content === "none" || content === "normal" || content === '""') return true;
  if (/::slotted|:host/.test(selectorText)) return false;
  for (const part of splitSelectors(selectorText)) {
    if (PSEUDO.test(part)) selectors.push(part.replace(PSEUDO, "").trim() || "*");
  }
  return true;
}

function splitSelectors(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < list.length; i++) {
    const char = list[i];
    if (char === "(" || char === "[") depth++;
    else if (char === ")" || char === "]") depth--;
    else if (char === "," && depth === 0) {
      parts.push(list.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(list.slice(start));
  return parts;
}
