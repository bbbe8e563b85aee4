import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

/** Remembers what the page's first script saw. */
const FIRST = "<!doctype html><title>Home</title><script>var first = navigator.userAgent</script>";

let site: Site;
let project: Project;

/** By path: the headers that the last request for it came with. */
const headers = new Map<string, Record<string, string | string[] | undefined>>();

beforeAll(async () => {
  const page = (html: string) => (request: IncomingMessage, response: ServerResponse) => {
    headers.set(request.url ?? "", { ...request.headers });
    response.writeHead(200, { "content-type": "text/html" }).end(html);
  };
  site = await Site.serve({
    "/": page(`${FIRST}<a href="/popup" target="_blank">Pop-up</a>`),
    "/popup": page("<!doctype html><title>Pop-up</title>"),
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.run("goto", site.url);
});

afterEach(async () => {
  await project.run("useragent", "--reset");
});

describe("useragent", () => {
  it("reaches the server and the page's scripts, in other tabs too, and is taken back", async () => {
    const own = await project.run("useragent");
    expect(own).toContain("Chrome/");
    expect(await project.run("useragent", "ExampleBot/1.0", "(test)")).toBe("ExampleBot/1.0 (test)");
    await project.run("newtab", site.url);
    expect(headers.get("/")?.["user-agent"]).toBe("ExampleBot/1.0 (test)");
    expect(await project.run("js", "first")).toBe("ExampleBot/1.0 (test)");
    await project.run("closetab");
    expect(await project.run("useragent", "--reset")).toBe(own);
    await project.run("reload");
    expect(headers.get("/")?.["user-agent"]).toBe(own);
  });

  it("is what a pop-up asks for its first page with", async () => {
    await project.run("useragent", "ExampleBot/1.0");
    await project.run("click", "text=Pop-up");
    expect(headers.get("/popup")?.["user-agent"]).toBe("ExampleBot/1.0");
  });

  it("refuses what no header can hold", async () => {
    for (const text of ["a\nb: c", "", "é"]) {
      expect(await project.refusal("useragent", `--user-agent=${text}`)).toMatchObject({
        kind: "invalid_params",
        exitCode: 2,
      });
    }
    expect(await project.refusal("useragent", "A/1", "--reset")).toMatchObject({ exitCode: 2 });
  });
});
