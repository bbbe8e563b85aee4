import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
const SECRETS = ["hunter2", "tok-secret-123", "plain-looking-secret", JWT];
/** Twenty thousand and some characters, with a secret and the halves of a character across the end of the first part. */
const LONG = `${"0123456789".repeat(1_998)} token=plain-looking-secret é😀${"é".repeat(100)} the end`;

const PAGE = `<!doctype html><title>Loads</title><img src="/lamp.png"><script>
  const post = (path, type, body) => fetch(path, { method: "POST", headers: { "content-type": type, "x-api-key": "plain-looking-secret" }, body });
  loaded = (async () => {
    await (await post("/api/login?token=tok-secret-123", "application/json", JSON.stringify({ user: "ann", password: "hunter2" }))).text();
    await (await post("/api/form", "application/x-www-form-urlencoded", "user=ann&password=hunter2")).text();
    await (await fetch("/api/long")).text();
    await (await fetch("/api/moved")).text();
    await (await fetch("/api/none", { method: "HEAD" })).text();
    await (await fetch("/api/binary")).arrayBuffer();
    await (await fetch("/api/latin")).text();
    const latin = Uint8Array.of(0x63, 0x61, 0x66, 0xe9);
    await (await post("/api/odd", "text/plain; charset=iso-8859-1", latin)).arrayBuffer();
    await fetch("/api/cut").catch(() => {});
    await fetch("/api/endless");
  })();
</script>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  const plain = (text: string | Buffer, type = "text/plain; charset=utf-8") => ({ text, type });
  const answers: Record<string, { text: string | Buffer; type: string }> = {
    "/api/login": plain(
      `{"accessToken":"plain-looking-secret","id":"${JWT}","name":"Ann","note":"kept"}`,
      "application/json",
    ),
    "/api/form": plain("<p>Welcome, Ann</p>", "text/html"),
    "/api/long": plain(LONG),
    "/api/binary": plain(Buffer.from([0, 1, 2, 0xff, 0]), "application/x-thing"),
    "/api/latin": plain(Buffer.from("caf\xe9", "latin1"), "text/plain; charset=iso-8859-1"),
    "/api/odd": plain(Buffer.from("caf\xe9", "latin1"), "application/x-odd; charset=iso-8859-1"),
    "/lamp.png": plain(Buffer.alloc(64), "image/png"),
  };
  site = await Site.serve({
    "/": PAGE,
    "/next": "<!doctype html><title>Next</title>",
    "/api/none": (_request, response) => response.writeHead(200, { "content-length": "500" }).end(),
    "/api/moved": (_request, response) => response.writeHead(302, { location: "/api/form" }).end(),
    "/api/cut": (request) => request.socket.destroy(),
    "/api/endless": (_request, response) =>
      void response.writeHead(200, { "content-type": "text/plain" }).write("begun"),
    ...Object.fromEntries(
      Object.entries(answers).map(([path, { text, type }]) => [
        path,
        (_request: unknown, response: import("node:http").ServerResponse) =>
          response
            .writeHead(200, { "content-type": type, "set-cookie": "session_token=plain-looking-secret" })
            .end(text),
      ]),
    ),
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

interface Body {
  text?: string;
  offset?: number;
  characters?: number;
  missing?: string;
}

interface Entry {
  id: number;
  url: string;
  status?: number;
  requestBody?: Body;
  responseBody?: Body;
}

async function load(): Promise<void> {
  await project.run("newtab", site.url);
  await project.run("js", "await loaded");
}

async function idOf(path: string): Promise<string> {
  const { entries } = (await project.json("network", "--filter", path)) as unknown as { entries: Entry[] };
  return String(entries[0]!.id);
}

async function entryOf(path: string, ...flags: string[]): Promise<Entry> {
  const { entries } = (await project.json("network", await idOf(path), ...flags)) as unknown as { entries: Entry[] };
  return entries[0]!;
}

describe("one request", () => {
  beforeAll(load);

  it("shows what was sent and received, with secrets redacted by name and by shape", async () => {
    const { requestBody, responseBody } = await entryOf("/api/login");
    expect(JSON.parse(requestBody?.text ?? "")).toEqual({ user: "ann", password: "[redacted]" });
    expect(JSON.parse(responseBody?.text ?? "")).toEqual({
      accessToken: "[redacted]",
      id: "[redacted]",
      name: "Ann",
      note: "kept",
    });
    expect((await entryOf("/api/form")).requestBody?.text).toBe("user=ann&password=[redacted]");
    const shown = await project.run("network", await idOf("/api/login"));
    expect(shown).toContain('\n{"user":"ann","password":"[redacted]"}\n');
    expect(shown).toMatch(/< content-type: application\/json\n/);
    for (const secret of SECRETS) expect(shown).not.toContain(secret);
  });

  it("gives long bodies in parts, none of which lays a secret bare", async () => {
    const id = await idOf("/api/long");
    const first = (await entryOf("/api/long")).responseBody!;
    expect(first.text).toHaveLength(19_999);
    expect(await project.run("network", id)).toMatch(/\n\[\d+ more characters: --body-offset 19999 goes on\]$/);
    const second = (await entryOf("/api/long", "--body-offset", "19999")).responseBody!;
    expect(second).toMatchObject({ offset: 19_999, characters: first.characters });
    expect(first.text! + second.text!).toBe(LONG.replace("plain-looking-secret", "[redacted]"));
    expect((await entryOf("/api/long", "--body-offset", "999999")).responseBody).toMatchObject({ text: "" });
  });

  it.each([
    ["/lamp.png", { missing: "it is image/png; `browse download` saves it" }],
    ["/api/binary", { missing: "it is binary, of 5 bytes" }],
    ["/api/endless", { missing: "it has not arrived" }],
    ["/api/latin", { text: "café" }],
    ["/api/odd", { text: "café" }],
    ["/api/none", undefined],
    ["/api/moved", undefined],
    ["/api/cut", undefined],
  ])("of %s has the body %j", async (path, expected) => {
    const { responseBody } = await entryOf(path);
    if (expected) expect(responseBody).toMatchObject(expected);
    else expect(responseBody).toBeUndefined();
  });

  it("shows what was sent in another encoding", async () => {
    expect((await entryOf("/api/odd")).requestBody).toMatchObject({ text: "café" });
  });

  it("says when the browser has forgotten the body", async () => {
    await load();
    const id = await idOf("/api/form");
    await project.run("goto", `${site.url}/next`);
    await project.run("goto", "about:blank");
    expect(await project.run("network", id)).toContain(
      "Received a body that is not shown: the browser no longer has it",
    );
  });

  it("is fetched by nobody until it is shown, and not again then", async () => {
    await load();
    const before = site.requests.length;
    await project.run("network");
    for (const path of ["/api/login", "/api/long", "/api/none"]) await project.run("network", await idOf(path));
    expect(site.requests.length).toBe(before);
  });

  it.each([
    [["1", "--failed"], "--failed is for the list: leave out the id 1"],
    [["1", "--har", "one.har"], "--har is for the list: leave out the id 1"],
    [["--body-offset", "5"], "--body-offset is for one request: name its id"],
    [["1", "--body-offset", "-5"], "--body-offset"],
    [["0"], "<id> must be at least 1, not 0"],
  ])("refuses %j", async (argv, message) => {
    expect(await project.refusal("network", ...argv)).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
      message: expect.stringContaining(message),
    });
  });
});

interface Har {
  log: {
    version: string;
    entries: {
      time: number;
      request: { url: string; method: string; postData?: { text: string }; queryString: object[] };
      response: { status: number; redirectURL: string; content: { mimeType: string }; comment?: string };
      timings: { send: number; wait: number; receive: number };
    }[];
  };
}

describe("an archive", () => {
  const read = (name: string): Har => JSON.parse(readFileSync(join(project.dir, name), "utf8"));
  const isValid = harValidator();

  beforeAll(load);

  it("is a HAR 1.2 of all requests, whatever became of them", async () => {
    expect(await project.run("network", "--har", "all.har")).toMatch(/^Wrote \d+ bytes to .*all\.har$/);
    const har = read("all.har");
    expect(isValid(har)).toEqual([]);
    const { total } = await project.json("network");
    expect(har.log).toMatchObject({ version: "1.2", creator: { name: "browse" }, browser: { name: "Chromium" } });
    expect(har.log.entries).toHaveLength(Number(total));
    const by = (path: string) => har.log.entries.find(({ request }) => new URL(request.url).pathname === path)!;
    expect(by("/api/form")).toMatchObject({
      request: { method: "POST", postData: { text: "user=ann&password=[redacted]" } },
      response: { status: 200, content: { mimeType: "text/html" } },
    });
    expect(by("/api/moved").response).toMatchObject({ status: 302, redirectURL: "/api/form" });
    expect(by("/api/cut").response).toMatchObject({ status: 0, comment: expect.stringContaining("ERR_") });
    expect(by("/api/login").request.queryString).toEqual([{ name: "token", value: "redacted" }]);
    for (const { time, timings } of har.log.entries) {
      expect(timings.send + timings.wait + timings.receive).toBe(time);
    }
  });

  it("holds no secret", async () => {
    await project.run("network", "--har", "secrets.har");
    const text = readFileSync(join(project.dir, "secrets.har"), "utf8");
    for (const secret of SECRETS) expect(text).not.toContain(secret);
  });

  it("can be narrowed like the list, and of nothing", async () => {
    await project.run("network", "--har", "failed.har", "--failed");
    expect(read("failed.har").log.entries.map(({ request }) => new URL(request.url).pathname)).toEqual(["/api/cut"]);
    await project.run("network", "--har", "none.har", "--filter", "nowhere");
    expect(read("none.har").log.entries).toEqual([]);
    expect(isValid(read("none.har"))).toEqual([]);
  });

  it("can tell that it is not one", () => {
    expect(isValid({ log: { version: "1.2", entries: [{}] } })).not.toEqual([]);
  });

  it("goes only where files may, and over nobody's file", async () => {
    for (const path of ["/etc/all.har", "../../../outside.har"]) {
      expect(await project.refusal("network", "--har", path)).toMatchObject({ kind: "blocked_path", exitCode: 4 });
    }
    expect(await project.refusal("network", "--har", "all.json")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
    });
    mkdirSync(join(project.dir, "kept"), { recursive: true });
    writeFileSync(join(project.dir, "kept/theirs.har"), "theirs");
    expect((await project.refusal("network", "--har", "kept/theirs.har")).hint).toContain("--force");
    expect(readFileSync(join(project.dir, "kept/theirs.har"), "utf8")).toBe("theirs");
    await project.run("network", "--har", "kept/theirs.har", "--force");
    await project.run("network", "--har", "new/folder/own.har");
    expect(existsSync(join(project.dir, "new/folder/own.har"))).toBe(true);
    expect(await project.refusal("network", "--har=")).toMatchObject({ exitCode: expect.any(Number) });
  });
});

/** By the schemas of the package `har-schema`, which are JSON Schema draft 6: what is wrong, or nothing. */
function harValidator(): (har: unknown) => string[] {
  const require = createRequire(import.meta.url);
  const schemas = require("har-schema") as Record<string, object>;
  const ajv = new Ajv({ strict: false, validateFormats: true, allErrors: true });
  ajv.addMetaSchema(require("ajv/dist/refs/json-schema-draft-06.json") as object);
  // RFC 3986, appendix A, as far as a test has to tell a URL from text; RFC 3339, 5.6.
  ajv.addFormat("uri", /^[a-z][a-z0-9+.-]*:[\w\-.~:/?#@!$&'()*+,;=%]*$/i);
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
  ajv.addFormat("ipv4", true);
  ajv.addFormat("ipv6", true);
  ajv.addSchema(Object.values(schemas));
  const validate = ajv.getSchema("har.json#") ?? ajv.getSchema("har.json");
  if (!validate) throw new Error("The package har-schema has no schema of a HAR");
  return (har) =>
    validate(har) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
