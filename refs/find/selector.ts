/** The selector forms that commands take, parsed: CSS, or `role=`, `text=`, `label=`, `placeholder=`, `testid=`. */
import { BrowseError } from "../../errors.ts";
import type { QueryBy, TextMatch } from "../page/protocol.ts";

export interface Selector {
  by: QueryBy;
  value: string;
  /** Accessible name, for `role`. */
  name?: TextMatch;
  /** How the text is compared, for `text`, `label` and `placeholder`. */
  match?: TextMatch;
}

const SELECTOR_FORMS =
  'a @ref, a CSS selector, role=button[name="Save"], text=…, label=…, placeholder=…, testid=… ' +
  '("…" for exact text, "…" i to ignore case, /…/ for a regular expression)';

/** Longer patterns are refused: they run in the page. Characters. */
const MAX_REGEX = 500;

/** Playwright's way to look on inside what was found: `text=Save >> nth=0`. */
const CHAIN = /\s>>\s*(?:[a-z:-]+=|[.#[*])/;

/** Throws `invalid_params` naming the accepted forms. CSS itself is checked by the page. */
export function parseSelector(target: string): Selector {
  const text = target.trim();
  const form = /^(css|role|text|label|placeholder|testid)\s*=\s*/.exec(text);
  const by = form?.[1] as QueryBy | undefined;
  if (!form || !by) return cssSelector(text);
  const rest = text.slice(form[0].length);
  if (rest === "") throw malformed(target, `nothing follows "${by}="`);
  if (CHAIN.test(rest) && !/^["'/]/.test(rest)) throw malformed(target, '">>" is not accepted outside quotes');
  if (by === "css") return cssSelector(rest);
  if (by === "role") return parseRole(target, rest);
  if (by === "testid") return { by, value: exactText(target, rest) };
  const match = parseMatch(target, rest, "auto");
  return { by, value: match.text, match };
}

function cssSelector(css: string): Selector {
  if (css === "") throw malformed(css, "it is empty");
  if (css.startsWith("//") || css.startsWith("xpath=")) throw malformed(css, "XPath is not accepted");
  return { by: "css", value: css };
}

function parseRole(target: string, text: string): Selector {
  const role = /^[a-z]+/i.exec(text)?.[0].toLowerCase();
  if (!role) throw malformed(target, "a role is a word such as button");
  const rest = text.slice(role.length).trim();
  if (rest === "") return { by: "role", value: role };
  const attribute = /^\[\s*name\s*=\s*/.exec(rest);
  if (!attribute || !rest.endsWith("]")) throw malformed(target, 'after the role only [name="…"] may stand');
  const name = parseMatch(target, rest.slice(attribute[0].length, -1).trim(), "exact");
  return { by: "role", value: role, name };
}

/** `"exact"`, `"exact" i`, `/regex/flags`, or plain words. */
function parseMatch(target: string, text: string, plain: TextMatch["how"]): TextMatch {
  const quote = text[0];
  if (quote === '"' || quote === "'") {
    const { value, rest } = readQuoted(target, text);
    if (rest === "") return { text: value, how: "exact" };
    if (rest === "i") return { text: value, how: "ignore-case" };
    throw malformed(target, "only i may stand after the closing quote");
  }
  const regex = /^\/(.+)\/([a-z]*)$/s.exec(text);
  if (regex) return regexMatch(target, String(regex[1]), String(regex[2]));
  if (text === "") throw malformed(target, "the text is empty");
  return { text, how: plain };
}

function regexMatch(target: string, source: string, flags: string): TextMatch {
  if (source.length > MAX_REGEX) throw malformed(target, `a regular expression may have ${MAX_REGEX} characters`);
  try {
    new RegExp(source, flags);
  } catch {
    throw malformed(target, "the regular expression is not valid");
  }
  return flags ? { text: source, how: "regex", flags } : { text: source, how: "regex" };
}

function exactText(target: string, text: string): string {
  if (text[0] !== '"' && text[0] !== "'") return text;
  const { value, rest } = readQuoted(target, text);
  if (rest !== "") throw malformed(target, "something follows the closing quote");
  return value;
}

/** A backslash makes the next character count as itself. */
function readQuoted(target: string, text: string): { value: string; rest: string } {
  const quote = text[0];
  let value = "";
  for (let i = 1; i < text.length; i++) {
    if (text[i] === quote) return { value, rest: text.slice(i + 1).trim() };
    if (text[i] === "\\") i++;
    value += text[i] ?? "";
  }
  throw malformed(target, "the closing quote is missing");
}

export function malformed(target: string, why: string): BrowseError {
  return new BrowseError("invalid_params", `Cannot use the selector "${target}": ${why}`, {
    hint: `Accepted: ${SELECTOR_FORMS}`,
    details: { selector: target },
  });
}
