/** The walk: a document as a tree of what has a role and what is text, in the order in which it is drawn. */

import { controlBehind } from "../act/checks.ts";
import { CLICKABLE } from "../aria/describe.ts";
import type { Facts } from "../aria/facts.ts";
import { clickableReason, isInteractive, isNamedHandler, isScriptedLink } from "../aria/interactive.ts";
import { findOwners, type Ownership } from "../aria/owned_elements.ts";
import { isIgnored, type Reading } from "../aria/reading.ts";
import { GROUP_ROLES, INLINE_ROLES, LANDMARK_ROLES } from "../aria/role_table.ts";
import { computeRole, isSummaryForDetails } from "../aria/roles.ts";
import type { Hosts } from "../dom/closed_roots.ts";
import {
  assignedTo,
  attributeOf,
  ELEMENT,
  firstChildOf,
  nextSiblingOf,
  nodeTypeOf,
  referenced,
  shadowRootOf,
  TEXT,
  tagOf,
  textContentOf,
} from "../dom/dom.ts";

export interface TreeNode {
  /** The element, or the one that a text stands in. */
  element: Element;
  /** `text` for text. */
  role: string;
  text: string;
  children: TreeNode[];
  interactive: boolean;
  clickable?: string;
  /** Text that goes on the line of the text before it. */
  joins?: boolean;
  /** Nobody sees it: the label that stands in its place is what is pressed. */
  isStoodFor?: boolean;
  /** Its children were left out. */
  isCut?: boolean;
}

/** Where what is in an element goes. */
interface Inside {
  into: TreeNode;
  /** The element's own, where its children are drawn in it and nowhere else. */
  facts?: Facts | undefined;
  withText: boolean;
}

interface WalkOptions {
  /** Leave out text and all roles that no list of interactive things shows. */
  interactive: boolean;
  /** Look for what can be clicked without a role. */
  clickable: boolean;
  /** Does the page listen on it for presses? */
  isListened: (element: Element) => boolean;
  /** Told of elements in which there is nothing to read. */
  hosts: Hosts;
}

/** What contains other things, and says nothing of its own. */
const WITHOUT_LINE = new Set(["presentation", "generic", "document"]);

/** Parsers stop at 512 levels; only scripts nest deeper, and the stack must hold. */
const MAX_LEVELS = 800;

export function walkTree(root: Element, reading: Reading, options: WalkOptions): TreeNode {
  return new Walk(reading, options, findOwners(root, reading)).from(root);
}

class Walk {
  readonly #reading: Reading;
  readonly #options: WalkOptions;
  readonly #owners: Ownership;
  readonly #stoodFor = new Set<Element>();
  /** The text that further text on the same line joins. */
  #run: TreeNode | undefined;
  #level = 0;
  /** In what tells of itself. */
  #isLive = false;
  /** What is nested too deep, for when the stack is free again. */
  readonly #deferred: { element: Element; parent: TreeNode }[] = [];

  constructor(reading: Reading, options: WalkOptions, owners: Ownership) {
    this.#reading = reading;
    this.#options = options;
    this.#owners = owners;
  }

