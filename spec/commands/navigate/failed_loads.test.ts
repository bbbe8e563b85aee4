/** Loads that go wrong on their way, and after a part has come: told at once, with what the tab shows then. */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FULL_CHROMIUM } from "../../harness/full_chromium.ts";
import { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { type Page, Site } from "../../harness/site.ts";

let site: Site;
let project: Project;
/** Answers that the server has begun and does not end. */
let open: ServerResponse | undefined;
/** The file that comes. */
let file: ServerResponse | undefined;
/** Called when a connection closes on which `/never` was asked for. */
let onClosed = () => {};

const HOME = "<!doctype html><title>Home</title><h1>Home</h1><a href='/never'>Never</a>";
const PART = "<!doctype html><title>Part</title><h1>Part</h1>";

/** A page whose script tells the server that its beginning is there. */
function part(headers: Record<string, string | number>): Page {
  return (_request, response) => {
    open = response;
    response
      .writeHead(200, { "content-type": "text/html", ...headers })
      .write(`${PART}<script>fetch("/came")</script>`);
  };
}

const status =
  (code: number): Page =>
  (_request, response) =>
    response.writeHead(code, { "content-length": 0 }).end();

beforeAll(async () => {
  site = await Site.serve({
    "/": HOME,
    "/home": HOME,
    "/reset": part({ "content-length": 100_000 }),
    "/came": () => open?.socket?.resetAndDestroy(),
    "/no-gzip": (_request, response) =>
      response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end(PART),
    "/500": status(500),
    "/404": status(404),
    "/204": (_request, response) => response.writeHead(204).end(),
    "/hangs": (_request, response) =>
      response.writeHead(200, { "content-type": "text/html", "content-length": 100_000 }).write(PART),
    "/never": (request) => {
      request.socket.once("close", () => onClosed());
    },
    "/file": (_request, response) => {
      file = response;
      response
        .writeHead(200, { "content-type": "text/csv", "content-disposition": "attachment; filename=s.csv" })
        .write("a,b\n");
    },
    "/end": (_request, response) => file?.end(() => response.end()),
    "/babble": (request) => request.socket.end("Hello, who is there?\r\n\r\n"),
  });
  project = await SharedProject.open();
  await project.run("goto", site.url);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("a page of which a part comes", () => {
  it.each([
    ["whose server cuts the connection", "/reset", "ERR_CONNECTION_RESET", "the server cut the connection"],
    ["that is not encoded as it says", "/no-gzip", "ERR_CONTENT_DECODING_FAILED", "its content is not encoded the way"],
  ])("%s is an error long before the deadline", async (_which, path, network, words) => {
    const refusal = await project.refusal("goto", `${site.url}${path}`, "--timeout", "20000");
    expect(refusal).toMatchObject({ kind: "navigation_failed", network, status: 200, partial: true });
    expect(refusal.message).toContain(`Cannot load all of "${site.url}${path}": ${words}`);
    expect(await project.run("url")).toBe(`${site.url}${path}`);
    expect(await project.refusal("wait", "--load", "--timeout", "20000")).toMatchObject({ network, partial: true });
    expect(await project.refusal("reload", "--timeout", "20000")).toMatchObject({ network, partial: true });
  });

  it("can be read as far as it has come, and left", async () => {
    await project.refusal("goto", `${site.url}/reset`);
    expect(await project.run("text")).toBe("Part");
    expect(await project.run("goto", site.url)).toBe(`Navigated to ${site.url}/ (200)`);
    expect(await project.run("wait", "--load")).toContain("Waited");
  });

  it("and no more, is said to have been answered, and how much comes", async () => {
    const refusal = await project.refusal("goto", `${site.url}/hangs`, "--timeout", "3000");
    expect(refusal).toMatchObject({ kind: "timeout", timeoutMs: 3_000, exitCode: 124 });
    expect(refusal.message).toMatch(
      /^Waited 3000 ms for "http:.*\/hangs" to load: the server has answered \(200\), and not sent all of the document; 0 bytes came in the last \d\.\d s$/,
    );
  });
});

describe("an answer without a page", () => {
  it("tells its status, be it shown as an empty page or as one of Chromium's own", async () => {
    const [missing, broken] = [`${site.url}/404`, `${site.url}/500`];
    expect(await project.run("goto", missing)).toMatch(new RegExp(`^Navigated to ${missing} \\(404\\)`));
    expect(await project.json("reload")).toMatchObject({ url: missing, status: 404 });
    await using full = new Project(FULL_CHROMIUM);
    expect(await full.run("goto", missing)).toBe(`Navigated to ${missing} (404): the server sent no page with it`);
    expect(await full.run("goto", broken)).toBe(`Navigated to ${broken} (500): the server sent no page with it`);
    expect(await full.json("reload")).toMatchObject({ url: broken, status: 500, shows: "nothing" });
    expect(await full.json("url")).toEqual({ url: "chrome-error://chromewebdata/", failed: broken });
  });

  it("by which the tab is to stay, leaves it where it is", async () => {
    await project.run("goto", site.url);
    expect(await project.run("goto", `${site.url}/204`)).toBe(
      `The server answered 204, without content: the tab stays at ${site.url}/`,
    );
    expect(await project.title()).toBe("Home");
    const opened = await project.run("newtab", `${site.url}/204`);
    expect(opened).toMatch(/^Opened t\d+: The server answered 204, without content: the tab stays at about:blank$/);
    await project.run("closetab");
  });
});

describe("a load that fails", () => {
  it("says in words what is wrong, and with which address, however it began", async () => {
    const url = `${site.url}/babble`;
    const message = `Cannot load "${url}": what answers there does not speak HTTP`;
    expect(await project.refusal("goto", url)).toMatchObject({ kind: "navigation_failed", message });
    expect(await project.run("url")).toBe(`chrome-error://chromewebdata/ (instead of ${url})`);
    expect(await project.run("tabs")).toContain(`chrome-error://chromewebdata/ (instead of ${url})`);
    expect(await project.refusal("reload")).toMatchObject({ kind: "navigation_failed", message });
    await project.run("goto", site.url);
    expect(await project.run("url")).toBe(`${site.url}/`);
    expect(await project.refusal("back")).toMatchObject({ kind: "navigation_failed", message });
  });

  it("is told by a snapshot of what the browser shows instead, until another page comes", async () => {
    await project.cli(["goto", `${site.url}/babble`]);
    expect((await project.cli(["snapshot", "-i"])).stderr).toMatch(
      /^Warning: The browser shows a page of its own, as http:.*\/babble could not be loaded: \w/,
    );
    await project.run("goto", site.url);
    expect(await project.cli(["snapshot", "-i"])).toMatchObject({ exitCode: 0, stderr: "" });
  });

  it("that a click began is told as such by the click", async () => {
    await project.run("goto", site.url);
    await project.run("js", "document.body.innerHTML = '<a href=\"/babble\">Babble</a>'");
    expect(await project.run("click", "a")).toMatch(
      new RegExp(`^Clicked @e\\d+ \\[link\\] "Babble" → could not load ${site.url}/babble: (?!ERR_)`),
    );
    expect((await project.json("back")).url).toBe(`${site.url}/`);
  });

  it("for an address that nobody may reach says so, and blames no name server", async () => {
    const url = "http://169.254.169.254/latest";
    const why = `${url}: it is a cloud metadata or link-local address`;
    site.set("/leads-to-metadata", `<!doctype html><a href="${url}">Meta</a>`);
    await project.run("goto", `${site.url}/leads-to-metadata`);
    expect(await project.run("click", "a")).toMatch(new RegExp(`→ could not load ${why}; kept from ${why}$`));
    expect((await project.cli(["snapshot"])).stderr).toContain("a cloud metadata or link-local address");
    expect((await project.refusal("wait", "--load")).message).toContain("a cloud metadata or link-local address");
  });

  it("that a link began is what `wait --load` tells", async () => {
    site.set("/babbling", `<!doctype html><a href="/babble">Go</a>`);
    await project.run("goto", `${site.url}/babbling`);
    await project.run("click", "a");
    expect(await project.refusal("wait", "--load")).toMatchObject({
      kind: "navigation_failed",
      message: expect.stringContaining("/babble"),
    });
  });
});

describe("a load that nobody answers", () => {
  it("that a link began is waited for by `wait --load`, which does not take the page before for it", async () => {
    await project.run("goto", site.url);
    await project.run("click", "a", "--no-settle");
    await expect.poll(() => site.requests.at(-1)).toBe("GET /never");
    expect(await project.refusal("wait", "--load", "--timeout", "500")).toMatchObject({
      kind: "timeout",
      message: expect.stringContaining(`${site.url}/never is still loading`),
    });
  });

  it("holds a script back, which the browser would run whenever the page answers", async () => {
    await project.run("goto", site.url);
    await project.run("click", "a", "--no-settle");
    await expect.poll(() => site.requests.at(-1)).toBe("GET /never");
    const refusal = await project.refusal("js", "document.title = 'Late'", "--timeout", "500");
    expect(refusal).toMatchObject({ kind: "timeout", message: expect.stringContaining("/never is still loading") });
    expect(await project.title()).toBe("Home");
    await project.run("stop-loading");
    expect(await project.run("js", "document.title")).toBe("Home");
  });

  it("of a request that sends something is told by whatever breaks it off", async () => {
    for (const [command, ...argv] of [["goto", site.url], ["reload"]] as const) {
      await project.run("goto", `${site.url}/home`);
      await project.run("js", "void fetch('/never', { method: 'POST' }).catch(() => {})");
      await expect.poll(() => site.requests.at(-1)).toBe("POST /never");
      expect(await project.run(command, ...argv)).toContain(
        `→ POST ${site.url}/never was broken off before it was answered: it may have been carried out`,
      );
    }
  });

  it("is given up at the deadline of `goto`, after which the page before can be used", async () => {
    await project.run("goto", site.url);
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    onClosed = resolve;
    const refusal = await project.refusal("goto", `${site.url}/never`, "--timeout", "500");
    expect(refusal).toMatchObject({ kind: "timeout", message: expect.stringContaining(`${site.url}/never`) });
    expect(refusal.hint).toContain(`The tab stays at ${site.url}/`);
    await closed;
    expect(await project.run("text", "h1")).toBe("Home");
    await project.run("wait", "--load");
  });

  for (const [command, at] of [
    ["back", "/"],
    ["reload", "/home"],
  ] as const)
    it(`is broken off by \`${command}\`, which says where it led itself`, async () => {
      await project.run("goto", site.url);
      await project.run("goto", `${site.url}/home`);
      await project.run("click", "a", "--no-settle");
      await expect.poll(() => site.requests.at(-1)).toBe("GET /never");
      expect(await project.json(command)).toMatchObject({ url: `${site.url}${at}` });
      expect(await project.json("url")).toMatchObject({ url: `${site.url}${at}` });
    });

  it("in a tab that `newtab` has opened is told with the tab", async () => {
    const refusal = await project.refusal("newtab", `${site.url}/never`, "--timeout", "1500");
    expect(refusal).toMatchObject({ kind: "timeout", message: expect.stringMatching(/; (t\d+) is open$/) });
    const refused = await project.refusal("newtab", "http://127.0.0.1:9/");
    expect(refused).toMatchObject({ kind: "navigation_failed", message: expect.stringMatching(/; (t\d+) is open$/) });
    for (const { message } of [refusal, refused]) await project.run("closetab", /t\d+/.exec(message.slice(-20))![0]);
  });

  it("because the page's own script never ends is not said to be its server's fault alone", async () => {
    const { id } = await project.json("newtab", site.url);
    await project.run("js", "setTimeout(() => { for (;;); }), 0");
    const refusal = await project.refusal("goto", site.url, "--timeout", "1000");
    expect(refusal).toMatchObject({ kind: "timeout", message: expect.stringContaining("a script of the page") });
    // Given its time, `goto` ends the page, even with a load that is stuck behind it, and the tab keeps its history.
    const next = await project.cli(["goto", `${site.url}/next`, "--timeout", "25000"]);
    expect(next).toMatchObject({ exitCode: 0, stderr: `Warning: The page of ${id} never answered, and was ended\n` });
    expect(await project.json("url")).toMatchObject({ url: `${site.url}/next` });
    expect(await project.json("back")).toMatchObject({ url: `${site.url}/` });
    await project.run("closetab", String(id));
  });

  it("because what the page runs when it is left never ends costs the page, and not the tab", async () => {
    const { id } = await project.json("newtab", site.url);
    await project.run("js", "onbeforeunload = () => { for (;;); }");
    const next = await project.cli(["goto", `${site.url}/next`, "--timeout", "25000"]);
    expect(next).toMatchObject({ exitCode: 0, stderr: `Warning: The page of ${id} never answered, and was ended\n` });
    expect(await project.json("url")).toMatchObject({ url: `${site.url}/next` });
    await project.run("closetab", String(id));
  });
});

describe("a file that does not come as a whole", () => {
  it("is told by `goto` with the address that was asked for, in time and at its deadline", async () => {
    await project.run("goto", site.url);
    const file = `${site.url}/file`;
    expect(await project.refusal("goto", file, "--timeout", "1000")).toMatchObject({
      kind: "timeout",
      message: `Waited 1000 ms for "${file}": the server sent a file to download, s.csv, which is not complete yet`,
      hint: expect.stringContaining(`The tab stays at ${site.url}/,`),
    });
    expect(await project.run("goto", file, "--timeout", "3500")).toBe(
      `The server sent a file to download: the tab stays at ${site.url}/ → download "s.csv" (not complete yet)`,
    );
  });

  it("is told by the click that it came of, and its end by the action during which it comes", async () => {
    await project.run("goto", site.url);
    const end = `<button onclick="fetch('/end').then(() => fetch('/home'))">End</button>`;
    await project.run("js", `document.body.innerHTML = '<a href="/file">File</a>' + ${JSON.stringify(end)}`);
    expect(await project.run("click", "a", "--timeout", "3500")).toContain('→ download "s.csv" (not complete yet)');
    const answers = [await project.run("click", "button"), await project.run("click", "button")];
    expect(answers.join("\n")).toMatch(/before that, since the last action: download "s\.csv" \(\/\S+-s\.csv\)/);
  });
});
