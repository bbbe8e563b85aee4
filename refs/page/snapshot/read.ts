/** The `read` operation: the document, or part of it, as the lines of a snapshot. */

import { cut, Describer } from "../aria/describe.ts";
import { HiddenCollector } from "../aria/hidden_texts.ts";
import { Names } from "../aria/names.ts";
import { Reading } from "../aria/reading.ts";
import { Visibility } from "../aria/visibility.ts";
import { closestOf, documentUrl, isRendered, rectOf, rootElement } from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import { elementAt, holds } from "../dom/geometry.ts";
import { queryAcross } from "../find/query.ts";
import type { Operations, ReadOptions } from "../protocol.ts";
import { tellApart } from "./alike.ts";
import { NodeCollector } from "./nodes.ts";
import { pruneNodes } from "./prune.ts";
import { walkTree } from "./tree.ts";

export function read(elements: Elements, options: ReadOptions): Operations["read"]["answer"] {
  const { doc } = elements;
  const asked = options.root === undefined ? rootElement() : elements.find({ doc, n: options.root });
  if (options.root !== undefined && !asked) return elements.gone({ doc });
  const root = options.modal && asked ? topmostDialog(asked) : asked;
  const about = { doc, url: documentUrl(), title: titleOf() };
  if (!root) return { ...about, total: 0, nodes: [] };
  elements.listened.end();
  const reading = new Reading({ whole: true });
  const names = new Names(reading);
  const top = walkTree(root, reading, {
    interactive: options.interactive === true,
    clickable: options.clickable !== undefined && options.clickable !== false,
    isListened: (element) => elements.listened.has(element),
    hosts: elements.hosts,
  });
  const visibility = new Visibility(reading, { looksBeneath: true });
  const hidden = new HiddenCollector(reading, visibility);
  const collector = new NodeCollector(elements, new Describer(elements, names), visibility, { ...options, hidden });
  const unopened = elements.hosts.waiting;
  const collected = collector.collect(pruneNodes(top, options, names));
  if (options.interactive) tellApart(collected.nodes, elements);
  return { ...about, ...collected, ...(unopened > 0 && { unopened }), ...hidden.answer() };
}

/** `document.title`, which content named "title" cannot shadow here. */
function titleOf(): string {
  return cut(Object.getOwnPropertyDescriptor(Document.prototype, "title")?.get?.call(document) ?? "");
}

const DIALOGS = "dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]";

/** The open dialog that lies over the others: the one its own middle belongs to, else the last modal one, else the last. */
function topmostDialog(root: Element): Element | null {
  const open = queryAcross(root, DIALOGS).filter((dialog) => isRendered(dialog) && rectOf(dialog).width > 0);
  const onTop = open.filter((dialog) => {
    const { left, top, width, height } = rectOf(dialog);
    const hit = elementAt({ x: left + width / 2, y: top + height / 2 });
    return hit !== null && holds(dialog, hit);
  });
  const candidates = onTop.length > 0 ? onTop : open;
  return candidates.findLast((dialog) => closestOf(dialog, ":modal") === dialog) ?? candidates.at(-1) ?? null;
}
