import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { type Page, Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

/** Goes elsewhere, a while after it was pressed: browsers let only such a page break off what its tab is sent to. */
const RESTLESS = `<!doctype html><title>Restless</title>
  <button onclick="setTimeout(() => location.assign('/never.png'), 300)">Go</button>`;

/** Is answered the second time. */
function held(): Page {
  let asked = 0;
  return (_request, response) => {
    if (++asked === 2)
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Held</title>");
  };
}

beforeAll(async () => {
  site = await Site.serve({
    "/": "<!doctype html><title>Home</title><h1>Home</h1><a href='/next'>Next</a>",
    "/next": "<!doctype html><title>Next</title><h1>Next</h1>",
    "/first": (_request, response) => response.writeHead(302, { location: "/second" }).end(),
    "/second": (_request, response) => response.writeHead(301, { location: "/next" }).end(),
    "/circle": (_request, response) => response.writeHead(302, { location: "/circle" }).end(),
    "/broken": (_request, response) => response.writeHead(500, { "content-type": "text/html" }).end("<h1>Oops</h1>"),
    "/mail": (_request, response) => response.writeHead(302, { location: "mailto:shop@shop.example" }).end(),
    "/framed": "<!doctype html><title>Framed</title><h1>Framed</h1><iframe src='/never.png'></iframe>",
    "/late": "<!doctype html><title>Late</title><img src='/never.png'>",
    "/never.png": () => {},
    "/restless": RESTLESS,
    "/held": held(),
    "/chatty":
      "<!doctype html><title>Loading</title><script>fetch('/next').then(() => document.title = 'Idle')</script>",
    "/file": (_request, response) =>
      response.writeHead(200, { "content-disposition": 'attachment; filename="report.txt"' }).end("report"),
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** The address of a port that nobody listens on. */
async function deadUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/`;
}

describe("goto", () => {
  it("answers with the address and the status", async () => {
    expect(await project.run("goto", site.url)).toBe(`Navigated to ${site.url}/ (200)`);
    expect(await project.run("url")).toBe(`${site.url}/`);
    expect(await project.title()).toBe("Home");
  });

  it("reports the redirects it took, in order", async () => {
    expect(await project.json("goto", `${site.url}/first`)).toMatchObject({
      url: `${site.url}/next`,
      status: 200,
      redirects: [`${site.url}/first`, `${site.url}/second`],
    });
  });

  it("reports 404 and 500 as statuses, not as errors", async () => {
    expect(await project.run("goto", `${site.url}/nowhere`)).toBe(`Navigated to ${site.url}/nowhere (404)`);
    expect(await project.run("goto", `${site.url}/broken`)).toBe(`Navigated to ${site.url}/broken (500)`);
  });

  it("says that the server refused the connection, and stays usable", async () => {
    const url = await deadUrl();
    const refusal = await project.refusal("goto", url);
    expect(refusal).toMatchObject({ kind: "navigation_failed", network: "ERR_CONNECTION_REFUSED", exitCode: 1 });
    expect(refusal.message).toBe(`Cannot load "${url}": the server refused the connection`);
    for (let round = 0; round < 5; round++) {
      await project.refusal("goto", url);
      expect(await project.run("goto", site.url)).toContain("(200)");
    }
  });

  it("says so when addresses redirect in a circle", async () => {
    expect(await project.refusal("goto", `${site.url}/circle`)).toMatchObject({
      kind: "navigation_failed",
      message: expect.stringContaining("it redirects in a circle"),
    });
  });

  it("gives a bare loopback host http, and any other bare host https", async () => {
    const { host } = new URL(site.url);
    expect(await project.run("goto", `${host}/next`)).toBe(`Navigated to ${site.url}/next (200)`);
    const refusal = await project.refusal("goto", "nowhere.invalid/shop");
    expect(refusal.message).toContain('"https://nowhere.invalid/shop"');
  });

  it.each([
    "javascript:document.title='x'",
    "data:text/html,<h1>x</h1>",
    "view-source:http://127.0.0.1/",
    "chrome://version",
    "http://169.254.169.254/latest/meta-data/",
    "file:///etc/passwd",
  ])("refuses %s without leaving the page", async (url) => {
    await project.run("goto", site.url);
    expect(await project.refusal("goto", url)).toMatchObject({ kind: "blocked_url", exitCode: 4 });
    expect(await project.run("url")).toBe(`${site.url}/`);
  });

  it("goes to a hash of the same page without a request", async () => {
    await project.run("goto", `${site.url}/next`);
    const before = site.requests.length;
    expect(await project.run("goto", `${site.url}/next#part`)).toBe(`Navigated to ${site.url}/next#part`);
    expect(site.requests.length).toBe(before);
    expect(await project.run("url")).toBe(`${site.url}/next#part`);
  });

  it("has its way when the page goes elsewhere by itself meanwhile", async () => {
    await project.run("goto", `${site.url}/restless`);
    await project.run("click", "button", "--no-settle");
    expect(await project.run("goto", `${site.url}/held`)).toBe(`Navigated to ${site.url}/held (200)`);
    expect(site.requests.filter((request) => request === "GET /held")).toHaveLength(2);
  });

  it("breaks off a load whose server does not answer, for which commands wait and say so", async () => {
    await project.run("goto", `${site.url}/restless`);
    await project.run("click", "button", "--no-settle");
    await expect.poll(() => site.requests.at(-1)).toBe("GET /never.png");
    expect(await project.refusal("text", "--timeout=500")).toMatchObject({
      kind: "timeout",
      message: expect.stringContaining(`Waited 500 ms for the page: ${site.url}/never.png is still loading`),
      hint: expect.stringContaining("browse goto"),
    });
    expect(await project.run("goto", `${site.url}/next`)).toContain("(200)");
    expect(await project.run("text")).toBe("Next");
  });

  it("does not wait for pictures unless asked to", async () => {
    expect(await project.run("goto", `${site.url}/late`)).toContain("(200)");
    expect(await project.run("goto", `${site.url}/late`, "--wait", "commit")).toContain("(200)");
    expect(await project.refusal("goto", `${site.url}/late`, "--wait=load", "--timeout=400")).toMatchObject({
      kind: "timeout",
      timeoutMs: 400,
      exitCode: 124,
    });
  });

  async function withFailedFrames(): Promise<string> {
    const dead = await deadUrl();
    site.set(
      "/frames-failed",
      `<!doctype html><title>Frames</title><iframe title=Refused src="${dead}"></iframe>
      <iframe title=Broken src=/broken></iframe><iframe title=Whole src=/></iframe>`,
    );
    return dead;
  }

  it("names frames that could not be loaded, which snapshots mark and texts miss", async () => {
    const dead = await withFailedFrames();
    const answer = await project.run("goto", `${site.url}/frames-failed`, "--wait", "load");
    const refused = `a frame could not load ${dead}: the server refused the connection`;
    const broken = `a frame could not load ${site.url}/broken: the server answered with 500`;
    expect(answer).toContain(refused);
    expect(answer).toContain(broken);
    const snapshot = await project.run("snapshot");
    expect(snapshot).toMatch(/\[iframe\] "Refused" \(failed: the server refused the connection\)$/m);
    expect(snapshot).toMatch(/\[iframe\] "Broken" \(failed: the server answered with 500\)\n.*Oops/);
    expect(snapshot).toMatch(/\[iframe\] "Whole"\n/);
    for (const reader of ["text", "markdown"]) {
      const { stdout, stderr } = await project.cli([reader]);
      expect(stdout).toContain("Oops");
      expect(stderr).toContain("2 frames of the page could not be loaded (the first of them: ");
    }
  });

  it("says no more of a frame that shows something else by now", async () => {
    await withFailedFrames();
    await project.run("goto", `${site.url}/frames-failed`, "--wait", "load");
    await project.run("js", "for (const each of document.querySelectorAll('iframe')) each.src = '/'; 1");
    await project.run("wait", "--idle");
    expect(await project.run("snapshot")).not.toContain("(failed: ");
    expect((await project.cli(["text"])).stderr).toBe("");
  });

  it("that is led to an address for another program says so, and stays", async () => {
    await project.run("goto", site.url);
    expect(await project.refusal("goto", `${site.url}/mail`)).toMatchObject({
      kind: "navigation_failed",
      message: `"${site.url}/mail" leads to "mailto:shop@shop.example", which browsers hand to another program`,
    });
    expect(await project.run("url")).toBe(`${site.url}/`);
  });

  it("does not wait for a frame whose server is silent, and says that it is missing", async () => {
    expect(await project.run("goto", `${site.url}/framed`, "--timeout", "8000")).toBe(
      `Navigated to ${site.url}/framed (200) → GET ${site.url}/never.png not answered yet`,
    );
  });

  it("waits until the network is idle when asked to", async () => {
    await project.run("goto", `${site.url}/chatty`, "--wait", "idle");
    expect(await project.title()).toBe("Idle");
  });

  it("tells what --wait accepts", async () => {
    const refusal = await project.refusal("goto", site.url, "--wait", "forever");
    expect(refusal).toMatchObject({ kind: "invalid_params", exitCode: 2, flag: "--wait" });
    expect(refusal.message).toContain("load, dom, idle, commit");
  });

  it("names the file when the address is a download, and stays on the page", async () => {
    await project.run("goto", site.url);
    const { url, effect } = await project.json("goto", `${site.url}/file`);
    expect(url).toBe(`${site.url}/`);
    expect(effect).toMatchObject({ downloads: [{ name: "report.txt", url: `${site.url}/file` }] });
  });
});

describe("metadata services", () => {
  const HOSTS = [
    "169.254.169.254",
    "0xa9fea9fe",
    "169.254.170.2",
    "100.100.100.200",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[::ffff:169.254.169.254]",
    "metadata.google.internal",
    "metadata.google.internal.",
    "instance-data",
  ];

  it("do not exist for the browser, whatever sends it there, and every try is recorded", async () => {
    // Each with a path of its own: two spellings of one address would be one picture, and one request or two.
    const ways = HOSTS.map((host, n) => `<img src="http://${host}/latest/${n}">`).join("");
    site.set("/parts", `<!doctype html><title>Parts</title>${ways}`);
    site.set("/away", (_request, response) => response.writeHead(302, { location: `http://${HOSTS[0]}/` }).end());
    await project.run("network", "--clear");
    await project.run("goto", `${site.url}/parts`);
    const failures = async () => {
      const { entries } = (await project.json("network", "--failed")) as {
        entries: { url: string; failure: string }[];
      };
      return entries.filter(({ url }) => url.includes("/latest/")).map(({ failure }) => failure);
    };
    await expect.poll(failures, { timeout: 10_000 }).toEqual(HOSTS.map(() => "net::ERR_NAME_NOT_RESOLVED"));
    expect(await project.refusal("goto", `${site.url}/away`)).toMatchObject({ kind: "blocked_url", exitCode: 4 });
    const journal = await project.journal();
    expect(journal.split("\n").filter((line) => line.includes("cloud metadata")).length).toBeGreaterThan(HOSTS.length);
  });
});
