/** What declares something for an element (a rule, its style attribute, an animation), out of the debugger's answers. */
import type { AnimatedStyles, MatchedStyles, Property, RuleMatch, Style } from "./protocol.ts";

export type Origin = "user-agent" | "user" | "author";
export type SourceKind = "rule" | "style-attribute" | "attributes" | "animation" | "transition";
export type Specificity = [ids: number, classes: number, types: number];

export interface Source {
  kind: SourceKind;
  origin: Origin;
  /** As written; the name of an animation; empty for attributes. */
  selector: string;
  /** Of the most specific selector that matches. */
  specificity?: Specificity;
  /** `address:line`. */
  location?: string;
  /** At-rules around it, outermost first: `@media (width > 600px)`. */
  conditions: string[];
  /** Tells the layer from every other; empty outside of all layers. */
  layer: string;
  /** The document or shadow root whose rules it is of. */
  treeScope?: number;
  /** False for what has no text, such as the browser's own rules: `written` is made up from `longhands` then. */
  hasText: boolean;
  /** Declarations as they were written. */
  written: Written[];
  /** What they come to, each property once, in the order that decides between logical and physical ones. A part of a
   * shorthand with a variable in it has the shorthand's value. */
  longhands: Longhand[];
}

export interface Longhand {
  name: string;
  value: string;
  important: boolean;
}

export interface Written extends Longhand {
  /** The browser understood it. */
  isValid: boolean;
  /** The properties that it sets; itself unless it is a shorthand. */
  longhands: readonly string[];
}

/** What the debugger tells of a style sheet when it is first heard of. */
export interface Sheet {
  url: string;
  /** Lines before it in its document. */
  startLine: number;
  isConstructed: boolean;
}

export type Sheets = ReadonlyMap<string, Sheet>;

/** Everything of the element's own, from the weakest to the strongest among what is not important. */
export function ownSources(
  matched: Pick<MatchedStyles, "matchedCSSRules" | "attributesStyle" | "inlineStyle">,
  animated: Partial<AnimatedStyles>,
  sheets: Sheets,
): Source[] {
  const { matchedCSSRules = [], attributesStyle, inlineStyle } = matched;
  const rules = ruleSources(matchedCSSRules, sheets);
  return [
    ...rules.filter(({ origin }) => origin !== "author"),
    ...styleSources("attributes", attributesStyle),
    ...rules.filter(({ origin }) => origin === "author"),
    ...styleSources("style-attribute", inlineStyle),
    ...(animated.animationStyles ?? []).flatMap(({ name = "", style }) => styleSources("animation", style, name)),
    ...styleSources("transition", animated.transitionsStyle),
  ];
}

/** Rules in the debugger's order, which is that of the cascade among normal declarations. */
export function ruleSources(matches: readonly RuleMatch[], sheets: Sheets): Source[] {
  // What a transition starts from is declared for no element that is there.
  const applying = matches.filter(({ rule }) => !rule.startingStyles?.length);
  return applying.map((match) => ruleSource(match, sheets));
}

function ruleSource({ rule, matchingSelectors }: RuleMatch, sheets: Sheets): Source {
  const { selectorList, nestingSelectors = [], origin, style, originTreeScopeNodeId } = rule;
  const specificity = mostSpecific(matchingSelectors.map((index) => selectorList.selectors[index]?.specificity));
  const location = locationOf(rule, sheets);
  return {
    kind: "rule",
    origin: origin === "user-agent" ? "user-agent" : origin === "injected" ? "user" : "author",
    selector: [...nestingSelectors.toReversed().map((outer) => `${outer} {`), selectorList.text].join(" "),
    ...(specificity && { specificity }),
    ...(location !== undefined && { location }),
    conditions: conditionsOf(rule),
    layer: (rule.layers ?? []).map(layerKey).join(" "),
    ...(originTreeScopeNodeId !== undefined && { treeScope: originTreeScopeNodeId }),
    ...declarationsOf(style),
  };
}

function styleSources(kind: SourceKind, style: Style | undefined, selector = ""): Source[] {
  if (!style || style.cssProperties.length === 0) return [];
  return [{ kind, origin: "author", selector, conditions: [], layer: "", ...declarationsOf(style) }];
}

/** The properties as written come first, with their text; then all they come to, without. */
function declarationsOf({ cssProperties, shorthandEntries }: Style): Pick<Source, "hasText" | "written" | "longhands"> {
  const sourced = cssProperties.filter(({ text, disabled }) => text !== undefined && !disabled);
  const longhands = cssProperties.filter(({ text }) => text === undefined);
  const hasText = sourced.length > 0;
  return {
    hasText,
    written: (hasText ? sourced : [...shorthandEntries, ...longhands]).map(writtenOf),
    longhands: longhands.map(({ name, value, important }) => ({
      name,
      value: plainValue(value),
      important: important === true,
    })),
  };
}

type Named = Pick<Property, "name" | "value">;

function writtenOf({ name, value, important, parsedOk, longhandProperties }: Partial<Property> & Named): Written {
  return {
    name,
    value: plainValue(value),
    important: important === true,
    isValid: parsedOk !== false,
    longhands: longhandProperties?.map((longhand) => longhand.name) ?? [name],
  };
}

function plainValue(value: string): string {
  return value.replace(/\s*!important$/i, "");
}

interface Counted {
  a: number;
  b: number;
  c: number;
}

function mostSpecific(all: readonly (Counted | undefined)[]): Specificity | undefined {
  const known = all.filter((one) => one !== undefined);
  const [first] = known.sort((one, other) => other.a - one.a || other.b - one.b || other.c - one.c);
  return first && [first.a, first.b, first.c];
}

/** Layers without a name are told apart by where they are written. */
function layerKey({ text, range, styleSheetId }: NonNullable<RuleMatch["rule"]["layers"]>[number]): string {
  return text === "" ? `${styleSheetId}:${range?.startLine}:${range?.startColumn}` : text;
}

function conditionsOf({
  layers = [],
  supports = [],
  media = [],
  containerQueries = [],
  scopes = [],
}: RuleMatch["rule"]): string[] {
  const layer = layers.map(({ text }) => text || "(anonymous)").join(".");
  return [
    ...(layer === "" ? [] : [`@layer ${layer}`]),
    ...supports.toReversed().map(({ text }) => `@supports ${text}`),
    ...media.toReversed().map(({ text }) => `@media ${text}`),
    ...containerQueries.toReversed().map(({ name, text }) => `@container ${name ? `${name} ` : ""}${text}`),
    ...scopes.toReversed().map(({ text }) => `@scope ${text}`),
  ];
}

function locationOf({ styleSheetId, selectorList, style }: RuleMatch["rule"], sheets: Sheets): string | undefined {
  const sheet = sheets.get(styleSheetId ?? "");
  const range = selectorList.selectors[0]?.range ?? style.range;
  if (!sheet || !range) return undefined;
  const name = sheet.isConstructed ? "constructed style sheet" : sheet.url || "<style>";
  return `${name}:${sheet.startLine + range.startLine + 1}`;
}
