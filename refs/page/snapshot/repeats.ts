/**
 * What would be said twice: by the name of a node and by what is in it. Either what only repeats the name is left out,
 * or, where that is worth a line of its own, the name is.
 */
import { CLICKABLE, type Describer } from "../aria/describe.ts";
import { labelledByOf } from "../aria/names.ts";
import { NAMED_FROM_CONTENT } from "../aria/role_table.ts";
import type { Visibility } from "../aria/visibility.ts";
import { fold, includes } from "../dom/dom.ts";
import type { HiddenReason, ReadNode } from "../protocol.ts";
import { MAX_NAME } from "./shown_name.ts";
import type { TreeNode } from "./tree.ts";

/** What is no more than text on a line of its own. */
const PLAIN_TEXT = new Set(["caption", "paragraph"]);

/** The children to show, and whether the node's name need not be. */
interface Unrepeated {
  rest: TreeNode[];
  isQuiet?: boolean;
}

type Named = Pick<ReadNode, "name" | "hidden">;

export class Repeats {
  readonly #describer: Describer;
  readonly #visibility: Visibility;

  constructor(describer: Describer, visibility: Visibility) {
    this.#describer = describer;
    this.#visibility = visibility;
  }

  /** Of a node that contains more than text. */
  within(tree: TreeNode, named: Named): Unrepeated {
    if (tree.role === CLICKABLE) return this.#ofClickable(tree, named);
    if (NAMED_FROM_CONTENT.has(tree.role)) return this.#ofContent(tree, named);
    // What is operated is found by its name.
    return named.name === "" || tree.interactive ? { rest: tree.children } : this.#ofContainer(tree, named);
  }

  #ofContent({ role, interactive, children }: TreeNode, { name }: Named): Unrepeated {
    const unsaid = role === "row" ? children : this.#notInName(children, name);
    if ((interactive && role !== "row") || unsaid.length === 0) return { rest: unsaid };
    return { rest: children, isQuiet: this.covers(children, name) };
  }

  /** Called by all that it contains, which may be a large part of the page: of that nothing is left out. */
  #ofClickable({ children }: TreeNode, { name, hidden }: Named): Unrepeated {
    const isSaid = name.length <= MAX_NAME && this.#notInName(children, name).length === 0;
    if (isSaid && !children.some((child) => this.#isWorthLine(child, hidden))) return { rest: [] };
    return { rest: children, isQuiet: this.covers(children, name) };
  }

  /** Called what something in it says: its caption's line goes, a heading or control stays in place of the name. */
  #ofContainer({ element, children }: TreeNode, named: Named): Unrepeated {
    const rest = this.#withoutCaption(children, named);
    const namers = labelledByOf(element);
    const { name } = named;
    return { rest, isQuiet: rest.some((child) => this.#says(child, name) || this.#isSaidIn(child, name, namers)) };
  }

  #withoutCaption(children: TreeNode[], { name, hidden }: Named): TreeNode[] {
    const lines = linesIn(children);
    const rest = lines.filter((line) => {
      const [first] = line;
      if (!first || (first.role !== "text" && !PLAIN_TEXT.has(first.role))) return true;
      if (first.interactive || first.clickable) return true;
      const pieces = first.role === "text" ? line : first.children;
      if (!pieces.every((piece) => piece.role === "text") || textOf(pieces) !== name) return true;
      return pieces.some((piece) => this.#visibility.hiddenReason(piece.element) !== hidden);
    });
    return rest.length === lines.length ? children : rest.flat();
  }

  /** Tells more than its words: where a part begins, or what a person does not see. */
  #isWorthLine({ role, element, children }: TreeNode, hidden: HiddenReason | undefined): boolean {
    if (role === "heading" || this.#visibility.hiddenReason(element) !== hidden) return true;
    return children.some((child) => this.#isWorthLine(child, hidden));
  }

  #says(child: TreeNode, name: string): boolean {
    if (child.role !== "text") return this.#sayingOf(child) === name;
    return fold(child.text) === name && this.#visibility.hiddenReason(child.element) === undefined;
  }

  /** Looks only into what holds one of the elements that the name comes from. */
  #isSaidIn({ element, children }: TreeNode, name: string, namers: readonly Element[]): boolean {
    if (children.length === 0 || !namers.some((namer) => includes(element, namer))) return false;
    return children.some((child) => this.#says(child, name) || this.#isSaidIn(child, name, namers));
  }

  /** Children that show more than their parent's name says. */
  #notInName(children: TreeNode[], name: string): TreeNode[] {
    const said = squeeze(name);
    return children.filter((child) => {
      if (child.interactive || child.clickable || child.role === "iframe") return true;
      if (this.#notInName(child.children, name).length > 0) return true;
      return !said.includes(squeeze(this.#sayingOf(child)));
    });
  }

  #sayingOf(child: TreeNode): string {
    return child.role === "text" ? child.text : this.#describer.nameOf(child.element, child.role);
  }

  /** True when the children, one after the other, say all of it. */
  covers(children: TreeNode[], name: string): boolean {
    let rest = squeeze(name);
    const visit = (child: TreeNode): void => {
      const said = squeeze(this.#sayingOf(child));
      if (said && rest.includes(said)) rest = rest.replace(said, "");
      else for (const inner of child.children) visit(inner);
    };
    for (const child of children) visit(child);
    return rest === "";
  }
}

/** Each line of text with the pieces that join it, each other node alone. */
function linesIn(nodes: TreeNode[]): TreeNode[][] {
  const lines: TreeNode[][] = [];
  for (const node of nodes) {
    const line = node.joins ? lines.at(-1) : undefined;
    if (line) line.push(node);
    else lines.push([node]);
  }
  return lines;
}

function textOf(pieces: TreeNode[]): string {
  return fold(pieces.map((piece) => piece.text).join(""));
}

export function squeeze(text: string): string {
  return text.replace(/[\s\u200b\u00ad]+/g, "");
}
