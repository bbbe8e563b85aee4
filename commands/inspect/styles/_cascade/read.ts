/** An element's styles as the debugger tells them. */
import type { CDPSession } from "playwright";
import { expandShorthands } from "./expand.ts";
import type { MatchedStyles } from "./protocol.ts";
import { ownSources, ruleSources, type Sheet, type Sheets, type Source } from "./sources.ts";

export interface Styles {
  /** In the order of `ownSources`. */
  own: Source[];
  /** Of each ancestor, the nearest first. */
  inherited: { from: string; sources: Source[] }[];
  /** By name, without the colons. */
  pseudoElements: { name: string; sources: Source[] }[];
  /** Custom properties with a definition of their own, and whether they are inherited. */
  registered: Map<string, boolean>;
  computed: Map<string, string>;
  /** The document or shadow root that the element is in. */
  treeScope: number;
}

/** An element, on a CDP session that nobody else uses meanwhile. */
export interface StyledNode {
  cdp: CDPSession;
  backendNodeId: number;
  /** In a world that the page has no part in. */
  objectId: string;
}

export async function readStyles(node: StyledNode): Promise<Styles> {
  const { cdp, backendNodeId } = node;
  const sheets = collectSheets(cdp);
  await cdp.send("DOM.enable");
  await cdp.send("CSS.enable");
  await cdp.send("DOM.getDocument", { depth: 0 });
  const { nodeIds } = await cdp.send("DOM.pushNodesByBackendIdsToFrontend", { backendNodeIds: [backendNodeId] });
  const nodeId = nodeIds[0] ?? 0;
  const [matched, animated, { computedStyle }, { treeScope, ancestors }] = await Promise.all([
    cdp.send("CSS.getMatchedStylesForNode", { nodeId }),
    cdp.send("CSS.getAnimatedStylesForNode", { nodeId }),
    cdp.send("CSS.getComputedStyleForNode", { nodeId }),
    surroundingsOf(node),
  ]);
  const styles: Styles = {
    own: ownSources(matched, animated, sheets),
    inherited: (matched.inherited ?? []).map((entry, index) => ({
      from: ancestors[index] ?? `ancestor ${index + 1}`,
      sources: ownSources(entry, {}, sheets),
    })),
    pseudoElements: pseudoElementsOf(matched, sheets),
    registered: new Map((matched.cssPropertyRegistrations ?? []).map((one) => [one.propertyName, one.inherits])),
    computed: new Map(computedStyle.map(({ name, value }) => [name, value])),
    treeScope,
  };
  const others = [...styles.inherited, ...styles.pseudoElements].flatMap(({ sources }) => sources);
  await expandShorthands(node, [...styles.own, ...others], styles.computed);
  return styles;
}

/** All that there are have been told of when `CSS.enable` is answered. */
function collectSheets(cdp: CDPSession): Sheets {
  const sheets = new Map<string, Sheet>();
  cdp.on("CSS.styleSheetAdded", ({ header }) => {
    const { styleSheetId, sourceURL, startLine, isConstructed } = header;
    sheets.set(styleSheetId, { url: sourceURL, startLine, isConstructed });
  });
  return sheets;
}

function pseudoElementsOf({ pseudoElements = [] }: MatchedStyles, sheets: Sheets): Styles["pseudoElements"] {
  return pseudoElements.map(({ pseudoType, pseudoIdentifier, matches }) => ({
    name: pseudoIdentifier ? `${pseudoType}(${pseudoIdentifier})` : pseudoType,
    sources: ruleSources(matches, sheets),
  }));
}

/** Where the element is: its tree, and what its ancestors are called, the nearest first. */
async function surroundingsOf({ cdp, objectId }: StyledNode): Promise<{ treeScope: number; ancestors: string[] }> {
  const [names, { result: root }] = await Promise.all([
    cdp.send("Runtime.callFunctionOn", { objectId, functionDeclaration: String(ancestorNames), returnByValue: true }),
    cdp.send("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration: "function () { return this.getRootNode(); }",
    }),
  ]);
  const { node } = await cdp.send("DOM.describeNode", { objectId: root.objectId ?? "" });
  return { treeScope: node.backendNodeId, ancestors: (names.result.value ?? []) as string[] };
}

/** Runs in our world of the page, as text. In the flat tree, which is what styles are inherited along. */
function ancestorNames(this: Element): string[] {
  const above = (element: Element): Element | undefined => {
    const root = element.getRootNode();
    const host = root instanceof ShadowRoot ? root.host : undefined;
    return element.assignedSlot ?? element.parentElement ?? host;
  };
  const names: string[] = [];
  for (let element = above(this); element; element = above(element)) {
    const classes = [...element.classList].map((name) => `.${name}`).join("");
    names.push(`${element.localName}${element.id ? `#${element.id}` : ""}${classes}`.slice(0, 120));
  }
  return names;
}
