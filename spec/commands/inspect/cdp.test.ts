import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CDP_METHODS } from "../../../commands/inspect/_cdp_methods.ts";
import "../../../commands/mod.ts";
import { findCommand } from "../../../commands/command.ts";
import { authorize } from "../../../rpc/gate/authorize.ts";
import type { Caller } from "../../../rpc/gate/call.ts";
import { rootToken } from "../../../security/tokens/token.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Shop</title><button id="buy">Buy</button><form></form>
      <iframe srcdoc="<p id=deep>In a frame</p>"></iframe>`,
  });
  project = await SharedProject.open();
  await project.run("goto", site.url);
  await project.run("wait", "--load");
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

/** Anything, anywhere in the answer. */
const text = (answer: unknown) => JSON.stringify(answer);

describe("an allowed method", () => {
  it("says what it is allowed for, and what it needs", async () => {
    const { methods } = (await project.json("cdp", "--list")) as { methods: { method: string; reason: string }[] };
    expect(methods.map(({ method }) => method).sort()).toEqual([...CDP_METHODS.keys()].sort());
    for (const { reason } of methods) expect(reason).toMatch(/\S \S/);
    const shown = await project.run("cdp", "--list");
    expect(shown).toContain("DOM.getBoxModel [sel]  (read)");
    expect(shown).toContain("CSS.forcePseudoState [sel]  (write, page)");
  });

  it("keeps its node ids from one call to the next, and says so when they are old", async () => {
    await project.run("newtab", site.url);
    const { nodeId } = await cdp("DOM.querySelector", { selector: "#buy" });
    await cdp("CSS.getComputedStyleForNode", { nodeId });
    await cdp("DOM.getBoxModel", "#buy");
    expect(await cdp("DOM.describeNode", { nodeId })).toMatchObject({ node: { localName: "button" } });
    await project.run("reload");
    expect(await project.refusal("cdp", "CSS.getComputedStyleForNode", JSON.stringify({ nodeId }))).toMatchObject({
      kind: "not_found",
      hint: expect.stringContaining("until the page navigates"),
    });
    await project.run("closetab");
  });

  it("is asked about elements by ref, also in frames", async () => {
    const ref = await project.ref('"Buy"', "-i");
    expect(text(await cdp("DOM.getOuterHTML", ref))).toContain(">Buy</button>");
    const deep = await project.ref("In a frame");
    expect(text(await cdp("DOM.getOuterHTML", deep))).toContain('id=\\"deep\\"');
  });

  it("leaves the page's own script out of the answer", async () => {
    await project.run(
      "js",
      "Object.defineProperty(buy, 'trap', { get() { hit = true; return 1; }, configurable: true }); hit = false",
    );
    await cdp("Runtime.getProperties", "#buy", { ownProperties: true });
    expect(await project.run("js", "hit")).toBe("false");
  });
});

describe("any other method", () => {
  it.each([
    "Page.navigate",
    "Runtime.evaluate",
    "Runtime.callFunctionOn",
    "Network.getCookies",
    "Network.getResponseBody",
    "Target.createTarget",
    "Browser.close",
    "Fetch.enable",
    "IO.read",
    "Storage.getCookies",
    "DOM.setFileInputFiles",
    "Input.dispatchKeyEvent",
    "Page.setDownloadBehavior",
    "constructor",
    "__proto__",
    "dom.getDocument",
    "DOM.getDocument ",
  ])("such as %s is refused", async (method) => {
    expect(await project.refusal("cdp", method)).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
      message: expect.stringMatching(/^<method> takes an allowed CDP method \(browse cdp --list\), not "/),
    });
  });
});

describe("what is wrong", () => {
  beforeEach(async () => {
    await project.run("goto", site.url);
  });

  it.each([
    [["cdp"], "`cdp` takes a method or --list"],
    [["cdp", "DOM.getDocument", "--list"], "`cdp` takes a method or --list"],
    [["cdp", "DOM.getBoxModel", "{}", "{}"], '"cdp" takes one <params>, not "{}" and "{}"'],
    [["cdp", "DOM.getBoxModel", "{broken"], "<params> takes JSON"],
    [["cdp", "Performance.getMetrics", "#buy"], '"Performance.getMetrics" takes no <target>'],
    [["cdp", "DOM.getBoxModel", "#buy", '{"nodeId": 1}'], '"DOM.getBoxModel" takes no <target> beside an id'],
    [["cdp", "DOM.querySelector"], 'Chromium does not accept this for "DOM.querySelector"'],
  ])("in %j is named", async (argv, message) => {
    expect(await project.refusal(...argv)).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
      message: expect.stringContaining(message),
    });
  });

  it("about an element is told as everywhere", async () => {
    expect(await project.refusal("cdp", "DOM.getBoxModel", "#nowhere")).toMatchObject({ kind: "not_found" });
    expect(await project.refusal("cdp", "DOM.getBoxModel", "@e9999")).toMatchObject({ kind: "unknown_ref" });
  });
});

describe("the gate", () => {
  const command = findCommand("cdp")!;
  const caller = (...scopes: ("read" | "write" | "admin")[]): Caller => {
    return { token: { ...rootToken(), kind: "client", scopes: new Set(scopes) }, via: "local", client: "test/1" };
  };
  const asked = (by: Caller, method: string) =>
    authorize(
      { caller: by, command, params: { method } },
      { sessions: [], tab: () => undefined, session: () => undefined, tabCount: () => 0 },
    );

  it.each([...CDP_METHODS.values()])(
    "lets in who holds what $name needs, and nobody else",
    ({ name, scope, effect }) => {
      expect(asked(caller(scope as "read"), name)).toBe(effect);
      const others = (["read", "write", "admin"] as const).filter((other) => other !== scope);
      expect(() => asked(caller(...others), name)).toThrow(`needs the scope "${scope}"`);
    },
  );

  it("asks for the scope admin when it knows nothing of a method", () => {
    expect(() => asked(caller("read", "write"), "DOM.remove")).toThrow('needs the scope "admin"');
  });

  it("lets remote agents have none of them", () => {
    const { token, ...local } = caller("read", "write", "admin");
    const remote = { ...local, token: { ...token, isTunnelled: true }, via: "tunnel" as const };
    expect(() => asked(remote, "DOM.getDocument")).toThrow("not offered to remote agents");
  });
});

describe("an answer with secrets", () => {
  it("has them redacted where the method is listed so", async () => {
    await project.run("goto", `${site.url}/?token=tok-secret-123456`);
    const shown = text(await cdp("Page.getNavigationHistory"));
    expect(shown).toContain("token=[redacted]");
    expect(shown).not.toContain("tok-secret-123456");
  });
});
