import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { focus, focusedIn } from "../../refs/act/focus.ts";
import { typeText } from "../../refs/act/keyboard.ts";
import { noteTyped } from "../../refs/act/typed_keys.ts";
import { resolve } from "../../refs/find/target.ts";
import { defineCommand } from "../command.ts";
import { ElementSchema, elementOf, elementText } from "../element.ts";
import { isSecret, Target } from "../params.ts";

/** What nobody types, and everybody writes who means an element. */
const ELEMENT = /^(?:@[ec]\d+|(?:css|role|text|label|placeholder|testid)=.*)$/;
/** How CSS selectors of fields begin, and some texts. */
const MAYBE_CSS = /^(?:[#.][a-z_]|[a-z]*\[|(?:input|textarea)(?:[#.:[]|$))/i;

export default defineCommand({
  name: "type",
  category: "interact",
  summary: "Type text where the focus is, or into an element",
  description:
    "The text is never logged or journaled, and told only where the field then holds something else. A ref, or a selector such as label=Search, before the text names the " +
    "element to type into; --into takes any selector. The text comes after what the element holds; `fill` replaces that.",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "parts",
  params: v.strictObject({
    text: v.pipe(
      v.string(),
      v.minLength(1, "must not be empty"),
      v.maxLength(100_000),
      v.description("What to type"),
      isSecret(),
    ),
    into: v.exactOptional(Target),
  }),
  cli: { rest: "text", stdin: "text", place: elementAndText },
  result: v.strictObject({
    characters: v.pipe(v.number(), v.description("How many arrived, as far as the field tells")),
    sent: v.exactOptional(v.pipe(v.number(), v.description("How many were typed, where the field did not take all"))),
    into: v.exactOptional(v.pipe(ElementSchema, v.description("What had the focus; absent when nothing had"))),
  }),
  examples: ["browse type hello", "browse type label=Search desk lamp", "browse type --into 'input[type=search]' lamp"],
  async run({ tab, signal }, { text, into }) {
    const target = into === undefined ? undefined : await resolve(tab, into, { signal });
    if (target) await focus(tab, target, { append: true, signal });
    const found = await focusedIn(tab, { signal });
    noteTyped(tab, text, found);
    const characters = await typeText(tab, text, { frame: target?.frame ?? found.frame, ref: target, signal });
    const focused = target ?? found.ref;
    const sent = [...text].length;
    return { characters, ...(sent > characters && { sent }), ...(focused && { into: elementOf(focused) }) };
  },
  render({ characters, sent, into }) {
    const count = sent === undefined ? characters : `${characters} of ${sent}`;
    const typed = `Typed ${count} ${(sent ?? characters) === 1 ? "character" : "characters"}`;
    return into ? `${typed} into ${elementText(into)}` : `${typed}; nothing had the focus`;
  },
});

function elementAndText(
  [into = "", ...text]: readonly string[],
  given: ReadonlySet<string>,
): Record<string, string> | undefined {
  if (text.length === 0 || given.has("into")) return undefined;
  if (MAYBE_CSS.test(into)) throw maybeElement();
  return ELEMENT.test(into) ? { into, text: text.join(" ") } : undefined;
}

/** Says nothing of the words: they may be a secret. */
function maybeElement(): BrowseError {
  return new BrowseError("invalid_params", "The first word may be a selector, or the beginning of the text", {
    hint: "Write `browse type --into <selector> <text>`, or put all of the text in one pair of quotes",
  });
}
