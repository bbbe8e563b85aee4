/** The walk-through of docs/pairing.md, executed as it is printed: by a shell, and by an agent that has nothing but `curl`. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

const ROOT = join(import.meta.dirname, "../..");
const [OWNER = "", AGENT = "", AFTER = ""] = [
  ...readFileSync(join(ROOT, "docs/pairing.md"), "utf8").matchAll(/^```sh\n(.*?)^```$/gms),
].map(([, block = ""]) => block);

let site: Site;
let project: Project;
/** What `browse pair` printed. */
let printed: string;

interface Ran {
  stdout: string;
  stderr: string;
  exitCode: number | null;
}

/** Runs a script in a shell of its own. */
async function shell(script: string, env: Record<string, string>, cwd: string): Promise<Ran> {
  const child = spawn("sh", ["-eu"], { cwd, env: { PATH: process.env.PATH ?? "", ...env } });
  const ran: Ran = { stdout: "", stderr: "", exitCode: null };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (ran.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (ran.stderr += text));
  child.stdin.end(script);
  ran.exitCode = await new Promise((resolve) => child.once("close", resolve));
  return ran;
}

/** As the user. */
async function owner(script: string): Promise<string> {
  const browse = `browse() { "${process.execPath}" "${join(ROOT, "dist/browse.mjs")}" "$@"; }\n`;
  const { TEST_RUN_OF_BROWSE = "" } = process.env;
  const env = {
    HOME: join(project.dir, "user"),
    BROWSE_STATE_DIR: project.stateDir,
    BROWSE_PROXY: site.url,
    TEST_RUN_OF_BROWSE,
  };
  const { stdout, stderr, exitCode } = await shell(browse + script, env, project.dir);
  if (exitCode !== 0) throw new Error(`The owner's shell ended with ${exitCode}: ${stderr}`);
  return stdout;
}

/** As somebody who has nothing of the user's. */
const agent = (script: string) => shell(script, {}, "/");

/** The lines that differ each time. */
const OWN_LINES = /^(URL|KEY)=.*$/gm;
const ownLines = (text: string) => (text.match(OWN_LINES) ?? []).slice(0, 2);
const withOwnLines = (text: string, [url = "", key = ""]: string[]) =>
  text.replace(OWN_LINES, (line) => (line.startsWith("URL") ? url : key));

