/** Every CDP method that is allowed is called here for real. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CDP_METHODS } from "../../../commands/inspect/_cdp_methods.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const PAGE = `<!doctype html><html lang="en"><title>Shop</title><link rel="manifest" href="/manifest.json">
<link rel="stylesheet" href="/shop.css">
<main id="box"><button id="buy" class="big" style="color: rgb(1, 2, 3)">Buy</button></main>
<form><input id="name"><label for="nowhere">Name</label></form>
<iframe id="inner" srcdoc="<p id=deep>In a frame</p>"></iframe><dialog id="open">Open</dialog>
<script>
  buy.addEventListener("click", () => {});
  buy.price = 42;
  document.getElementById("open").show();
  kept = document.createElement("aside");
  ready = Promise.all([caches.open("shelf"), new Promise((done) => { indexedDB.open("stock").onsuccess = done; })]);
</script>`;

const CSS = `@layer base { button { letter-spacing: 2px } }
@media (min-width: 1px) { .big { font-size: 20px } }
#box { container-type: inline-size }
#buy:hover { outline: 5px solid rgb(9, 9, 9) }`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": PAGE,
    "/shop.css": (_request, response) => response.writeHead(200, { "content-type": "text/css" }).end(CSS),
    "/manifest.json": (_request, response) =>
      response.writeHead(200, { "content-type": "application/manifest+json" }).end('{"name": "The shop"}'),
    "/api": (_request, response) => response.writeHead(200, { "content-type": "text/plain" }).end("ok"),
  });
  project = await SharedProject.open();
  await project.run("goto", site.url);
  await project.run("wait", "--load");
  await project.run("js", "await ready; 1");
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

type Answer = Record<string, never>;

async function cdp(method: string, ...words: (string | object)[]): Promise<Answer> {
  const argv = words.map((word) => (typeof word === "string" ? word : JSON.stringify(word)));
  return (await project.json("cdp", method, ...argv)).result as Answer;
}

const text = (answer: unknown) => JSON.stringify(answer);

const frameOf = async (which: "main" | "inner"): Promise<string> => {
  const { frameTree } = (await cdp("Page.getFrameTree")) as Answer & {
    frameTree: { frame: { id: string }; childFrames: { frame: { id: string } }[] };
  };
  return which === "main" ? frameTree.frame.id : frameTree.childFrames[0]!.frame.id;
};

/** One real call of each method that is allowed, and something that only a true answer has. */
const CALLS: Record<string, () => Promise<void>> = {
  "Accessibility.getAXNodeAndAncestors": async () => {
    expect(text(await cdp("Accessibility.getAXNodeAndAncestors", "#buy"))).toMatch(/"Buy".*RootWebArea/);
  },
  "Accessibility.getChildAXNodes": async () => {
    const { node } = (await cdp("Accessibility.getRootAXNode")) as Answer & { node: { nodeId: string } };
    const { nodes } = await cdp("Accessibility.getChildAXNodes", { id: node.nodeId });
    expect(nodes).not.toHaveLength(0);
  },
  "Accessibility.getFullAXTree": async () => {
    expect(text(await cdp("Accessibility.getFullAXTree"))).toContain('"Buy"');
  },
  "Accessibility.getPartialAXTree": async () => {
    expect(text(await cdp("Accessibility.getPartialAXTree", "#buy"))).toContain('"Buy"');
  },
  "Accessibility.getRootAXNode": async () => {
    expect(text(await cdp("Accessibility.getRootAXNode"))).toContain("RootWebArea");
  },
  "Accessibility.queryAXTree": async () => {
    expect((await cdp("Accessibility.queryAXTree", { role: "button" })).nodes).toHaveLength(1);
    expect((await cdp("Accessibility.queryAXTree", "form", { role: "button" })).nodes).toHaveLength(0);
  },
  "Audits.checkFormsIssues": async () => {
    expect(await cdp("Audits.checkFormsIssues")).toHaveProperty("formIssues");
  },
  "CacheStorage.requestCacheNames": async () => {
    expect(text(await cdp("CacheStorage.requestCacheNames"))).toContain('"shelf"');
  },
  "CSS.getAnimatedStylesForNode": async () => {
    expect(await cdp("CSS.getAnimatedStylesForNode", "#buy")).toHaveProperty("animationStyles");
  },
  "CSS.getBackgroundColors": async () => {
    expect(await cdp("CSS.getBackgroundColors", "#buy")).toMatchObject({ computedFontSize: "20px" });
  },
  "CSS.getComputedStyleForNode": async () => {
    expect((await cdp("CSS.getComputedStyleForNode", "#buy")).computedStyle).toContainEqual({
      name: "color",
      value: "rgb(1, 2, 3)",
    });
  },
  "CSS.getEnvironmentVariables": async () => {
    expect(text(await cdp("CSS.getEnvironmentVariables"))).toContain("safe-area-inset-top");
  },
  "CSS.getInlineStylesForNode": async () => {
    expect(await cdp("CSS.getInlineStylesForNode", "#buy")).toMatchObject({
      inlineStyle: { cssText: "color: rgb(1, 2, 3)" },
    });
  },
  "CSS.getLayersForNode": async () => {
    expect(text(await cdp("CSS.getLayersForNode", "#buy"))).toContain('"base"');
  },
  "CSS.getMatchedStylesForNode": async () => {
    expect(text(await cdp("CSS.getMatchedStylesForNode", "#buy"))).toContain('".big"');
  },
  "CSS.getMediaQueries": async () => {
    expect(text(await cdp("CSS.getMediaQueries"))).toContain("min-width: 1px");
  },
  "CSS.getPlatformFontsForNode": async () => {
    expect((await cdp("CSS.getPlatformFontsForNode", "#buy")).fonts).toHaveLength(1);
  },
  "CSS.getStyleSheetText": async () => {
    const matched = text(await cdp("CSS.getMatchedStylesForNode", "#buy"));
    const styleSheetId = /"styleSheetId":"(style-sheet-[\d-]+)"/.exec(matched)?.[1];
    expect(await cdp("CSS.getStyleSheetText", { styleSheetId })).toEqual({ text: CSS });
  },
  "CSS.forcePseudoState": async () => {
    expect(await project.run("css", "#buy", "outline-width")).not.toBe("5px");
    await cdp("CSS.forcePseudoState", "#buy", { forcedPseudoClasses: ["hover"] });
    expect(await project.run("css", "#buy", "outline-width")).toBe("5px");
    await cdp("CSS.forcePseudoState", "#buy");
    expect(await project.run("css", "#buy", "outline-width")).not.toBe("5px");
  },
  "DOM.describeNode": async () => {
    expect(await cdp("DOM.describeNode", "#buy")).toMatchObject({ node: { localName: "button" } });
  },
  "DOM.getAttributes": async () => {
    const { attributes } = (await cdp("DOM.getAttributes", "#buy")) as Answer & { attributes: string[] };
    expect(attributes.slice(0, 4)).toEqual(["id", "buy", "class", "big"]);
  },
  "DOM.getBoxModel": async () => {
    const box = await project.json("box", "#buy");
    expect(await cdp("DOM.getBoxModel", "#buy")).toMatchObject({ model: { height: box.height } });
  },
  "DOM.getContainerForNode": async () => {
    const { nodeId } = await cdp("DOM.querySelector", { selector: "#box" });
    expect(await cdp("DOM.getContainerForNode", "#buy", { physicalAxes: "Horizontal" })).toEqual({ nodeId });
  },
  "DOM.getContentQuads": async () => {
    const { quads } = (await cdp("DOM.getContentQuads", "#buy")) as Answer & { quads: number[][] };
    const { x, y } = await project.json("box", "#buy");
    expect(quads[0]?.slice(0, 2)).toEqual([x, y]);
  },
  "DOM.getDetachedDomNodes": async () => {
    expect(text(await cdp("DOM.getDetachedDomNodes"))).toContain("ASIDE");
  },
  "DOM.getDocument": async () => {
    expect(text(await cdp("DOM.getDocument", { depth: -1, pierce: true }))).toContain("In a frame");
  },
  "DOM.getFrameOwner": async () => {
    const { backendNodeId } = (await cdp("DOM.getFrameOwner", { frameId: await frameOf("inner") })) as Answer;
    expect(await cdp("DOM.describeNode", "#inner")).toMatchObject({ node: { backendNodeId } });
  },
  "DOM.getNodeForLocation": async () => {
    const { x, y } = (await project.json("box", "#buy")) as { x: number; y: number };
    const found = await cdp("DOM.getNodeForLocation", { x: Math.ceil(x) + 2, y: Math.ceil(y) + 2 });
    expect(await cdp("DOM.describeNode", "#buy")).toMatchObject({ node: { backendNodeId: found.backendNodeId } });
  },
  "DOM.getNodesForSubtreeByStyle": async () => {
    const computedStyles = [{ name: "color", value: "rgb(1, 2, 3)" }];
    expect((await cdp("DOM.getNodesForSubtreeByStyle", { computedStyles })).nodeIds).toHaveLength(1);
  },
  "DOM.getOuterHTML": async () => {
    expect(text(await cdp("DOM.getOuterHTML", "#buy"))).toContain(">Buy</button>");
  },
  "DOM.getSearchResults": async () => {
    const { searchId, resultCount } = await cdp("DOM.performSearch", { query: "//button" });
    const { nodeIds } = (await cdp("DOM.getSearchResults", {
      searchId,
      fromIndex: 0,
      toIndex: resultCount,
    })) as Answer & {
      nodeIds: number[];
    };
    expect(await cdp("DOM.describeNode", { nodeId: nodeIds[0] })).toMatchObject({ node: { localName: "button" } });
  },
  "DOM.getTopLayerElements": async () => {
    await project.run("js", "document.getElementById('open').close(); document.getElementById('open').showModal()");
    const { nodeIds } = (await cdp("DOM.getTopLayerElements")) as Answer & { nodeIds: number[] };
    await project.run("js", "document.getElementById('open').close()");
    expect(nodeIds.length).toBeGreaterThan(0);
  },
  "DOM.performSearch": async () => {
    // The text, and the attribute that it was written in.
    expect(await cdp("DOM.performSearch", { query: "In a frame" })).toMatchObject({ resultCount: 2 });
  },
  "DOM.querySelector": async () => {
    const { nodeId } = await cdp("DOM.querySelector", { selector: "#buy" });
    expect(await cdp("DOM.describeNode", { nodeId })).toMatchObject({ node: { localName: "button" } });
    expect(await cdp("DOM.querySelector", "form", { selector: "#buy" })).toEqual({ nodeId: 0 });
  },
  "DOM.querySelectorAll": async () => {
    expect((await cdp("DOM.querySelectorAll", { selector: "button, input" })).nodeIds).toHaveLength(2);
  },
  "DOM.resolveNode": async () => {
    const { object } = (await cdp("DOM.resolveNode", "#buy")) as Answer & { object: { objectId: string } };
    const properties = await cdp("Runtime.getProperties", { objectId: object.objectId, ownProperties: true });
    expect(text(properties)).toContain('"name":"price","value":{"type":"number","value":42');
  },
  "DOMDebugger.getEventListeners": async () => {
    expect((await cdp("DOMDebugger.getEventListeners", "#buy")).listeners).toMatchObject([{ type: "click" }]);
  },
  "DOMSnapshot.captureSnapshot": async () => {
    expect(text(await cdp("DOMSnapshot.captureSnapshot", { computedStyles: ["color"] }))).toContain("rgb(1, 2, 3)");
    expect((await cdp("DOMSnapshot.captureSnapshot")).documents).toHaveLength(2);
  },
  "Emulation.getScreenInfos": async () => {
    expect((await cdp("Emulation.getScreenInfos")).screenInfos).toHaveLength(1);
  },
  "HeapProfiler.collectGarbage": async () => {
    await project.run("js", "left = new WeakRef(new (class Waste {})()); 1");
    await cdp("HeapProfiler.collectGarbage");
    expect(await project.run("js", "left.deref() === undefined")).toBe("true");
  },
  "IndexedDB.requestDatabaseNames": async () => {
    expect(await cdp("IndexedDB.requestDatabaseNames")).toEqual({ databaseNames: ["stock"] });
  },
  "Memory.getDOMCounters": async () => {
    expect((await cdp("Memory.getDOMCounters")).nodes).toBeGreaterThan(10);
  },
  "Network.getCertificate": async () => {
    expect(await cdp("Network.getCertificate")).toEqual({ tableNames: [] });
  },
  "Network.getSecurityIsolationStatus": async () => {
    expect(await cdp("Network.getSecurityIsolationStatus")).toMatchObject({ status: { coop: expect.anything() } });
  },
  "Page.getAppManifest": async () => {
    expect(await cdp("Page.getAppManifest")).toMatchObject({ url: `${site.url}/manifest.json` });
  },
  "Page.getFrameTree": async () => {
    expect(await cdp("Page.getFrameTree")).toMatchObject({ frameTree: { frame: { url: `${site.url}/` } } });
    expect(await frameOf("main")).not.toBe(await frameOf("inner"));
  },
  "Page.getInstallabilityErrors": async () => {
    expect(await cdp("Page.getInstallabilityErrors")).toHaveProperty("installabilityErrors");
  },
  "Page.getLayoutMetrics": async () => {
    expect(await cdp("Page.getLayoutMetrics")).toMatchObject({ cssLayoutViewport: { clientWidth: 1280 } });
  },
  "Page.getNavigationHistory": async () => {
    expect(text(await cdp("Page.getNavigationHistory"))).toContain(`${site.url}/`);
  },
  "Page.getOriginTrials": async () => {
    expect(await cdp("Page.getOriginTrials")).toEqual({ originTrials: [] });
  },
  "Page.getPermissionsPolicyState": async () => {
    expect(text(await cdp("Page.getPermissionsPolicyState"))).toContain('"feature":"geolocation"');
  },
  "Page.getResourceTree": async () => {
    expect(text(await cdp("Page.getResourceTree"))).toContain(`${site.url}/shop.css`);
  },
  "Page.searchInResource": async () => {
    const { result } = await cdp("Page.searchInResource", { url: `${site.url}/shop.css`, query: "container" });
    expect(result).toMatchObject([{ lineNumber: 2 }]);
  },
  "Performance.getMetrics": async () => {
    const { metrics } = (await cdp("Performance.getMetrics")) as Answer & {
      metrics: { name: string; value: number }[];
    };
    expect(metrics.find(({ name }) => name === "JSHeapUsedSize")?.value).toBeGreaterThan(0);
  },
  "Runtime.getHeapUsage": async () => {
    expect((await cdp("Runtime.getHeapUsage")).usedSize).toBeGreaterThan(0);
  },
  "Runtime.getProperties": async () => {
    expect(text(await cdp("Runtime.getProperties", "#buy", { ownProperties: true }))).toContain('"price"');
  },
  "Storage.getUsageAndQuota": async () => {
    expect((await cdp("Storage.getUsageAndQuota")).quota).toBeGreaterThan(0);
  },
  "SystemInfo.getInfo": async () => {
    expect(await cdp("SystemInfo.getInfo")).toHaveProperty("gpu");
  },
  "SystemInfo.getProcessInfo": async () => {
    expect(text(await cdp("SystemInfo.getProcessInfo"))).toContain('"type":"browser"');
  },
};

describe("an allowed method", () => {
  it.each(Object.entries(CALLS))("%s works", async (_name, call) => {
    await call();
  });

  it("is called by a test here, each of them", () => {
    expect(Object.keys(CALLS).sort()).toEqual([...CDP_METHODS.keys()].sort());
  });
});
