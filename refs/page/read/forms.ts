/** Forms with their fields, wherever in the document the fields stand. */
import { cut, Describer } from "../aria/describe.ts";
import { fieldValue } from "../aria/field_value.ts";
import { Names } from "../aria/names.ts";
import { Reading } from "../aria/reading.ts";
import { isSecret, MASK } from "../aria/secret.ts";
import { checkedOf, isDisabled } from "../aria/states.ts";
import { attributeOf, documentUrl, elementMatches, fold, tagOf } from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import { absolute, shownUrl } from "../dom/url.ts";
import { queryAcross } from "../find/query.ts";
import type { FieldDescription, FormDescription, Operations } from "../protocol.ts";

/** Of what a field holds, as of a name; of each option, and of how many. */
const MAX_OPTION = 1_000;
const MAX_OPTIONS = 1_000;

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLButtonElement;

/** In document order; fields that belong to no form come last, under a form without action. */
export function forms(elements: Elements): Operations["forms"]["answer"] {
  const describer = new Describer(elements, new Names(new Reading({ whole: true })));
  const byForm = new Map<Element | null, FieldDescription[]>();
  for (const form of queryAcross(document, "form")) byForm.set(form, []);
  const loose: FieldDescription[] = [];
  for (const element of queryAcross(document, "input, select, textarea, button")) {
    const field = element as Field;
    (byForm.get(field.form) ?? loose).push(describeField(field, describer));
  }
  const found = [...byForm].map(([form, fields]) => describeForm(form, fields));
  if (loose.length > 0) found.push({ action: "", method: "", name: "", fields: loose });
  return { doc: elements.doc, forms: found };
}

/** Attributes, not properties: a field named "action" would answer for its form. */
function describeForm(form: Element | null, fields: FieldDescription[]): FormDescription {
  const attribute = (name: string) => (form && attributeOf(form, name)) ?? "";
  return {
    action: shownUrl(absolute(attribute("action") || documentUrl())),
    method: (attribute("method") || "get").toLowerCase(),
    name: cut(attribute("name") || attribute("id")),
    fields,
  };
}

function describeField(field: Field, describer: Describer): FieldDescription {
  const { reading } = describer.names;
  const { n, role, name } = describer.describe(field);
  const description: FieldDescription = {
    tag: tagOf(field),
    type: field.type,
    name: cut(attributeOf(field, "name") ?? ""),
    label: name,
    required: elementMatches(field, ":required"),
    disabled: isDisabled(field, role, reading),
    value: cut(
      field.value !== "" && isSecret(field, reading) ? MASK : (fieldValue(field, role, reading) ?? field.value),
    ),
    n,
    role,
  };
  const checked = field instanceof HTMLInputElement ? checkedOf(field, role) : null;
  if (checked !== null) description.checked = checked === true;
  if (field instanceof HTMLSelectElement) {
    const { options } = field;
    description.value = cut(field.value);
    description.options = [...options].slice(0, MAX_OPTIONS).map(({ value, label, selected }) => ({
      value: value.slice(0, MAX_OPTION),
      label: fold(label.slice(0, MAX_OPTION)),
      selected,
    }));
    if (options.length > MAX_OPTIONS) description.moreOptions = options.length - MAX_OPTIONS;
  }
  return description;
}