beforeAll(async () => {
  // As its proxy, the site is any host.
  site = await Site.serve({ "/": "<!doctype html><title>Example</title><h1>Example</h1><button>Buy</button>" });
  project = new Project({ BROWSE_PROXY: site.url });
  mkdirSync(join(project.dir, "user"));
  printed = await owner(OWNER);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("The walk-through", () => {
  it("prints for the agent what the docs say it prints", () => {
    expect(ownLines(printed)).toHaveLength(2);
    expect(printed).toContain(withOwnLines(AGENT, ownLines(printed)).trim());
  });

  it("lets an agent with nothing but curl see a page, by the lines of the docs", async () => {
    const ran = await agent(withOwnLines(AGENT, ownLines(printed)));
    expect(ran).toMatchObject({ stderr: "", exitCode: 0 });
    const [opened, snapshot, discovered] = ran.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(opened.result).toMatchObject({ url: "http://example.com/", status: 200 });
    expect(snapshot.result).toMatchObject({
      title: "Example",
      nodes: expect.arrayContaining([expect.objectContaining({ name: "Buy" })]),
    });
    const names = discovered.result.methods.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(["newtab", "snapshot", "click", "rpc.discover"]));
    expect(names).not.toContain("cli.exec");
  });

  it("takes the key once", async () => {
    const ran = await agent(withOwnLines(AGENT, ownLines(printed)));
    expect(ran).toMatchObject({ stdout: "", exitCode: 22, stderr: expect.stringContaining("401") });
  });

  it("shows the owner who is in and who was refused, and lets the agent in no more", async () => {
    const [keyLine, urlLine] = ownLines(
      await owner("browse pair researcher --tunnel --domains example.com"),
    ).toReversed();
    expect(await owner("browse agents")).toMatch(/^researcher: has not used its key yet, which works until 2/m);
    const token = (
      await agent(`${urlLine}\n${keyLine}\ncurl -fsS -H 'Accept: text/plain' -d "$KEY" "$URL/pair"`)
    ).stdout.trim();
    const call = `curl -sS -H 'Authorization: Bearer ${token}' -d '{"jsonrpc":"2.0","id":1,"method":"goto","params":{"url":"http://other.example/"}}' "$URL/rpc"`;
    const refused = JSON.parse((await agent(`${urlLine}\n${call}`)).stdout);
    expect(refused.error.data.kind).toBe("blocked_url");
    const said = await owner(AFTER);
    expect(said).not.toContain("has not used its key");
    expect(said).toContain("researcher: read, write, meta; its own tabs; only example.com; through the tunnel; until ");
    expect(said).toMatch(/ pairing_key unknown from [0-9a-f]{12}\n/);
    expect(said).toMatch(/ blocked_url goto from [0-9a-f]{12}\n/);
    expect(said).toContain('Revoked "researcher"');
    expect(said).toContain("The tunnel is closed");
    expect((await agent(`${urlLine}\n${call}`)).exitCode).toBe(7);
    const log = readFileSync(join(project.dir, "user/.browse/security/attempts.jsonl"), "utf8");
    expect(log).not.toContain("127.0.0.1");
    expect(log).not.toContain("other.example");
    expect(log).not.toContain(token);
  });
});

describe("An agent on this machine", () => {
  it("has files of its own, those it was lent, and no more; and is told of itself alone", async () => {
    mkdirSync(join(project.dir, "shots"), { recursive: true });
    const lines = await owner("browse pair filer --domains example.com --files shots");
    expect(lines).toContain(`files in ${join(realpathSync(project.dir), "shots")}`);
    await expect(owner("browse pair filer --files .browse")).rejects.toThrow("it is in a state folder of browse");
    await expect(owner("browse pair filer --files none")).rejects.toThrow("there is no such folder");
    const browse = `browse() { "${process.execPath}" "${join(ROOT, "dist/browse.mjs")}" "$@"; }\n`;
    const lent = join(project.dir, "shots");
    const ran = await agent(
      `${browse}${lines}\nbrowse screenshot\nbrowse screenshot ${lent}/a.png\nbrowse status\nbrowse screenshot ${project.dir}/b.png`,
    );
    expect(await owner("browse agents")).toContain(
      "filer: read, write, meta; its own tabs; only example.com; files in ",
    );
    expect(ran.exitCode).toBe(4);
    expect(ran.stderr).toContain("it is outside the folders that this token was given");
    expect(ran.stdout).toMatch(/artifacts\/filer\/screenshot-/);
    expect(existsSync(join(lent, "a.png"))).toBe(true);
    expect(ran.stdout).toMatch(/^daemon {3}up \d+ s/m);
    expect(ran.stdout).toMatch(/^sessions default \(1 tab\)$/m);
    expect(ran.stdout).toMatch(/^calls {4}[4-9] done, 0 failed$/m);
    expect(ran.stdout).not.toMatch(/pid|port|^state/m);
  });

  it("uses the command line as it is told to, in tabs of its own", async () => {
    const lines = await owner("browse pair helper --domains example.com");
    const browse = `browse() { "${process.execPath}" "${join(ROOT, "dist/browse.mjs")}" "$@"; }\n`;
    const ran = await agent(browse + lines);
    expect(ran).toMatchObject({
      stderr: "",
      exitCode: 0,
      stdout: expect.stringMatching(/Opened t\d+[\s\S]*\[button\] "Buy"/),
    });
    const journal = await owner("browse journal");
    expect(journal).toContain("newtab ok");
    // The key that was tried twice, at the tunnel's door.
    expect(journal).toContain("unknown unauthorized 0 ms");
  });
});

describe("Another process of this user, without the token", () => {
  it("gets health, which says nothing secret, and otherwise no more than a status", async () => {
    const { tunnelPort } = { tunnelPort: JSON.parse(await owner("browse tunnel start --json")).port as number };
    const { port, token } = project.daemon()!;
    const paths = [
      "/",
      "/health",
      "/rpc",
      "/pair",
      "/daemon.json",
      "/cookie-picker",
      "/.browse/daemon.json",
      "/health/../rpc",
    ];
    const tries = [port, tunnelPort].flatMap((door) =>
      paths.flatMap((path) =>
        ["GET", "POST", "PUT", "OPTIONS"].map(
          (method) =>
            `curl -s --path-as-is -o - -w ' %{http_code} ${method} ${path}\\n' -X ${method} http://127.0.0.1:${door}${path}`,
        ),
      ),
    );
    const { stdout } = await agent(tries.join("\n"));
    const rows = [...stdout.matchAll(/ (\d{3}) (\S+) (\S+)$/gm)].map(
      ([, status, method, path]) => `${status} ${method} ${path}`,
    );
    expect(rows).toHaveLength(tries.length);
    expect(rows.filter((row) => row.startsWith("200"))).toEqual(Array(2).fill("200 GET /health"));
    expect(new Set(rows.map((row) => row.slice(0, 3)))).toEqual(new Set(["200", "401", "404"]));
    expect(stdout).not.toContain(token);
    const upgrade =
      "-s -o /dev/null -w '%{http_code}' -H 'Connection: Upgrade' -H 'Upgrade: websocket' -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='";
    expect(
      (await agent(`curl ${upgrade} http://127.0.0.1:${port}/rpc; curl ${upgrade} http://127.0.0.1:${tunnelPort}/rpc`))
        .stdout,
    ).toBe("401401");
  });
});

describe("an agent that was paired by an agent", () => {
  it("is let in no more once that one is not, nor by a key that it has yet to use", async () => {
    const may = ["--scopes", "read,control", "--tabs", "all", "--ttl", "1h"];
    const lender = await exchanged(await project.json("pair", "lender", ...may));
    const pairAs = async (env: Record<string, string>, ...argv: string[]) =>
      JSON.parse((await project.cli(["pair", ...argv, "--json"], { env })).stdout) as Record<string, unknown>;
    const borrower = await exchanged(await pairAs(lender, "borrower", "--scopes", "read", "--ttl", "30m"));
    expect((await project.cli(["tabs"], { env: borrower })).exitCode).toBe(0);
    const unused = await pairAs(lender, "unused", "--scopes", "read", "--ttl", "30m");
    await project.run("unpair", "lender");
    expect((await project.cli(["tabs"], { env: borrower })).stderr).toContain("token");
    const late = await fetch(`${unused.url}/pair`, { method: "POST", body: String(unused.key) });
    expect(late.status).toBe(401);
    expect(JSON.stringify(await project.json("agents"))).not.toMatch(/lender|borrower|unused/);
  });

  async function exchanged({ key, url }: Record<string, unknown>): Promise<Record<string, string>> {
    const answer = await fetch(`${url}/pair`, {
      method: "POST",
      body: String(key),
      headers: { accept: "text/plain" },
    });
    return { BROWSE_URL: `${url}/rpc`, BROWSE_TOKEN: (await answer.text()).trim() };
  }
});
