/** The debugger's answers about styles, by their methods: the driver does not export their types. */
import type { CDPSession } from "playwright";

declare const cdp: CDPSession;

export type MatchedStyles = Awaited<ReturnType<typeof cdp.send<"CSS.getMatchedStylesForNode">>>;
export type AnimatedStyles = Awaited<ReturnType<typeof cdp.send<"CSS.getAnimatedStylesForNode">>>;

export type RuleMatch = NonNullable<MatchedStyles["matchedCSSRules"]>[number];
export type Style = NonNullable<MatchedStyles["inlineStyle"]>;
export type Property = Style["cssProperties"][number];
