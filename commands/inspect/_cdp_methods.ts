/**
 * The CDP methods that callers may use: all others are refused. Each is here because it only reads, is of use to someone
 * who looks into a page, and has no command that does it better. Never: what runs code, navigates, reaches other targets,
 * cookies or bodies, or writes files.
 */
import type { Effect, Output, Scope } from "../command.ts";

export interface CdpMethod {
  name: string;
  scope: Scope;
  effect: Effect;
  output: Output;
  /** What it is allowed for. */
  reason: string;
  /** The param that means an element; filled in from the caller's selector or ref. */
  element?: "nodeId" | "backendNodeId" | "objectId";
  /** Without an element it is about the whole document. */
  orDocument?: boolean;
  /** Domains that have to be enabled for it. */
  enable?: readonly string[];
  /** Asked of the browser, not of the page. */
  ofBrowser?: boolean;
  /** Params that have a value when the caller gives none: one of the page's, or a fixed one. */
  defaults?: Readonly<Record<string, PageValue | readonly string[]>>;
}

/** The current frame's CDP id, or its origin. */
export type PageValue = "frameId" | "origin";

type Options = Omit<CdpMethod, "name" | "scope" | "effect" | "output" | "reason">;

/** Reads what every caller that may read the page can see otherwise; the page has a say in the answer. */
function page(name: string, reason: string, options: Options = {}): CdpMethod {
  return { name, scope: "read", effect: "none", output: "page", reason, ...options };
}

/** Reads numbers and settings that the page has no say in. */
function plain(name: string, reason: string, options: Options = {}): CdpMethod {
  return { name, scope: "read", effect: "none", output: "plain", reason, ...options };
}

/** Reads more than the page shows: its scripts' objects, its storage, the machine. */
function admin(name: string, output: Output, reason: string, options: Options = {}): CdpMethod {
  return { name, scope: "admin", effect: "none", output, reason, ...options };
}

const OF_NODE = { element: "nodeId" } as const;
const OF_BACKEND_NODE = { element: "backendNodeId" } as const;
const OF_NODE_OR_DOCUMENT = { element: "nodeId", orDocument: true } as const;
const CSS = { enable: ["CSS"] } as const;
const ACCESSIBILITY = { enable: ["Accessibility"] } as const;
const OF_FRAME = { defaults: { frameId: "frameId" } } as const;
const OF_ORIGIN = { defaults: { origin: "origin" } } as const;
const OF_SECURITY_ORIGIN = { defaults: { securityOrigin: "origin" } } as const;