  from(root: Element): TreeNode {
    const top: TreeNode = { element: root, role: "fragment", text: "", children: [], interactive: false };
    this.#visit(root, top);
    for (const { element, parent } of this.#deferred) this.#visit(element, parent);
    return top;
  }

  /** `around`: the element's parent in its own tree, when it is drawn in that. */
  #visit(element: Element, parent: TreeNode, around?: Facts): void {
    const tag = tagOf(element);
    if (isIgnored(element, tag)) return;
    if (this.#level > MAX_LEVELS) {
      this.#deferred.push({ element, parent });
      return;
    }
    if (tag === "label") this.#addStoodFor(element as HTMLLabelElement, parent);
    const role = computeRole(element, tag);
    if (this.#options.interactive && !this.#isLive) {
      this.#visitQuickly(element, tag, role, parent);
      return;
    }
    const facts = around ? this.#reading.factsInside(around, element) : this.#reading.factsOf(element);
    facts.role = role ?? null;
    const isSeen = this.#reading.renderingOf(facts) !== "not" || this.#isVisibleWithoutBox(element);
    if (isSeen === undefined) return;
    const node = isSeen ? this.#nodeFor(element, tag, role) : undefined;
    if (this.#run && (node || tag === "br" || this.#breaksLine(facts))) this.#run = undefined;
    if (node) parent.children.push(node);
    this.#descend(element, tag, { into: node ?? parent, facts, withText: isSeen });
    if (this.#run && (node || this.#breaksLine(facts))) this.#run = undefined;
  }

  /** A styled checkbox is often a label that is drawn as one: the control behind it is what there is to check. */
  #addStoodFor(label: HTMLLabelElement, parent: TreeNode): void {
    const control = controlBehind(label);
    if (!control || this.#stoodFor.has(control) || this.#reading.isShown(control) || !this.#reading.isShown(label))
      return;
    const role = computeRole(control, "input");
    if (!role) return;
    this.#stoodFor.add(control);
    parent.children.push({ ...makeNode(control, role, true, undefined), isStoodFor: true });
  }

  /** For `display: contents`, options and areas; undefined for what is not displayed, and so nothing in it either. */
  #isVisibleWithoutBox(element: Element): boolean | undefined {
    const style = this.#reading.styleOf(element);
    if (style.display === "none" && !(mayBeDrawnByAnother(element) && this.#reading.isShown(element))) return undefined;
    return style.visibility === "visible";
  }

  #breaksLine(facts: Facts): boolean {
    return this.#reading.styleIn(facts).display !== "inline";
  }

  /** Without text no style is needed, but for those that would be shown. What tells of itself is told with its text. */
  #visitQuickly(element: Element, tag: string, role: string | undefined, parent: TreeNode): void {
    if (isTold(element, role)) {
      this.#isLive = true;
      this.#visit(element, parent);
      this.#isLive = false;
      return;
    }
    const node = this.#nodeFor(element, tag, role);
    const isWantedHere = node && (isWanted(node) || this.#isHandler(element, role));
    const isShown = isWantedHere && this.#reading.isShown(element);
    if (isShown) parent.children.push(node);
    this.#descend(element, tag, { into: isShown ? node : parent, withText: false });
  }

  #isHandler(element: Element, role: string | undefined): boolean {
    return this.#options.clickable && isNamedHandler(element, role, this.#options.isListened);
  }

  #nodeFor(element: Element, tag: string, role: string | undefined): TreeNode | undefined {
    // What can be edited has a role.
    const interactive = (role !== undefined || tag === "summary") && isInteractive(element, role, tag);
    const scripted = !interactive && !role && isScriptedLink(element, this.#reading, tag);
    const isCandidate = this.#options.clickable && !interactive && !scripted;
    const clickable = isCandidate ? clickableReason(element, this.#reading, this.#options.isListened) : undefined;
    const shownRole = scripted ? "link" : (role ?? (clickable ? CLICKABLE : undefined));
    if (!shownRole || WITHOUT_LINE.has(shownRole) || INLINE_ROLES.has(shownRole)) {
      return clickable ? makeNode(element, CLICKABLE, false, clickable) : undefined;
    }
    return makeNode(element, shownRole, interactive || scripted, clickable);
  }

  #descend(element: Element, tag: string, inside: Inside): void {
    const { into, withText } = inside;
    if (into.role === "iframe" || FIELDS.has(tag)) return;
    this.#level++;
    const { pseudo } = this.#reading;
    const hasPseudo = withText && pseudo.mayHave(element);
    if (hasPseudo) this.#addText(pseudo.textOf(element, "::before"), element, into);
    this.#visitChildren(element, tag, inside);
    if (hasPseudo) this.#addText(pseudo.textOf(element, "::after"), element, into);
    if (this.#owners.size > 0) this.#visitOwned(element, into);
    this.#level--;
  }

  /** In the tree as it is drawn, like `flatChildrenOf`, whose lists would cost more than the visits to most elements. */
  #visitChildren(element: Element, tag: string, inside: Inside): void {
    const assigned = tag === "slot" ? assignedTo(element) : undefined;
    if (assigned) {
      for (const node of assigned) this.#visitChild(element, node, { ...inside, facts: undefined });
      return;
    }
    const shadow = shadowRootOf(element);
    const within = shadow ? { ...inside, facts: undefined } : inside;
    let child = firstChildOf(shadow ?? element);
    if (!shadow && (!child || tag.includes("-"))) this.#options.hosts.consider(element);
    for (; child; child = nextSiblingOf(child)) this.#visitChild(element, child, within);
  }

  #visitChild(element: Element, child: Node, { into, facts, withText }: Inside): void {
    const type = nodeTypeOf(child);
    if (type !== ELEMENT && !(type === TEXT && withText)) return;
    const isClosed = element instanceof HTMLDetailsElement && !element.open;
    if (type === ELEMENT) {
      const inner = child as Element;
      const isLeftOut = (isClosed && !isSummaryForDetails(inner)) || this.#owners.has(inner);
      if (!isLeftOut) this.#visit(inner, into, facts);
    } else if (!isClosed) {
      this.#addText(textContentOf(child) ?? "", element, into);
    }
  }

  #visitOwned(owner: Element, into: TreeNode): void {
    for (const owned of referenced(owner, "aria-owns")) if (this.#owners.get(owned) === owner) this.#visit(owned, into);
  }

  /** Pieces of one line stay apart where they stand in different elements: some of them may be hidden. */
  #addText(content: string, element: Element, into: TreeNode): void {
    if (!content || into.role === "textbox") return;
    const run = this.#run;
    const continues = run !== undefined && into.children.at(-1) === run;
    if (continues && (run.element === element || !content.trim())) {
      run.text += content;
    } else if (content.trim()) {
      this.#run = { element, role: "text", text: content, children: [], interactive: false, joins: continues };
      this.#reading.factsOf(element).hasText = true;
      into.children.push(this.#run);
    }
  }
}

function makeNode(element: Element, role: string, interactive: boolean, clickable: string | undefined): TreeNode {
  const node: TreeNode = { element, role, text: "", children: [], interactive };
  if (clickable) node.clickable = clickable;
  return node;
}

function isWanted({ role, interactive, clickable }: TreeNode): boolean {
  return (
    interactive ||
    clickable !== undefined ||
    role === "heading" ||
    role === "iframe" ||
    LANDMARK_ROLES.has(role) ||
    GROUP_ROLES.has(role)
  );
}

/** How much text in the page's own notices is read as such; the rest of what announces its changes is content. */
const MAX_NOTICE = 500;

/** A toast, an alert, the outcome of a form. */
function isTold(element: Element, role: string | undefined): boolean {
  const live = attributeOf(element, "aria-live");
  if (role !== "alert" && role !== "status" && live !== "polite" && live !== "assertive") return false;
  const length = (textContentOf(element) ?? "").trim().length;
  return length > 0 && length <= MAX_NOTICE;
}

/** Options are drawn by their list, areas by their picture. */
function mayBeDrawnByAnother(element: Element): boolean {
  const tag = tagOf(element);
  return tag === "option" || tag === "optgroup" || tag === "area";
}

/** Their content is their value. */
const FIELDS = new Set(["textarea", "input", "progress", "meter"]);
