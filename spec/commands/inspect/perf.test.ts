import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/slow": (_request, response) => {
      response
        .writeHead(200, { "content-type": "text/html" })
        .write("<!doctype html><title>Slow</title><h1 id=big>Large</h1>");
      response.end(`<p id=later>Text</p><button id=slow>Slow</button><button id=push>Push</button><script>
        const busy = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
        slow.onclick = () => busy(260);
        // What moves because somebody pressed is no shift that nobody asked for.
        push.onclick = () => { busy(1); shift(); };
        const shift = () => document.body.prepend(Object.assign(document.createElement("div"), { style: "height: 300px" }));
        const seen = (type) => new Promise((done) => new PerformanceObserver(() => done(1)).observe({ type, buffered: true }));
        shifted = seen("largest-contentful-paint").then(() => {
          requestAnimationFrame(() => requestAnimationFrame(shift));
          return seen("layout-shift");
        });
      </script>`);
    },
    "/redirected": (_request, response) => response.writeHead(302, { location: "/slow" }).end(),
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("perf", () => {
  it("tells the steps of the load", async () => {
    await project.run("newtab", `${site.url}/redirected`);
    await project.run("wait", "--load");
    const { timing } = (await project.json("perf")) as { timing: Record<string, number> };
    expect(timing).toMatchObject({ type: "navigate", resources: { count: expect.any(Number) } });
    expect(timing.redirectMs).toBeGreaterThan(0);
    expect(timing.domInteractiveMs).toBeLessThanOrEqual(timing.domContentLoadedMs!);
    expect(timing.domContentLoadedMs).toBeLessThanOrEqual(timing.loadMs!);
    expect(timing.transferBytes).toBeGreaterThan(300);
    expect(await project.run("perf")).toMatch(/\nloaded at [\d.]+ ms\n\d+ resources \(\d+ bytes\)$/);
  });

  it("tells the web vitals, from what the browser has recorded", async () => {
    await project.run("newtab", `${site.url}/slow`);
    await project.run("js", "await shifted");
    const fresh = (await project.json("perf", "--vitals")).vitals as Record<string, number>;
    expect(fresh).toMatchObject({ largestElement: "h1#big", interactions: 0 });
    expect(fresh.cumulativeLayoutShift).toBeGreaterThan(0.05);
    expect(fresh.largestContentfulPaintMs).toBeGreaterThanOrEqual(fresh.ttfbMs!);
    expect(fresh).not.toHaveProperty("interactionToNextPaintMs");
    expect(await project.run("perf", "--vitals")).toMatch(
      /^TTFB \d+ ms good\n.*\nINP not measured: no interactions yet$/s,
    );
  });

  it("tells the slowest interaction, and that others were fast", async () => {
    await project.run("newtab", `${site.url}/slow`);
    await project.run("js", "await shifted");
    const vitals = async () => (await project.json("perf", "--vitals")).vitals as Record<string, number>;
    const { cumulativeLayoutShift } = await vitals();
    await project.run("click", "#slow");
    await project.run("click", "#push");
    await project.run(
      "js",
      "await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))",
    );
    const { interactionToNextPaintMs, interactions, ...after } = await vitals();
    expect(after.cumulativeLayoutShift).toBe(cumulativeLayoutShift);
    expect(interactionToNextPaintMs).toBeGreaterThanOrEqual(256);
    expect(interactions).toBe(2);
    expect(await project.run("perf", "--vitals")).toMatch(/\nINP \d+ ms (needs improvement|poor) \(2 interactions\)$/);
  });

  it("is measured where the page cannot reach", async () => {
    await project.run("newtab", `${site.url}/slow`);
    await project.run("js", "performance.getEntriesByType = () => []; PerformanceObserver = undefined; 1");
    expect(await project.json("perf", "--vitals")).toMatchObject({ vitals: { ttfbMs: expect.any(Number) } });
    expect(await project.refusal("perf", "--vitals=3")).toMatchObject({ flag: "--vitals", exitCode: 2 });
  });
});
