/** Changes to elements' style attributes, each of which can be taken back. */
import type { Page } from "playwright";
import type { StateKey } from "../../../browser/state_of.ts";
import type { Tab } from "../../../browser/tabs/tab.ts";
import { BrowseError } from "../../../errors.ts";
import { callOn, withDebugNode } from "../../../refs/find/debug_node.ts";
import { labelOf, type Ref } from "../../../refs/ref_table.ts";

/** Changes remembered of each tab. */
const MAX_CHANGES = 200;

export interface StyleChange {
  /** Counts from 1 in its tab. */
  id: number;
  /** As people know the element: `@e3 [button] "Save"`. */
  element: string;
  property: string;
  /** The declaration before and after, `!important` included; empty when there was none. */
  before: string;
  after: string;
}

interface Remembered {
  change: StyleChange;
  ref: Ref;
  was: Written;
}

/** What the page says of a change: the attribute, and the declarations in it that the change has touched. */
interface Written {
  attribute: { before: string | null; after: string | null };
  /** As the browser writes it. */
  cssText: string;
  touched: [property: string, value: string, priority: string][];
  before: string;
  after: string;
}

type Answer = { state: "changed"; written: Written } | { state: "unstyled" | "unknown" };

/** Of one page of a tab. */
interface Changed {
  page: Page;
  last: number;
  changes: Remembered[];
}

const HISTORY: StateKey<Tab, Changed> = { make: ({ page }) => ({ page, last: 0, changes: [] }) };

function historyOf({ page, past }: Tab): Changed {
  if (past.get(HISTORY).page !== page) past.take(HISTORY);
  return past.get(HISTORY);
}

/** Changes of the tab that can be taken back, the oldest first. */
export function styleChanges(tab: Tab): StyleChange[] {
  return historyOf(tab).changes.map(({ change }) => change);
}

/**
 * Sets a property in the element's style attribute; an empty value removes it. Throws `stale_ref`, `invalid_params` for
 * what the browser does not take, and `unsupported` for an element that has no style.
 */
export async function changeStyle(
  tab: Tab,
  ref: Ref,
  { property, value, important }: { property: string; value: string; important: boolean },
): Promise<StyleChange> {
  const priority = important ? "important" : "";
  const answer = await withDebugNode(tab, ref, (node) => callOn(node, setProperty, property, value, priority));
  if (answer.state === "unknown") {
    throw new BrowseError("invalid_params", `The browser does not accept "${value}" for "${property}"`, {
      hint: "Check the property's name and that its value is valid CSS",
    });
  }
  if (answer.state !== "changed") throw new BrowseError("unsupported", `${labelOf(ref)} has no style of its own`);
  const history = historyOf(tab);
  const { before, after } = answer.written;
  const change: StyleChange = { id: ++history.last, element: labelOf(ref), property, before, after };
  history.changes.push({ change, ref, was: answer.written });
  if (history.changes.length > MAX_CHANGES) history.changes.shift();
  return change;
}

export interface Undone {
  undone: StyleChange[];
  /** Changes whose elements have left the page. */
  gone: StyleChange[];
}

/** Takes back the newest `count` changes, the newest first. */
export async function undoStyles(tab: Tab, count: number, signal: AbortSignal): Promise<Undone> {
  const { changes } = historyOf(tab);
  const result: Undone = { undone: [], gone: [] };
  for (let left = count; left > 0; left--) {
    signal.throwIfAborted();
    const newest = changes.at(-1);
    if (!newest) break;
    const { ref, was, change } = newest;
    const isThere = await withDebugNode(tab, ref, (node) => callOn(node, restore, was)).then(
      () => true,
      (error: unknown) => {
        if (ref.frame.isDetached() || (error instanceof BrowseError && error.kind === "stale_ref")) return false;
        throw error;
      },
    );
    changes.pop();
    (isThere ? result.undone : result.gone).push(change);
  }
  return result;
}

/** Runs in our world of the page, as text. */
function setProperty(this: Element, property: string, value: string, priority: string): Answer {
  const style = (this as HTMLElement).style as CSSStyleDeclaration | undefined;
  if (!style) return { state: "unstyled" };
  if (value !== "" && !CSS.supports(property, value)) return { state: "unknown" };
  const shown = () => {
    const current = style.getPropertyValue(property);
    return style.getPropertyPriority(property) === "" ? current : `${current} !important`;
  };
  const declared = () =>
    new Map([...style].map((name) => [name, [style.getPropertyValue(name), style.getPropertyPriority(name)] as const]));
  const attribute = { before: this.getAttribute("style"), after: null as string | null };
  const cssText = style.cssText;
  const before = shown();
  const old = declared();
  style.setProperty(property, value, priority);
  const now = declared();
  const touched = [...new Set([...old.keys(), ...now.keys()])].flatMap((name): Written["touched"] => {
    const [oldValue = "", oldPriority = ""] = old.get(name) ?? [];
    const [newValue, newPriority] = now.get(name) ?? [];
    return oldValue === newValue && oldPriority === newPriority ? [] : [[name, oldValue, oldPriority]];
  });
  attribute.after = this.getAttribute("style");
  return { state: "changed", written: { attribute, cssText, touched, before, after: shown() } };
}

/** Runs in our world of the page, as text. What the page has declared since then stays. */
function restore(this: Element, { attribute, cssText, touched }: Written): void {
  const { style } = this as HTMLElement;
  if (this.getAttribute("style") === attribute.after) {
    if (attribute.before === null) {
      this.removeAttribute("style");
      return;
    }
    this.setAttribute("style", attribute.before);
    // A content security policy can keep an attribute from having any effect, but not a script's declarations.
    if (style.cssText !== cssText) style.cssText = cssText;
    return;
  }
  for (const [name, value, priority] of touched) {
    if (value === "") style.removeProperty(name);
    else style.setProperty(name, value, priority);
  }
  if (style.length === 0 && attribute.before === null) this.removeAttribute("style");
}
