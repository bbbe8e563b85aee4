/** The user's policy holds for what pages load, not only for what calls name. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Gate } from "../../harness/gate.ts";
import { Site } from "../../harness/site.ts";

let gate: Gate;
let site: Site;
let open: string;
let denied: string;

beforeAll(async () => {
  gate = await Gate.open();
});

afterAll(async () => {
  await gate[Symbol.asyncDispose]();
});

beforeEach(async () => {
  site = await Site.serve({ "/": "<p>Home</p>", "/secret": "<p>Secret</p>" });
  const { port } = new URL(site.url);
  open = `http://open.localhost:${port}`;
  denied = `http://denied.localhost:${port}`;
  gate.policy = [{ host: ["denied.localhost"], do: "deny" }];
});

afterEach(async () => {
  gate.policy = [];
  await site[Symbol.asyncDispose]();
});

describe("a host that the policy denies", () => {
  it("is asked for nothing by a frame of the user's own tab, and its text is in no answer", async () => {
    site.set("/page", `<p>Page</p><iframe src="${denied}/secret"></iframe>`);
    const told = gate.denials.length;
    await gate.call(gate.root, "goto", { url: `${open}/page` });
    await gate.untilDenied(told + 1);
    expect((await gate.call(gate.root, "text")).text).toBe("Page");
    expect(site.requests).not.toContain("GET /secret");
  });

  it("is not reached behind a redirect", async () => {
    site.set("/away", (_request, response) => response.writeHead(302, { location: `${denied}/secret` }).end());
    await gate.call(gate.root, "goto", { url: `${open}/` });
    expect(await gate.refusal(gate.root, "goto", { url: `${open}/away` })).toBe("blocked_url");
    expect((await gate.call(gate.root, "url")).url).toBe(`${open}/`);
    expect(site.requests).not.toContain("GET /secret");
  });

  it("can be left by a tab that was there before", async () => {
    gate.policy = [];
    await gate.call(gate.root, "goto", { url: `${open}/` });
    await gate.call(gate.root, "goto", { url: `${denied}/` });
    gate.policy = [{ host: ["denied.localhost"], do: "deny" }];
    expect(await gate.refusal(gate.root, "text")).toBe("forbidden");
    expect(await gate.refusal(gate.root, "goto", { url: `${denied}/secret` })).toBe("forbidden");
    await gate.call(gate.root, "back");
    expect((await gate.call(gate.root, "url")).url).toBe(`${open}/`);
    await gate.call(gate.root, "goto", { url: "about:blank" });
  });
});

describe("a rule that denies js", () => {
  it("holds for every way to run a script, and allowing js allows no other", async () => {
    gate.policy = [{ command: ["js"], do: "deny" }];
    await gate.call(gate.root, "goto", { url: `${open}/` });
    expect(await gate.refusal(gate.root, "wait", { fn: "true" })).toBe("forbidden");
    expect(await gate.refusal(gate.root, "wait", { text: "Home" })).toBeUndefined();
    gate.policy = [
      { command: ["js"], do: "allow" },
      { effect: ["code"], do: "deny" },
    ];
    expect(await gate.refusal(gate.root, "js", { code: "1" })).toBeUndefined();
    expect(await gate.refusal(gate.root, "wait", { fn: "true" })).toBe("forbidden");
  });
});
