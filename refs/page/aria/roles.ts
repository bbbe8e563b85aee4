/** Roles: what authors say (WAI-ARIA 1.2, section 8), else what HTML means (HTML-AAM 1.0). */
import {
  attributeOf,
  childElementsOf,
  closestAcross,
  closestOf,
  has,
  namespaceOf,
  parentOf,
  referenced,
  tagOf,
  textContentOf,
} from "../dom/dom.ts";
import { VALID_ROLES } from "./role_table.ts";

/** A landmark only when it is the page's own header or footer, not that of a part of it. */
const SECTIONING =
  "article:not([role]), aside:not([role]), main:not([role]), nav:not([role]), section:not([role]), " +
  "[role=article], [role=complementary], [role=main], [role=navigation], [role=region]";

/** Roles by tag, where nothing else decides. */
export const SIMPLE_ROLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    article: "article",
    aside: "complementary",
    blockquote: "blockquote",
    button: "button",
    caption: "caption",
    code: "code",
    datalist: "listbox",
    dd: "definition",
    del: "deletion",
    details: "group",
    dfn: "term",
    dialog: "dialog",
    dt: "term",
    em: "emphasis",
    fieldset: "group",
    figure: "figure",
    frame: "iframe",
    h1: "heading",
    h2: "heading",
    h3: "heading",
    h4: "heading",
    h5: "heading",
    h6: "heading",
    hr: "separator",
    html: "document",
    iframe: "iframe",
    ins: "insertion",
    li: "listitem",
    main: "main",
    mark: "mark",
    math: "math",
    menu: "list",
    meter: "meter",
    nav: "navigation",
    ol: "list",
    optgroup: "group",
    option: "option",
    output: "status",
    p: "paragraph",
    progress: "progressbar",
    search: "search",
    strong: "strong",
    sub: "subscript",
    sup: "superscript",
    svg: "img",
    table: "table",
    tbody: "rowgroup",
    textarea: "textbox",
    tfoot: "rowgroup",
    thead: "rowgroup",
    time: "time",
    tr: "row",
    ul: "list",
  }),
);

/** Elements whose role depends on more than their tag. */
const IN_CONTEXT: ReadonlyMap<string, (element: Element) => string | undefined> = new Map(
  Object.entries<(element: Element) => string | undefined>({
    a: (a) => (has(a, "href") || has(a, "xlink:href") ? "link" : undefined),
    area: (area) => (has(area, "href") ? "link" : undefined),
    footer: (footer) => (closestAcross(footer, SECTIONING) ? undefined : "contentinfo"),
    header: (header) => (closestAcross(header, SECTIONING) ? undefined : "banner"),
    form: (form) => (isNamedByAuthor(form) ? "form" : undefined),
    section: (section) => (isNamedByAuthor(section) ? "region" : undefined),
    img: imageRole,
    input: inputRole,
    select: (select) => (isListBox(select as HTMLSelectElement) ? "listbox" : "combobox"),
    summary: (summary) => (isSummaryForDetails(summary) ? "button" : undefined),
    td: cellRole,
    th: headerCellRole,
  }),
);

const INPUT_ROLES: Readonly<Record<string, string>> = {
  button: "button",
  checkbox: "checkbox",
  file: "button",
  image: "button",
  number: "spinbutton",
  radio: "radio",
  range: "slider",
  reset: "button",
  submit: "button",
};

/** Parents that pass `role=presentation` on to what is part of them (ARIA: required owned elements). */
const PRESENTATION_PARENTS: Readonly<Record<string, readonly string[]>> = {
  dd: ["dl", "div"],
  div: ["dl"],
  dt: ["dl", "div"],
  li: ["ol", "ul", "menu"],
  tbody: ["table"],
  td: ["tr"],
  tfoot: ["table"],
  th: ["tr"],
  thead: ["table"],
  tr: ["thead", "tbody", "tfoot", "table"],
};

/** The element's role; undefined when it has none (a `div`), `presentation` when it gave it up. */
export function computeRole(element: Element, tag = tagOf(element)): string | undefined {
  const explicit = explicitRole(element);
  if (tag === "iframe" || tag === "frame") return "iframe";
  if (!explicit) return implicitRole(element, tag);
  if (explicit === "none" || explicit === "presentation") {
    const implicit = implicitRole(element, tag);
    if (keepsRole(element, implicit)) return implicit;
    return "presentation";
  }
  return explicit;
}

/** The first role of the author's list that exists. */
function explicitRole(element: Element): string | undefined {
  const value = attributeOf(element, "role");
  if (!value) return undefined;
  for (const token of value.toLowerCase().split(/\s+/)) {
    if (VALID_ROLES.has(token)) return token === "image" ? "img" : token;
  }
  return undefined;
}

/** True for list boxes that show several options at once. */
export function isListBox(select: HTMLSelectElement): boolean {
  return select.multiple || select.size > 1;
}

