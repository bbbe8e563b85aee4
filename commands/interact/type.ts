import * as v from "valibot";
import { focus, focusedIn } from "../../refs/act/focus.ts";
import { typeText } from "../../refs/act/keyboard.ts";
import { noteTyped } from "../../refs/act/typed_keys.ts";
import { resolve } from "../../refs/find/target.ts";
import { defineCommand } from "../command.ts";
import { ElementSchema, elementOf, elementText } from "../element.ts";
import { isSecret, Target } from "../params.ts";

/** What nobody types, and everybody writes who means an element. */
const ELEMENT = /^(?:@[ec]\d+|(?:css|role|text|label|placeholder|testid)=.*)$/;

export default defineCommand({
  name: "type",
  category: "interact",
  summary: "Type text where the focus is, or into an element",
  description:
    "The text is never echoed, logged or journaled. A ref, or a selector such as label=Search, before the text names the " +
    "element to type into. What the element holds stays; `fill` replaces it.",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "page",
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
    characters: v.number(),
    into: v.exactOptional(v.pipe(ElementSchema, v.description("What had the focus; absent when nothing had"))),
  }),
  examples: ["browse type hello", "browse type label=Search desk lamp"],
  async run({ tab, signal }, { text, into }) {
    const target = into === undefined ? undefined : await resolve(tab, into, { signal });
    if (target) await focus(tab, target, { signal });
    const found = await focusedIn(tab, { signal });
    noteTyped(tab, text, found);
    await typeText(tab, text, { frame: target?.frame ?? found.frame, ref: target, signal });
    const focused = target ?? found.ref;
    return { characters: [...text].length, ...(focused && { into: elementOf(focused) }) };
  },
  render({ characters, into }) {
    const typed = `Typed ${characters} ${characters === 1 ? "character" : "characters"}`;
    return into ? `${typed} into ${elementText(into)}` : `${typed}; nothing had the focus`;
  },
});

function elementAndText(words: readonly string[]): Record<string, string> | undefined {
  const [into = "", ...text] = words;
  return text.length > 0 && ELEMENT.test(into) ? { into, text: text.join(" ") } : undefined;
}
