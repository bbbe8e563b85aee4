/** Operations about one element: its HTML, attributes, style, value and status. */
import { Describer } from "../aria/describe.ts";
import { fieldValue } from "../aria/field_value.ts";
import { Names } from "../aria/names.ts";
import { Reading } from "../aria/reading.ts";
import { isEditingHost } from "../aria/roles.ts";
import { isSecret, MASK } from "../aria/secret.ts";
import { checkedOf, isDisabled, isReadonly } from "../aria/states.ts";
import { Visibility } from "../aria/visibility.ts";
import { attributesOf, elementMatches, focusedElement, rectOf } from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import type { ElementId, ElementStatus, Gone, Operations } from "../protocol.ts";
import { withMaskedValues } from "./secret_markup.ts";
import { goneOr, rootFor, textOf } from "./text.ts";

export function detailOperations(elements: Elements) {
  const about = <Answer>(params: ElementId, answer: (element: Element) => Answer): Answer | Gone => {
    const element = elements.find(params);
    return element ? answer(element) : elements.gone(params);
  };
  return {
    html: (params: Operations["html"]["params"]) => html(elements, params),
    attributes: (params: ElementId) =>
      about(params, (element) => ({ state: "here" as const, attributes: attributes(element) })),
    style: (params: Operations["style"]["params"]) =>
      about(params, (element) => ({ state: "here" as const, style: style(element, params.property) })),
    value: (params: ElementId) => about(params, (element) => ({ state: "here" as const, ...value(elements, element) })),
    status: (params: ElementId) =>
      about(params, (element) => ({ state: "here" as const, ...status(elements, element) })),
  };
}

const innerHtml = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML");
const outerHtml = Object.getOwnPropertyDescriptor(Element.prototype, "outerHTML");

/** The document with its doctype, or what an element contains. */
function html(elements: Elements, params: Operations["html"]["params"]): Operations["html"]["answer"] {
  const root = rootFor(elements, params);
  if (!root) return goneOr(elements, params, { state: "here", html: "" });
  if (params.n !== undefined) {
    const written = String((params.outer ? outerHtml : innerHtml)?.get?.call(root));
    return { state: "here", html: withMaskedValues(written, root) };
  }
  const { doctype } = document;
  const head = doctype instanceof DocumentType ? `${new XMLSerializer().serializeToString(doctype)}\n` : "";
  return { state: "here", html: head + withMaskedValues(String(outerHtml?.get?.call(root)), root) };
}

function attributes(element: Element): Record<string, string> {
  const secret = isSecret(element, new Reading({ whole: false }));
  const pairs = [...attributesOf(element)].map(({ name, value }) => [name, secret && name === "value" ? MASK : value]);
  return Object.fromEntries(pairs);
}

/** What most questions about how an element looks are about. */
const TELLING = [
  "display",
  "visibility",
  "opacity",
  "position",
  "top",
  "right",
  "bottom",
  "left",
  "z-index",
  "float",
  "width",
  "height",
  "margin",
  "padding",
  "border",
  "border-radius",
  "box-sizing",
  "overflow",
  "color",
  "background-color",
  "background-image",
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
  "line-height",
  "text-align",
  "text-decoration",
  "text-transform",
  "white-space",
  "cursor",
  "pointer-events",
  "transform",
  "transition",
  "animation",
  "box-shadow",
  "flex",
  "flex-direction",
  "justify-content",
  "align-items",
  "gap",
  "grid-template-columns",
  "grid-template-rows",
];

function style(element: Element, property: string | undefined): Record<string, string> {
  const computed = getComputedStyle(element);
  if (property !== undefined && !CSS.supports(property, "initial")) return {};
  const names = property === undefined ? TELLING : [property];
  return Object.fromEntries(names.map((name) => [name, computed.getPropertyValue(name)]));
}

function value(elements: Elements, element: Element): { value: string | string[] | null; masked: boolean } {
  const reading = new Reading({ whole: false });
  const own = "value" in element ? String(element.value) : null;
  if (own !== "" && isSecret(element, reading)) return { value: MASK, masked: true };
  if (element instanceof HTMLSelectElement && element.multiple) {
    return { value: [...element.selectedOptions].map((option) => option.value), masked: false };
  }
  if (isEditingHost(element)) return { value: textOf(elements, element), masked: false };
  if (own !== null && !(element instanceof HTMLButtonElement)) return { value: own, masked: false };
  const role = new Describer(elements, new Names(reading)).roleOf(element) ?? "";
  return { value: fieldValue(element, role, reading) ?? own, masked: false };
}

function status(elements: Elements, element: Element): ElementStatus {
  const reading = new Reading({ whole: false });
  const role = new Describer(elements, new Names(reading)).roleOf(element) ?? "";
  const hidden = new Visibility(reading).hiddenReason(element);
  const enabled = !isDisabled(element, role, reading);
  const { x, y, width, height } = rectOf(element);
  return {
    visible: hidden === undefined || hidden === "aria-hidden",
    enabled,
    checked: checkedOf(element, role),
    editable: enabled && isEditable(element) && !isReadonly(element, role),
    focused: focusedElement() === element,
    box: { x, y, width, height },
  };
}

function isEditable(element: Element): boolean {
  if (element instanceof HTMLElement && element.isContentEditable) return true;
  return elementMatches(
    element,
    "select, textarea, input:not([type=hidden], [type=button], [type=submit], [type=reset], [type=image])",
  );
}
