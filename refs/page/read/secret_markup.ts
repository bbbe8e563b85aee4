/** HTML as the page has it, without the secrets that stand in it. The page itself is not touched. */

import { Reading } from "../aria/reading.ts";
import { holdsSecret, MASK } from "../aria/secret.ts";
import { attributeOf, elementMatches, has, queryAll, tagOf, textContentOf } from "../dom/dom.ts";

const FIELDS = "input[value], textarea";

const outerHtml = Object.getOwnPropertyDescriptor(Element.prototype, "outerHTML");

/**
 * `html` is what `root` or its content was written as. A copy of the tree would run the page's own elements, or write
 * `noscript` otherwise; but a field is written the same wherever it stands, so it is found in the text.
 */
export function withMaskedValues(html: string, root: Element): string {
  const reading = new Reading({ whole: true });
  if (tagOf(root) === "textarea" && !html.startsWith("<")) return html && holdsSecret(root, reading) ? MASK : html;
  const inside = queryAll(root, FIELDS);
  const fields = elementMatches(root, FIELDS) ? [root, ...inside] : inside;
  let masked = html;
  for (const field of fields) {
    if (!isFilled(field) || !holdsSecret(field, reading)) continue;
    const written = markupOf(field);
    masked = masked.replaceAll(written, () => maskValue(written, tagOf(field)));
  }
  return masked;
}

function isFilled(field: Element): boolean {
  return (has(field, "value") ? attributeOf(field, "value") : textContentOf(field)) !== "";
}

/** Where the field stands in an XML document, its namespace is that of what is around it. */
function markupOf(field: Element): string {
  return String(outerHtml?.get?.call(field)).replace(/ xmlns(:\w+)?="[^"]*"/, "");
}

/** Attributes are gone through one by one, so that none is taken for the value because of what it says. */
function maskValue(markup: string, tag: string): string {
  if (tag === "textarea") return markup.replace(/[^>]*(<[^>]*>)$/, `${MASK}$1`);
  return markup.replace(/ ([^\s=]+)="[^"]*"/g, (all, name) => (name === "value" ? ` value="${MASK}"` : all));
}