const METHODS: readonly CdpMethod[] = [
  page("Accessibility.getAXNodeAndAncestors", "Why a name or role is what it is", {
    ...OF_BACKEND_NODE,
    ...ACCESSIBILITY,
  }),
  page("Accessibility.getChildAXNodes", "The tree step by step, by `id`", ACCESSIBILITY),
  page("Accessibility.getFullAXTree", "The browser's own tree, with ignored nodes and their reasons"),
  page("Accessibility.getPartialAXTree", "One element's node and the relations around it", OF_BACKEND_NODE),
  page("Accessibility.getRootAXNode", "Where the tree begins", ACCESSIBILITY),
  page("Accessibility.queryAXTree", "Nodes by `role` and `accessibleName`", { ...OF_BACKEND_NODE, orDocument: true }),
  page("Audits.checkFormsIssues", "What the browser finds wrong with the page's forms", { enable: ["Audits"] }),
  admin("CacheStorage.requestCacheNames", "secret", "Caches of the page's service workers", OF_SECURITY_ORIGIN),
  page("CSS.getAnimatedStylesForNode", "What animations and transitions set now", { ...OF_NODE, ...CSS }),
  page("CSS.getBackgroundColors", "Colors behind an element's text, for contrast", { ...OF_NODE, ...CSS }),
  page("CSS.getComputedStyleForNode", "Every computed value", { ...OF_NODE, ...CSS }),
  plain("CSS.getEnvironmentVariables", "Values of `env()`, such as safe areas", CSS),
  page("CSS.getInlineStylesForNode", "Style and presentational attributes", { ...OF_NODE, ...CSS }),
  page("CSS.getLayersForNode", "Order of the cascade layers", { ...OF_NODE, ...CSS }),
  page("CSS.getMatchedStylesForNode", "The rules behind `inspect`, with source ranges", { ...OF_NODE, ...CSS }),
  page("CSS.getMediaQueries", "All media queries of the page, and which hold", CSS),
  page("CSS.getPlatformFontsForNode", "Fonts that were really used", { ...OF_NODE, ...CSS }),
  page("CSS.getStyleSheetText", "A style sheet by its `styleSheetId`", CSS),
  {
    ...page("CSS.forcePseudoState", "Holds an element in `:hover`, `:focus` and the like, to inspect it", {
      ...OF_NODE,
      ...CSS,
      defaults: { forcedPseudoClasses: [] },
    }),
    scope: "write",
    effect: "page",
  },
  page("DOM.describeNode", "Tag, attributes, shadow roots and frame of an element", OF_BACKEND_NODE),
  page("DOM.getAttributes", "Attributes as a list", OF_NODE),
  plain("DOM.getBoxModel", "Content, padding, border and margin as polygons", OF_BACKEND_NODE),
  plain("DOM.getContainerForNode", "The container that container queries ask", OF_NODE),
  plain("DOM.getContentQuads", "Where an element really is, transforms included", OF_BACKEND_NODE),
  page("DOM.getDetachedDomNodes", "Elements that scripts still hold after they left the page"),
  page("DOM.getDocument", "The tree by `depth`, with `pierce` through frames and shadow roots"),
  plain("DOM.getFrameOwner", "The element that holds a frame, by `frameId`"),
  plain("DOM.getNodeForLocation", "The element at `x` and `y`"),
  page("DOM.getNodesForSubtreeByStyle", "Elements by computed style", OF_NODE_OR_DOCUMENT),
  page("DOM.getOuterHTML", "An element's HTML, closed shadow roots too", OF_BACKEND_NODE),
  page("DOM.getSearchResults", "Matches of `performSearch`, from `fromIndex` to `toIndex`"),
  plain("DOM.getTopLayerElements", "Open dialogs, popovers and what is in full screen"),
  page("DOM.performSearch", "Finds by text, CSS or XPath, in frames and shadow roots too"),
  plain("DOM.querySelector", "The node id of the first match", OF_NODE_OR_DOCUMENT),
  plain("DOM.querySelectorAll", "The node ids of all matches", OF_NODE_OR_DOCUMENT),
  admin("DOM.resolveNode", "page", "An element as an object, for Runtime.getProperties", OF_BACKEND_NODE),
  page("DOMDebugger.getEventListeners", "Listeners on an element, and where in the source", { element: "objectId" }),
  page("DOMSnapshot.captureSnapshot", "All documents flattened, with chosen `computedStyles`", {
    defaults: { computedStyles: [] },
  }),
  plain("Emulation.getScreenInfos", "Screens as the page sees them"),
  { ...plain("HeapProfiler.collectGarbage", "Before counting what a page leaks"), scope: "admin", effect: "page" },
  admin("IndexedDB.requestDatabaseNames", "secret", "Databases of the page", OF_SECURITY_ORIGIN),
  plain("Memory.getDOMCounters", "Documents, nodes and listeners alive"),
  page("Network.getCertificate", "The certificates a site was loaded with", OF_ORIGIN),
  page("Network.getSecurityIsolationStatus", "COOP, COEP and CSP as they took effect", OF_FRAME),
  page("Page.getAppManifest", "The web app manifest, parsed, with its errors"),
  page("Page.getFrameTree", "Frames with their ids, addresses and origins"),
  plain("Page.getInstallabilityErrors", "Why the page cannot be installed"),
  plain("Page.getLayoutMetrics", "Sizes of the viewport and of the content"),
  page("Page.getOriginTrials", "Origin trial tokens and whether they hold", OF_FRAME),
  page("Page.getPermissionsPolicyState", "Features that the frame may use, and why not", OF_FRAME),
  page("Page.getResourceTree", "What each frame has loaded, by address and size", { enable: ["Page"] }),
  page("Page.searchInResource", "Lines of a loaded resource (`url`) that hold `query`", {
    ...OF_FRAME,
    enable: ["Page"],
  }),
  { ...page("Page.getNavigationHistory", "Where back and forward lead"), output: "secret" },
  plain("Performance.getMetrics", "Layouts, style recalculations, scripts and heap, counted", {
    enable: ["Performance"],
  }),
  plain("Runtime.getHeapUsage", "The page's JavaScript heap in bytes"),
  admin("Runtime.getProperties", "page", "Properties of an object without running its getters", {
    element: "objectId",
  }),
  admin("Storage.getUsageAndQuota", "plain", "Bytes that a site stores, by kind, and may store", OF_ORIGIN),
  admin("SystemInfo.getInfo", "plain", "Graphics hardware and features of the browser", { ofBrowser: true }),
  admin("SystemInfo.getProcessInfo", "plain", "Processes of the browser with their CPU time", { ofBrowser: true }),
];

export const CDP_METHODS: ReadonlyMap<string, CdpMethod> = new Map(METHODS.map((method) => [method.name, method]));
