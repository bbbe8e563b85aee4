/** Every difference between our reader and the driver that is meant, with the reason. Any other is an error. */
import { INLINE_ROLES, INTERACTIVE_ROLES, NAMED_FROM_CONTENT } from "../../refs/page/aria/role_table.ts";
import { type Difference, squeeze } from "./compare.ts";

export interface Rule {
  name: string;
  /** Why ours is what it is. */
  reason: string;
  explains(difference: Difference): boolean;
}

type DriverOnly = NonNullable<Difference["node"]>;

/** What the driver lists and we leave out. Never something to operate. */
function leftOut(name: string, reason: string, explains: (node: DriverOnly, difference: Difference) => boolean): Rule {
  return {
    name,
    reason,
    explains: (difference) =>
      difference.node !== undefined &&
      !INTERACTIVE_ROLES.has(difference.node.role) &&
      explains(difference.node, difference),
  };
}

/** What we list and the driver leaves out: elements with the tag, as the role. */
function added(name: string, reason: string, tag: RegExp, role: RegExp): Rule {
  return {
    name,
    reason,
    explains: ({ what, element }) =>
      what === "ours only" && element?.ours !== undefined && tag.test(element.tag) && role.test(element.ours.role),
  };
}

function named(name: string, reason: string, html: RegExp): Rule {
  return { name, reason, explains: ({ what, element }) => what === "name" && html.test(element?.html ?? "") };
}

function state(name: string, reason: string, html: RegExp, ours: RegExp): Rule {
  return {
    name,
    reason,
    explains: (difference) =>
      difference.what === "state" && html.test(difference.element?.html ?? "") && ours.test(difference.ours ?? ""),
  };
}

const RULES: readonly Rule[] = [
  leftOut(
    "row groups",
    "a row group without a name says nothing that its table and rows don't",
    ({ role, name }) => role === "rowgroup" && name === "",
  ),
  leftOut(
    "parts that repeat a name",
    "what is inside a control, heading or cell and is said by its name is not shown twice; the text is compared apart",
    ({ name, ancestors }) =>
      ancestors.some(
        (ancestor) => NAMED_FROM_CONTENT.has(ancestor.role) && squeeze(ancestor.name).includes(squeeze(name)),
      ),
  ),
  leftOut(
    "captions",
    "what only says the name of its table is on the line of the table; the text is compared apart",
    ({ role, ancestors }) => role === "caption" && Boolean(ancestors[0]?.name),
  ),
  leftOut(
    "words set in a line",
    "emphasis, code, time and the like stay part of their sentence, on one line",
    ({ role }) => INLINE_ROLES.has(role),
  ),
  leftOut(
    "separators",
    "a line between things that nobody can move tells nothing; it takes a line only with a name or text",
    ({ role, name }) => role === "separator" && name === "",
  ),
  leftOut(
    "drawings without a name",
    "a drawing that has no name is not shown, what is in it is",
    ({ role, name }) => role === "img" && name === "",
  ),
  leftOut("nodes with nothing in them", "no name, no text, nothing inside: no line", ({ isEmpty }) => isEmpty),
  leftOut(
    "documents in the page",
    "`role=document` only tells screen readers how to read; what is in it is shown",
    ({ role }) => role === "document",
  ),
  added(
    "summaries",
    "pressing a `summary` opens its `details`: it is shown as the button it is (HTML-AAM leaves its role open)",
    /^summary$/,
    /^button$/,
  ),
  added(
    "links without an address",
    "an `a` without `href` that a script follows can be pressed; agents missed them in other tools",
    /^a$/,
    /^link$/,
  ),
  added(
    "image map areas",
    "an area has no box of its own, but can be pressed where its picture is",
    /^area$/,
    /^link$/,
  ),
  added(
    "option groups",
    "the group of a collapsed list has no box, but tells its options apart as it does when it is open",
    /^optgroup$/,
    /^group$/,
  ),
  {
    name: "editable content",
    reason: "what is `contenteditable` is typed into like a text box, which Chromium's own tree says too",
    explains: ({ what, element }) =>
      what === "ours only" && element?.ours?.role === "textbox" && /contenteditable/.test(element.html),
  },
  {
    name: "roles of ARIA 1.3",
    reason: "`image` is another word for `img`, and `suggestion` exists; the driver knows neither",
    explains: ({ what, element }) => what === "ours only" && /role="(image|suggestion)"/.test(element?.html ?? ""),
  },
  {
    name: "options with a label",
    reason: "an option's `label` is what is seen and what HTML-AAM names it by; the driver takes its text",
    explains: ({ what, element, node }) =>
      (what === "ours only" && /^<option label=/.test(element?.html ?? "")) ||
      (what === "driver only" && node?.role === "option" && element === undefined),
  },
  {
    name: "secrets",
    reason: "values of password and one-time-code fields are masked",
    explains: ({ isSecret }) => isSecret === true,
  },
  {
    name: "text inside gauges",
    reason: "what stands inside a `meter` or `progress` is for browsers that cannot draw it; nobody sees it",
    explains: ({ isFallback }) => isFallback === true,
  },
  named(
    "buttons with a label",
    "HTML-AAM names submit, reset and plain input buttons by their label before their value",
    /^<input type="(submit|reset|button)"/,
  ),
  named("file fields with a title", "HTML-AAM names fields by their title where no label does", /^<input type="file"/),
  state("open details", "whether a `details` is open matters, whatever its role", /^<details/, /^expanded$/),
  state("disabled fieldsets", "a `fieldset` can be disabled as the controls in it are", /^<fieldset/, /^disabled$/),
  state(
    "levels that authors give",
    "`aria-level` goes before the level of `h1` to `h6` (ARIA in HTML)",
    /^<h[1-6].*aria-level=/,
    /^level=\d$/,
  ),
];

/** The first rule that explains the difference. */
export function ruleFor(difference: Difference): Rule | undefined {
  return RULES.find((rule) => rule.explains(difference));
}
