/** `client.ts` copied by itself into an empty folder: in Node, in Deno and Bun where they are installed, and in a page of an extension. */
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempDisposableSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FULL_CHROMIUM } from "./harness/full_chromium.ts";
import { Project } from "./harness/project.ts";
import { SECRET, startWire } from "./rpc/wire/wire.ts";

const CLIENT = join(import.meta.dirname, "../client.ts");

/** Calls, a batch, events, cancelling, errors: what came of each, as one line. */
const DRIVE = `
import { BrowseError, connect } from "./client.ts";
await using browse = await connect({ session: process.argv.at(-1), start: false, advice: true });
const events = browse.events(["console"], { filter: { session: process.argv.at(-1) } });
const first = events.next();
await browse.loadHtml({ html: "<title>Alone</title><p id=t>read me</p><script>setTimeout(() => console.log('said'))</script>" });
const { data } = (await first).value;
const { text } = await browse.text({ target: "#t" });
const [title, press] = await browse.batch([{ method: "title" }, { method: "click", params: { target: "#none" } }]);
const signal = AbortSignal.timeout(50);
const cancelled = await browse.wait({ what: "20000" }, { signal }).catch(({ kind }) => kind);
const missing = await browse.click({ target: "#none" }).catch((error) => error instanceof BrowseError && error.kind);
await events.return(undefined);
await browse.session.close({ name: process.argv.at(-1) });
console.log(JSON.stringify([data.text, text, title.result.title, press.error.kind, cancelled, missing]));
`;

const DONE = ["said", "read me", "Alone", "not_found", "cancelled", "not_found"];

/** How each runs a file. Of Deno, what it has to be allowed. */
const RUNTIMES = {
  node: [process.execPath],
  deno: ["deno", "run", "--no-config", "--allow-net=127.0.0.1", "--allow-env", "--allow-read", "--allow-sys"],
  bun: ["bun"],
} as const;

const isThere = (program: string) => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

let project: Project;
const folder = mkdtempDisposableSync(join(tmpdir(), "browse-alone-"));

beforeAll(async () => {
  project = new Project();
  await project.run("status");
  copyFileSync(CLIENT, join(folder.path, "client.ts"));
  writeFileSync(join(folder.path, "drive.ts"), DRIVE);
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  folder.remove();
});

for (const [name, [program, ...words]] of Object.entries(RUNTIMES)) {
  it.skipIf(!isThere(program))(`drives the daemon in ${name}, by its address and by the project's state`, async () => {
    const { port, token } = project.daemon()!;
    const { BROWSE_URL: _, BROWSE_TOKEN: __, ...env } = process.env;
    const drive = async (found: Record<string, string>, session: string) => {
      const options = { cwd: folder.path, env: { ...env, ...found } };
      const { stdout } = await promisify(execFile)(program, [...words, "drive.ts", session], options);
      return JSON.parse(stdout) as unknown;
    };
    const named = { BROWSE_URL: `ws://127.0.0.1:${port}/rpc`, BROWSE_TOKEN: token };
    expect(await drive(named, `${name}-named`)).toEqual(DONE);
    expect(await drive({ BROWSE_STATE_DIR: project.stateDir }, `${name}-found`)).toEqual(DONE);
  });
}

const IN_A_PAGE = `
import { connect } from "./client.js";
globalThis.drive = async (url, token) => {
  try {
    await using browse = await connect({ url, token });
    return [await browse.call("echo", { text: "said" }), await browse.call("fail").catch(({ kind }) => kind)];
  } catch ({ kind }) {
    return kind;
  }
};
`;

/** As Chromium names an extension that it loads from a folder: by the folder's path, in letters from a to p. */
function extensionId(path: string): string {
  const digits = createHash("sha256").update(path).digest("hex").slice(0, 32);
  return digits.replace(/./g, (digit) => String.fromCharCode("a".charCodeAt(0) + Number.parseInt(digit, 16)));
}

it("drives a daemon that lets its origin in, from a page of an extension, and no other", {
  timeout: 60_000,
}, async () => {
  const extension = mkdtempSync(join(realpathSync(folder.path), "extension-"));
  writeFileSync(join(extension, "manifest.json"), '{"manifest_version": 3, "name": "Alone", "version": "1"}');
  writeFileSync(join(extension, "client.js"), stripTypeScriptTypes(readFileSync(CLIENT, "utf8")));
  writeFileSync(join(extension, "page.html"), '<!doctype html><script type="module" src="page.js"></script>');
  writeFileSync(join(extension, "page.js"), IN_A_PAGE);
  const origin = `chrome-extension://${extensionId(extension)}`;
  await using wire = await startWire({ allowedOrigins: [origin] });
  await using stranger = await startWire();
  await using browser = await chromium.launchPersistentContext("", {
    executablePath: FULL_CHROMIUM.BROWSE_CHROMIUM,
    chromiumSandbox: process.getuid?.() !== 0 && !process.env.BROWSE_NO_SANDBOX,
    args: [`--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
  });
  const page = await browser.newPage();
  await page.goto(`${origin}/page.html`);
  const drive = async (url: string) => await page.evaluate(`drive(${JSON.stringify(url)}, "${SECRET}")`);
  expect(await drive(wire.url)).toEqual([{ text: "said" }, "covered"]);
  expect(await drive(stranger.url)).toMatch(/^(?:forbidden|browser_gone)$/);
});
