/** Which elements to look at for a role: asking each of a page for its role takes long. */
import { SIMPLE_ROLES } from "./roles.ts";

/** Tags by the roles that depend on more than the tag. */
const TAGS_IN_CONTEXT: Readonly<Record<string, string>> = {
  banner: "header",
  button: "input, summary",
  cell: "td",
  checkbox: "input",
  columnheader: "th",
  combobox: "input, select",
  contentinfo: "footer",
  form: "form",
  gridcell: "td",
  img: "img",
  link: "a, area",
  listbox: "select",
  radio: "input",
  region: "section",
  rowheader: "th",
  searchbox: "input",
  slider: "input",
  spinbutton: "input",
  textbox: "input, [contenteditable]",
};

/** CSS for every element that may have the role, and for others. */
export function candidatesFor(role: string): string {
  const tags = [...SIMPLE_ROLES].filter(([, simple]) => simple === role).map(([tag]) => tag);
  const inContext = TAGS_IN_CONTEXT[role];
  return ["[role]", ...tags, ...(inContext ? [inContext] : [])].join(", ");
}
