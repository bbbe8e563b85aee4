import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

const FORM = `<!doctype html><title>Form</title>
<h1>Order</h1>
<label>City <input id="city"></label>
<button onclick="document.title = 'Pressed ' + document.getElementById('city').value">Save &quot;draft&quot;: $5</button>
<button onclick="document.body.append(Object.assign(document.createElement('p'), {textContent: 'Saved'}))">Save</button>
<button>Idle</button>
<a href="/next">Next page</a>
<a href="/next" target="_blank">Other tab</a>
<input type="password" aria-label="Secret" value="hunter2">`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": FORM,
    "/next": "<!doctype html><title>Next</title><h1>Next</h1><button>Save</button>",
  });
  project = new Project({}, { ownProcesses: true });
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("the loop of snapshot, act, check", () => {
  it("fills and clicks by refs and says what the click did", async () => {
    expect(await project.run("goto", site.url)).toBe(`Navigated to ${site.url}/ (200)`);
    await project.run("fill", await project.ref('"City"', "-i"), "Lisbon");
    const clicked = await project.run("click", await project.ref('[button] "Save"', "-i"));
    expect(clicked).toMatch(/^Clicked @e\d+ \[button\] "Save" → \d+ nodes? changed$/m);
    expect(await project.run("text")).toContain("Saved");
  });

  it("takes a name with quotes, a colon and a dollar sign as any other", async () => {
    await project.run("goto", site.url);
    await project.run("fill", await project.ref('"City"', "-i"), "Porto");
    await project.run("click", await project.ref('Save \\"draft\\": $5', "-i"));
    expect(await project.title()).toBe("Pressed Porto");
  });

  it("says so when a click changes nothing", async () => {
    await project.run("goto", site.url);
    expect(await project.run("click", await project.ref('"Idle"', "-i"))).toMatch(/no change within \d+ ms$/);
  });

  it("reports the navigation that a link starts", async () => {
    await project.run("goto", site.url);
    const clicked = await project.run("click", await project.ref('"Next page"', "-i"));
    expect(clicked).toContain(`→ navigated to ${site.url}/next`);
  });

  it("reports the tab that a link opens, and keeps the current one", async () => {
    await project.run("goto", site.url);
    const { effect } = await project.json("click", await project.ref('"Other tab"', "-i"));
    expect(effect).toMatchObject({ opened: [expect.stringMatching(/^t\d+$/)] });
    expect(await project.run("url")).toBe(`${site.url}/`);
  });

  it("refuses a ref of the page before, naming the element", async () => {
    await project.run("goto", site.url);
    const ref = await project.ref('[button] "Save"', "-i");
    await project.run("goto", `${site.url}/next`);
    const refusal = await project.refusal("click", ref);
    expect(refusal).toMatchObject({ kind: "stale_ref", exitCode: 1 });
    expect(refusal.message).toContain('[button] "Save"');
  });

  it("refuses a ref that no snapshot has given", async () => {
    expect(await project.refusal("click", "@e9999")).toMatchObject({ kind: "unknown_ref" });
  });

  it("masks a password in every answer", async () => {
    await project.run("goto", site.url);
    for (const argv of [["snapshot"], ["snapshot", "-i"], ["forms"], ["value", "[type=password]"], ["text"]]) {
      expect(await project.run(...argv)).not.toContain("hunter2");
    }
  });

  it("lists the candidates of a selector that matches several", async () => {
    await project.run("goto", site.url);
    const refusal = await project.refusal("click", "button");
    expect(refusal.kind).toBe("ambiguous");
    expect(refusal.candidates).toEqual(
      expect.arrayContaining([expect.objectContaining({ ref: expect.stringMatching(/^@e\d+$/), name: "Save" })]),
    );
  });
});