export function isSummaryForDetails(summary: Element): boolean {
  const parent = parentOf(summary);
  if (!parent || tagOf(parent) !== "details") return false;
  for (const child of childElementsOf(parent)) if (tagOf(child) === "summary") return child === summary;
  return false;
}

/** True for the element that turns editing on, not for those inside it. */
export function isEditingHost(element: Element): boolean {
  const value = attributeOf(element, "contenteditable");
  return value !== null && ["", "true", "plaintext-only"].includes(value.toLowerCase());
}

function implicitRole(element: Element, tag: string): string | undefined {
  const role = SIMPLE_ROLES.get(tag) ?? IN_CONTEXT.get(tag)?.(element);
  if (!role) return isEditingHost(element) ? "textbox" : undefined;
  return PRESENTATION_PARENTS[tag] && inheritsPresentation(element) ? "presentation" : role;
}

function inheritsPresentation(element: Element): boolean {
  let current = element;
  for (;;) {
    const parents = PRESENTATION_PARENTS[tagOf(current)];
    const parent = parentOf(current);
    if (!parents || !parent || !parents.includes(tagOf(parent))) return false;
    const role = explicitRole(parent);
    if (role === "none" || role === "presentation") return !keepsRole(parent, role);
    current = parent;
  }
}

const GLOBAL_ATTRIBUTES = [
  "aria-atomic",
  "aria-busy",
  "aria-controls",
  "aria-current",
  "aria-describedby",
  "aria-details",
  "aria-dropeffect",
  "aria-flowto",
  "aria-grabbed",
  "aria-keyshortcuts",
  "aria-live",
  "aria-owns",
  "aria-relevant",
];

const NAMELESS = new Set([
  "caption",
  "code",
  "deletion",
  "emphasis",
  "generic",
  "insertion",
  "paragraph",
  "presentation",
  "strong",
  "subscript",
  "superscript",
]);

/** Presentational roles conflict resolution: what can be focused or has global attributes keeps its role. */
function keepsRole(element: Element, role: string | undefined): boolean {
  return hasGlobalAttribute(element, role) || isFocusable(element);
}

function hasGlobalAttribute(element: Element, role: string | undefined): boolean {
  if (GLOBAL_ATTRIBUTES.some((name) => has(element, name))) return true;
  if (role !== "generic" && has(element, "aria-roledescription")) return true;
  return !NAMELESS.has(role ?? "") && isNamedByAuthor(element);
}

function isFocusable(element: Element): boolean {
  if (closestOf(element, ":disabled")) return false;
  const tabindex = attributeOf(element, "tabindex");
  if (tabindex !== null && !Number.isNaN(Number.parseInt(tabindex, 10))) return true;
  const tag = tagOf(element);
  if (tag === "a" || tag === "area") return has(element, "href");
  if (tag === "input") return attributeOf(element, "type")?.toLowerCase() !== "hidden";
  return tag === "button" || tag === "select" || tag === "textarea" || tag === "summary" || isEditingHost(element);
}

function isNamedByAuthor(element: Element): boolean {
  return has(element, "aria-label") || has(element, "aria-labelledby");
}

function imageRole(image: Element): string {
  const isDecorative =
    attributeOf(image, "alt") === "" && !attributeOf(image, "title") && !hasGlobalAttribute(image, "img");
  return isDecorative && !isFocusable(image) ? "presentation" : "img";
}

function inputRole(element: Element): string | undefined {
  const type = (element as HTMLInputElement).type;
  if (type === "hidden") return undefined;
  if (["email", "search", "tel", "text", "url"].includes(type)) {
    const list = referenced(element, "list")[0];
    if (list && tagOf(list) === "datalist") return "combobox";
    return type === "search" ? "searchbox" : "textbox";
  }
  return INPUT_ROLES[type] ?? "textbox";
}

function cellRole(cell: Element): string {
  const table = closestAcross(cell, "table");
  const role = table && explicitRole(table);
  return role === "grid" || role === "treegrid" ? "gridcell" : "cell";
}

function headerCellRole(cell: Element): string | undefined {
  const scope = attributeOf(cell, "scope")?.toLowerCase();
  if (scope === "col" || scope === "colgroup") return "columnheader";
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  const { previousElementSibling: previous, nextElementSibling: next } = cell;
  if (!previous && !next) {
    const table = closestAcross(cell, "table");
    const isOnlyRow = table instanceof HTMLTableElement && table.rows.length <= 1;
    return isOnlyRow ? undefined : "columnheader";
  }
  const besideHeaders = previous && next && tagOf(previous) === "th" && tagOf(next) === "th";
  if (!besideHeaders && (isFilledDataCell(previous) || isFilledDataCell(next))) return "rowheader";
  return "columnheader";
}

function isFilledDataCell(cell: Element | null): boolean {
  if (!cell || tagOf(cell) !== "td") return false;
  return (textContentOf(cell) ?? "").trim() !== "" || childElementsOf(cell).length > 0;
}

export function isSvg(element: Element): boolean {
  return namespaceOf(element) === "http://www.w3.org/2000/svg";
}
