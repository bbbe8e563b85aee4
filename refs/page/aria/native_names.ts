/** Step 2E of the name computation: what HTML and SVG elements are named by (HTML-AAM 1.0, section 4). */
import { attributeOf, childElementsOf, isElement, parentOf, tagOf } from "../dom/dom.ts";
import type { Names, Route } from "./names.ts";
import { isSvg } from "./roles.ts";

/** Undefined when the element's language has no rule for it, so that its content and title are asked next. */
export function nativeName(element: Element, isLabeled: boolean, route: Route, names: Names): string | undefined {
  if (isSvg(element)) return svgName(element, route, names);
  const tag = tagOf(element);
  switch (tag) {
    case "input":
      return inputName(element as HTMLInputElement, isLabeled, route, names);
    case "textarea":
    case "select":
    case "meter":
    case "progress":
      return isLabeled ? undefined : fieldName(element as HTMLTextAreaElement, route, names);
    case "button":
    case "output": {
      const labels = names.reading.labelsOf(element);
      if (isLabeled || labels.length === 0) return undefined;
      route.visited.add(element);
      return names.fromLabels(labels, route.visited) || undefined;
    }
    case "fieldset":
      return isLabeled ? undefined : childName(element, "legend", route, names);
    case "figure":
      return isLabeled ? undefined : childName(element, "figcaption", route, names);
    case "table":
      return childName(element, "caption", route, names) || attributeOf(element, "summary") || undefined;
    case "img":
    case "area":
      route.visited.add(element);
      return [attributeOf(element, "alt"), attributeOf(element, "title")].find((text) => text?.trim()) ?? "";
    case "optgroup":
      return attributeOf(element, "label") || undefined;
    case "option":
      return attributeOf(element, "label")?.trim() ? (attributeOf(element, "label") ?? "") : undefined;
    default:
      return undefined;
  }
}

function inputName(input: HTMLInputElement, isLabeled: boolean, route: Route, names: Names): string | undefined {
  const { type } = input;
  const labels = names.reading.labelsOf(input);
  const title = attributeOf(input, "title") ?? "";
  route.visited.add(input);
  if (type === "button" || type === "submit" || type === "reset") {
    if (labels.length > 0 && !isLabeled && !route.through) {
      const label = names.fromLabels(labels, route.visited);
      if (label.trim()) return label;
    }
    if (input.value.trim()) return input.value;
    return type === "submit" ? "Submit" : type === "reset" ? "Reset" : title;
  }
  const label = labels.length > 0 && route.through !== "labelledby" ? names.fromLabels(labels, route.visited) : "";
  if (type === "file") return label.trim() ? label : title || "Choose File";
  if (type === "image") {
    const own = [label, attributeOf(input, "alt"), title].find((text) => text?.trim());
    return own ?? "Submit";
  }
  if (isLabeled) return undefined;
  return label.trim() ? label : withoutLabel(input);
}

function fieldName(field: HTMLTextAreaElement, route: Route, names: Names): string {
  route.visited.add(field);
  const label = names.fromLabels(names.reading.labelsOf(field), route.visited);
  return label.trim() ? label : withoutLabel(field);
}

const WITH_PLACEHOLDER = new Set(["text", "password", "number", "search", "tel", "email", "url"]);

/** The title, else the placeholder of fields that show one. */
function withoutLabel(field: HTMLInputElement | HTMLTextAreaElement): string {
  const title = attributeOf(field, "title");
  if (title?.trim()) return title;
  const showsPlaceholder = tagOf(field) === "textarea" || WITH_PLACEHOLDER.has(field.type);
  return showsPlaceholder ? (attributeOf(field, "placeholder") ?? "") : "";
}

function childName(element: Element, tag: string, route: Route, names: Names): string | undefined {
  for (const child of childElementsOf(element)) {
    if (tagOf(child) !== tag) continue;
    route.visited.add(element);
    const name = names.fromNativeChild(child, route);
    if (name.trim()) return name;
  }
  return undefined;
}

function svgName(element: Element, route: Route, names: Names): string | undefined {
  for (const child of childElementsOf(element)) {
    if (tagOf(child) !== "title" || !isSvg(child)) continue;
    route.visited.add(element);
    const name = names.fromNativeChild(child, route);
    if (name.trim()) return name;
  }
  const parent = parentOf(element);
  if (tagOf(element) !== "a" || !isElement(parent) || !isSvg(parent)) return undefined;
  return attributeOf(element, "xlink:title") ?? undefined;
}
