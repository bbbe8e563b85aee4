/** Ways to find an element again, in another document of the same kind: for the record of what was acted on. */
import type { Describer } from "../aria/describe.ts";
import {
  attributeOf,
  childElementsOf,
  fold,
  isRendered,
  nodeDocumentOf,
  parentOf,
  queryAll,
  tagOf,
  textContentOf,
} from "../dom/dom.ts";
import type { Locators } from "../protocol.ts";
import { tellingWords } from "./telling_words.ts";

export const TEST_ID = ["data-testid", "data-test-id", "data-test"];

/** Longer text tells more of the content than of the element. */
const MAX_TEXT = 80;
/** What is in an element with more than this, seen or not, is not folded for it. Characters. */
const MAX_CONTENT = 2_000;
/** Elements that are held against it, to say whether it is the only one of its kind. */
const MAX_LIKE = 500;
/** What tells elements of one text, or of none, from each other. */
const TELLING = ["aria-label", "aria-labelledby", "placeholder", "title", "name", "alt", "value"];
/** Deeper paths break with every change of the page. */
const MAX_STEPS = 30;
/** Made by scripts, another one each time: long numbers, or React's and Radix's own. */
const GENERATED_ID = /\d{4,}|^:|:$|^radix-|[0-9a-f]{8}-/;

export function locatorsOf(element: Element, describer: Describer): Locators {
  const testid = testIdOf(element);
  const [label] = describer.names.reading.labelsOf(element);
  const labelText = label && fold(describer.names.fromLabels([label], new Set([element])));
  const placeholder = fold(attributeOf(element, "placeholder") ?? "");
  const hasText = !holdsInput(element) && (textContentOf(element) ?? "").length <= MAX_CONTENT;
  const text = hasText ? fold(describer.contentOf(element)) : "";
  const css = cssOf(element);
  const words = tellingWords(element, describer);
  return {
    ...(testid && { testid }),
    ...(labelText && { label: labelText }),
    ...(placeholder && { placeholder }),
    ...(text && text.length <= MAX_TEXT && { text }),
    ...(css && { css }),
    ...(words.length > 0 && { words }),
    ...(isRepeated(element) && { isRepeated: true }),
  };
}

/** One that other elements have too finds none of them. */
function testIdOf(element: Element): string | undefined {
  for (const name of TEST_ID) {
    const value = attributeOf(element, name);
    if (value && queryAll(nodeDocumentOf(element) ?? document, `[${name}="${CSS.escape(value)}"]`).length === 1)
      return value;
  }
  return undefined;
}

/** Does another one that can be seen say the same, as far as can be told without naming them all? */
function isRepeated(element: Element): boolean {
  const text = textContentOf(element) ?? "";
  if (text.length > MAX_CONTENT) return false;
  const like = queryAll(nodeDocumentOf(element) ?? document, CSS.escape(tagOf(element))).slice(0, MAX_LIKE);
  return like.some((other) => {
    if (other === element || (textContentOf(other) ?? "") !== text) return false;
    return (
      TELLING.every((name) => attributeOf(other, name) === attributeOf(element, name)) &&
      hasSameLabel(element, other) &&
      isRendered(other)
    );
  });
}

/** Fields that have no words of their own are told apart by their labels. */
function hasSameLabel(element: Element, other: Element): boolean {
  if (!holdsInput(element)) return true;
  const [own, its] = [element, other].map((field) => (field as HTMLInputElement).labels?.[0]);
  return (own && textContentOf(own)) === (its && textContentOf(its));
}

/** What a person has put into it is not what it is found by, nor ours to write down. */
function holdsInput(element: Element): boolean {
  return ["input", "textarea", "select"].includes(tagOf(element)) || (element as HTMLElement).isContentEditable;
}

/** A path of tags and places among their like, from the nearest ancestor with an id of its own. */
function cssOf(element: Element): string | undefined {
  const steps: string[] = [];
  for (let up: Element | undefined = element; up && steps.length < MAX_STEPS; up = parentOf(up)) {
    const id = attributeOf(up, "id");
    const named = id && !GENERATED_ID.test(id) ? `#${CSS.escape(id)}` : undefined;
    steps.unshift(named ?? stepOf(up));
    if (named && isOnly(element, steps)) return steps.join(" > ");
  }
  return isOnly(element, steps) ? steps.join(" > ") : undefined;
}

function isOnly(element: Element, steps: readonly string[]): boolean {
  const found = queryAll(nodeDocumentOf(element) ?? document, steps.join(" > "));
  return found.length === 1 && found[0] === element;
}

function stepOf(element: Element): string {
  const tag = CSS.escape(tagOf(element));
  const parent = parentOf(element);
  if (!parent) return tag;
  const like = [...childElementsOf(parent)].filter((other) => tagOf(other) === tagOf(element));
  return like.length > 1 ? `${tag}:nth-of-type(${like.indexOf(element) + 1})` : tag;
}
