/** The `query` operation: elements by selector, in document order, open shadow roots included. */
import { CLICKABLE, Describer } from "../aria/describe.ts";
import { isInteractive } from "../aria/interactive.ts";
import { Names } from "../aria/names.ts";
import { isIgnored, Reading } from "../aria/reading.ts";
import { candidatesFor } from "../aria/role_candidates.ts";
import { Visibility } from "../aria/visibility.ts";
import { attributeOf, fold, parentOf, queryAll, referenced } from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import type { ElementId, Found, Query, QueryAnswer, TextMatch } from "../protocol.ts";
import { locatorsOf, TEST_ID } from "./locators.ts";
import { openRoots } from "./open_roots.ts";
import { rowTexts } from "./rows.ts";
import { matchTexts, textMatcher } from "./text_match.ts";
import { smallestHolders } from "./text_search.ts";

const TEXT_BUTTONS = "input[type=submit], input[type=button], input[type=reset]";
const LABELED = "input, textarea, select, button, meter, progress, output, [aria-label], [aria-labelledby]";

export function query(elements: Elements, params: Query & { within?: ElementId }): QueryAnswer {
  const reading = new Reading({ whole: true });
  const describer = new Describer(elements, new Names(reading));
  const visibility = new Visibility(reading);
  let all: Element[];
  try {
    all = new Search(describer, params.within && elements.find(params.within)).find(params);
  } catch (error) {
    return {
      doc: elements.doc,
      count: 0,
      visible: 0,
      found: [],
      error: String(error instanceof Error ? error.message : error),
    };
  }
  const isVisible = new Map(all.map((element) => [element, isSeen(visibility.hiddenReason(element))]));
  const ordered = [
    ...all.filter((element) => isVisible.get(element)),
    ...all.filter((element) => !isVisible.get(element)),
  ];
  return {
    doc: elements.doc,
    count: all.length,
    visible: all.filter((element) => isVisible.get(element)).length,
    found: withRows(
      ordered.slice(0, params.max).map((element, index) => ({
        element,
        found: {
          ...describer.describe(element),
          visible: isVisible.get(element) === true,
          ...(params.locate && index === 0 && { locators: locatorsOf(element, describer) }),
        },
      })),
      ordered,
    ),
  };
}

/** Of those that nothing else tells apart. */
function withRows(shown: readonly { element: Element; found: Found }[], all: readonly Element[]): Found[] {
  const alike = Map.groupBy(shown, ({ found: { role, name } }) => `${role} ${name}`);
  const unclear = [...alike.values()].filter(({ length }) => length > 1).flat();
  const rows = unclear.length === 0 ? undefined : rowTexts(all);
  return shown.map(({ element, found }) => {
    const row = unclear.some((each) => each.element === element) ? rows?.get(element) : undefined;
    return row === undefined ? found : { ...found, row };
  });
}

/** What is only hidden from assistive technology is seen. */
function isSeen(reason: string | undefined): boolean {
  return reason === undefined || reason === "aria-hidden";
}

class Search {
  readonly #describer: Describer;
  readonly #roots: Node[];

  constructor(describer: Describer, within: Element | undefined) {
    this.#describer = describer;
    this.#roots = openRoots(within ?? document);
  }

  find({ by, value, name, match }: Query): Element[] {
    const how: TextMatch = match ?? { text: value, how: "auto" };
    switch (by) {
      case "css":
        return this.#all(value);
      case "testid":
        return this.#all(TEST_ID.map((attribute) => `[${attribute}="${CSS.escape(value)}"]`).join(","));
      case "placeholder":
        return matchTexts(this.#all("[placeholder]"), (e) => [fold(attributeOf(e, "placeholder") ?? "")], how);
      case "label":
        return matchTexts(this.#all(LABELED), (element) => this.#labelsOf(element), how);
      case "role":
        return this.#byRole(value, name);
      default:
        return this.#byText(how);
    }
  }

  #all(css: string): Element[] {
    return this.#roots.flatMap((root) => queryAll(root, css));
  }

  #byRole(role: string, name: TextMatch | undefined): Element[] {
    const matches = name && textMatcher(name);
    const { reading } = this.#describer.names;
    return this.#all(role === CLICKABLE ? "*" : candidatesFor(role)).filter((element) => {
      if (this.#describer.roleOf(element) !== role || isIgnored(element)) return false;
      return (!matches || matches(this.#describer.nameOf(element, role))) && reading.isShown(element);
    });
  }

  #labelsOf(element: Element): string[] {
    const { names } = this.#describer;
    const labels = [...names.reading.labelsOf(element), ...referenced(element, "aria-labelledby")];
    // What the field itself holds is no part of its label.
    const texts = labels.map((label) => fold(names.fromLabels([label], new Set([element]))));
    const own = attributeOf(element, "aria-label");
    return own ? [...texts, fold(own)] : texts;
  }

  /** The smallest elements that hold the text, or what a person would press to press it. */
  #byText(how: TextMatch): Element[] {
    const { reading } = this.#describer.names;
    const holders = [...this.#roots.flatMap((root) => smallestHolders(root, how)), ...this.#all(TEXT_BUTTONS)];
    const shown = holders.filter((element) => reading.isShown(element));
    const found = matchTexts(shown, (element) => [this.#textOf(element)], how);
    return [...new Set(found.map((element) => this.#pressable(element)))];
  }

  #textOf(element: Element): string {
    return element instanceof HTMLInputElement ? fold(element.value) : fold(this.#describer.contentOf(element));
  }

  #pressable(element: Element): Element {
    for (let up: Element | undefined = element; up; up = parentOf(up)) {
      if (isInteractive(up, this.#describer.roleOf(up)))
        return this.#textOf(up) === this.#textOf(element) ? up : element;
    }
    return element;
  }
}

/** Elements that match in a node's own tree and in the open shadow trees in it. */
export function queryAcross(root: Node, css: string): Element[] {
  return openRoots(root).flatMap((tree) => queryAll(tree, css));
}
