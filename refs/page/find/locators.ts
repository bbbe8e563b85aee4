/** Ways to find an element again, in another document of the same kind: for the record of what was acted on. */
import type { Describer } from "../aria/describe.ts";
import { attributeOf, childElementsOf, fold, nodeDocumentOf, parentOf, queryAll, tagOf } from "../dom/dom.ts";
import type { Locators } from "../protocol.ts";

export const TEST_ID = ["data-testid", "data-test-id", "data-test"];

/** Longer text tells more of the content than of the element. */
const MAX_TEXT = 80;
/** Deeper paths break with every change of the page. */
const MAX_STEPS = 30;
/** Made by scripts, another one each time: long numbers, or React's and Radix's own. */
const GENERATED_ID = /\d{4,}|^:|:$|^radix-|[0-9a-f]{8}-/;

export function locatorsOf(element: Element, describer: Describer): Locators {
  const testid = TEST_ID.map((name) => attributeOf(element, name)).find((value) => value);
  const [label] = describer.names.reading.labelsOf(element);
  const labelText = label && fold(describer.names.fromLabels([label], new Set([element])));
  const placeholder = fold(attributeOf(element, "placeholder") ?? "");
  const text = holdsInput(element) ? "" : fold(describer.contentOf(element));
  const css = cssOf(element);
  return {
    ...(testid && { testid }),
    ...(labelText && { label: labelText }),
    ...(placeholder && { placeholder }),
    ...(text && text.length <= MAX_TEXT && { text }),
    ...(css && { css }),
  };
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
