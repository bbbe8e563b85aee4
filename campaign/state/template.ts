/** A state folder as a daemon leaves it that was used and then killed: what each case damages. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Site } from "../../spec/harness/site.ts";
import { signal } from "../processes.ts";
import { knownCommands } from "../registry.ts";
import { Workspace } from "../workspace.ts";

const PAGE = `<!doctype html><title>Page</title><p>Text</p><script>console.log("line"); fetch("/x")</script>`;
/** Made by the system or the browser, not by us. */
const NOT_OURS = /(^|\/)(\.cache|\.config|\.pki|chromium|profile|org\.chromium)/;

export class Template implements Disposable {
  readonly #copies = mkdtempSync(join(tmpdir(), "browse-template-"));
  readonly commands: ReadonlySet<string>;
  /** Relative to the state folder. */
  readonly stateFiles: readonly string[];
  /** Relative to the user's folder. */
  readonly userFiles: readonly string[];
  /** What a first command takes here, without and with a browser. */
  readonly coldMs: number;
  readonly coldBrowserMs: number;

  private constructor(workspace: Workspace, commands: ReadonlySet<string>, [cold, browser]: [number, number]) {
    this.commands = commands;
    this.coldMs = cold;
    this.coldBrowserMs = browser;
    cpSync(workspace.project.stateDir, join(this.#copies, "state"), { recursive: true, filter: isCopied });
    cpSync(join(workspace.home, ".browse"), join(this.#copies, "user"), { recursive: true, filter: isCopied });
    this.stateFiles = filesIn(join(this.#copies, "state"));
    this.userFiles = filesIn(join(this.#copies, "user"));
  }

  static async make(): Promise<Template> {
    await using site = await Site.serve({ "/": PAGE, "/x": "x" });
    await using workspace = new Workspace({}, { ownProcesses: true });
    const user = join(workspace.home, ".browse");
    mkdirSync(user, { mode: 0o700 });
    writeFileSync(join(user, "config.json"), '{"tunnel": {"consent": true, "provider": "none"}}\n', { mode: 0o600 });
    const { ms: coldMs } = await workspace.cli(["status"]);
    const { ms: browserMs } = await workspace.cli(["newtab", site.url]);
    const { project } = workspace;
    await project.run("screenshot");
    await project.run("state", "save", "kept");
    await project.run("tunnel", "start");
    await workspace.cli(["pair", "--scopes", "nothing"]);
    // Something to refuse, which goes into the user's record.
    const { url } = (await project.json("tunnel", "status")) as { url: string };
    await fetch(`${url}/rpc`, { method: "POST", body: "{}" });
    const commands = await knownCommands(workspace, site.url);
    await project.journal();
    for (const { pid } of workspace.processes()) signal(pid, "SIGKILL");
    return new Template(workspace, new Set(commands.map(({ name }) => name)), [coldMs, coldMs + browserMs]);
  }

  /** Puts a copy of it into a project that has not run yet. */
  unpack(workspace: Workspace): void {
    cpSync(join(this.#copies, "state"), workspace.project.stateDir, { recursive: true });
    cpSync(join(this.#copies, "user"), join(workspace.home, ".browse"), { recursive: true });
  }

  [Symbol.dispose](): void {
    rmSync(this.#copies, { recursive: true, force: true });
  }
}

function isCopied(path: string): boolean {
  return !NOT_OURS.test(path.replace(/^.*?\/\.browse/, ""));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
}
