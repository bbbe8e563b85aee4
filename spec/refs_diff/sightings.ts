/**
 * Runs in a page: what our reader and the driver each made of every element. Both keep what they know in the same
 * isolated world, so one script there can put them side by side.
 */

import { MASK } from "../../refs/page/aria/secret.ts";
import createReader from "../../refs/page/engine.ts";
import type { ElementStates, HiddenReason, ReadAnswer } from "../../refs/page/protocol.ts";

/** One element that either side lists. */
export interface Sighting {
  /** Start tag, cut. */
  html: string;
  tag: string;
  /** Tags of the ancestors, nearest first, slots and shadow hosts included. */
  inside: string[];
  /** Has a box that can be seen, opacity aside. */
  isRendered: boolean;
  ours?: { role: string; name: string; states?: ElementStates; hidden?: HiddenReason };
  /** What the driver computed before it left out what its tree repeats. */
  driver?: { ref: string; role: string; name: string };
}

export interface FrameSightings {
  url: string;
  elements: Sighting[];
  /** All that our reader says, lines one after the other. */
  said: string;
  /** Values of the fields that our reader masks. */
  secrets: string[];
  /** What stands in gauges for browsers that cannot draw them. */
  fallbacks: string[];
}

const READ = `read:${encodeURIComponent(JSON.stringify({ maxNodes: 1_000_000 }))}`;
const MAX_TAG = 160;

/** A selector engine of its own; whatever the selector is, a detached element holds the answer. */
export default function createSightings() {
  const reader = createReader();
  const query = () => {
    const element = document.createElementNS("http://www.w3.org/1999/xhtml", "data");
    element.textContent = JSON.stringify(look(reader));
    return element;
  };
  return { query, queryAll: () => [query()] };
}

function look(reader: ReturnType<typeof createReader>): FrameSightings {
  const { ok: answer } = JSON.parse(reader.query(document, READ)?.textContent ?? "null") as { ok: ReadAnswer };
  const sightings = new Map<Element, Sighting>();
  const secrets: string[] = [];
  for (const { n, role, name, states, hidden, value } of answer.nodes) {
    const element = n === undefined ? null : reader.query(document, `${n}@${answer.doc}`);
    if (!element) continue;
    sightingOf(sightings, element).ours = { role, name, ...(states && { states }), ...(hidden && { hidden }) };
    if (value === MASK && "value" in element) secrets.push(String(element.value));
  }
  for (const element of allElements(document)) {
    // Where the driver (1.65) remembers the ref it gave an element, and for which role and name.
    const driver = (element as Element & { _ariaRef?: { ref: string; role: string; name: string } })._ariaRef;
    if (driver) sightingOf(sightings, element).driver = { ref: driver.ref, role: driver.role, name: driver.name };
  }
  const said = answer.nodes.map((node) => [node.name, node.text, node.value, node.placeholder].join(" ")).join("\n");
  const fallbacks = [...document.querySelectorAll("meter, progress")].map((gauge) => (gauge.textContent ?? "").trim());
  return { url: document.URL, elements: [...sightings.values()], said, secrets, fallbacks };
}

function sightingOf(sightings: Map<Element, Sighting>, element: Element): Sighting {
  let sighting = sightings.get(element);
  if (!sighting) {
    const html = Element.prototype.cloneNode.call(element, false) as Element;
    sighting = {
      html: html.outerHTML.replace(/<\/[^<]*>$/, "").slice(0, MAX_TAG),
      tag: element.localName,
      inside: ancestorsOf(element).map((ancestor) => ancestor.localName),
      isRendered: element.checkVisibility({ visibilityProperty: true }),
    };
    sightings.set(element, sighting);
  }
  return sighting;
}

function ancestorsOf(element: Element): Element[] {
  const ancestors: Element[] = [];
  for (let at = parentOf(element); at; at = parentOf(at)) ancestors.push(at);
  return ancestors;
}

function parentOf(element: Element): Element | undefined {
  const parent = element.parentNode;
  return (
    element.assignedSlot ??
    (parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : undefined)
  );
}

/** Document order; open shadow trees before the light children of their host. */
function* allElements(root: Document | ShadowRoot): Generator<Element> {
  for (const element of root.querySelectorAll("*")) {
    yield element;
    if (element.shadowRoot) yield* allElements(element.shadowRoot);
  }
}
