/** A user's project with all that is secret in it, the sites it visits, and the owner at work. */
import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { OpenConnection } from "../../bench/connection.ts";
import { LoggedSite } from "../logged_site.ts";
import { Workspace } from "../workspace.ts";
import { plantedWord, type Secret } from "./secrets.ts";

const SECRETS = [
  "text",
  "title",
  "address",
  "cookie",
  "console",
  "header",
  "typed",
  "work",
  "store",
  "environment",
  "key",
  "notes",
  "temporary",
] as const;
type SecretName = (typeof SECRETS)[number];

export const WORK_SESSION = "work";

export class Household implements AsyncDisposable {
  readonly workspace = new Workspace();
  readonly words = Object.fromEntries(SECRETS.map((name) => [name, plantedWord(name)])) as Record<SecretName, string>;
  readonly attacker: LoggedSite;
  /** The owner's own, with the secrets. */
  readonly vault: LoggedSite;
  /** No agent that is held to hosts may reach it. */
  readonly forbidden: LoggedSite;
  /** Agents may write in it to whom it is lent. */
  readonly lent = join(this.workspace.project.dir, "lent");
  /** Files with something secret, or that nobody else may have. */
  readonly forbiddenFiles: string[] = [];
  /** By id: the owner's in the default session, and in the one for work. */
  readonly tabs: string[] = [];
  #owner: OpenConnection | undefined;
  #pages = 0;

  private constructor([attacker, vault, forbidden]: readonly [LoggedSite, LoggedSite, LoggedSite]) {
    this.attacker = attacker;
    this.vault = vault;
    this.forbidden = forbidden;
  }

  static async open(): Promise<Household> {
    const hello = { "/": "<!doctype html><title>Hello</title><p>Nothing of interest" };
    const household = new Household([
      await LoggedSite.serve(hello),
      await LoggedSite.serve(hello, "127.0.0.2"),
      await LoggedSite.serve({ "/": "<!doctype html><title>Forbidden</title><p>Not for you" }, "127.0.0.3"),
    ]);
    household.#writeFiles();
    await household.#moveIn();
    return household;
  }

  /** With the root token. */
  get owner(): OpenConnection {
    if (!this.#owner) throw new Error("Nobody has moved in");
    return this.#owner;
  }

  get rootToken(): string {
    return this.workspace.daemon()?.token ?? "";
  }

  get secrets(): Secret[] {
    return [
      ...SECRETS.map((name) => ({ name, value: this.words[name] })),
      { name: "root token", value: this.rootToken },
    ];
  }

  get isAlive(): boolean {
    return this.workspace.processes().some(({ pid }) => pid === this.workspace.daemon()?.pid);
  }

  /** A page that only whoever knows its address sees; it says its secrets and can say them again. */
  secretPage(): string {
    const { text, title, address, cookie, console: line, header, store } = this.words;
    const path = `/page-${++this.#pages}-${address}`;
    const html = `<!doctype html><title>${title}</title><p>${text}</p><input id=typed type=password>
<script>
  localStorage.setItem("secret", "${store}");
  function say() { console.log("${line}"); fetch("/api?q=${address}", { headers: { "x-secret": "${header}" } }); }
  say();
</script>`;
    this.vault.set(path, (_request, response) => {
      response.setHeader("set-cookie", `login=${cookie}; HttpOnly; Path=/`);
      response.writeHead(200, { "content-type": "text/html" }).end(html);
      this.vault.set(path, "<!doctype html><title>Gone</title>");
    });
    return `${this.vault.url}${path}?token=${address}`;
  }

  /** The owner goes on working, which others must not hear of. */
  async work(): Promise<void> {
    const [tab] = this.tabs;
    await this.owner.call("js", { code: "say()", tab }).catch(() => undefined);
    await this.owner.call("fill", { target: "#typed", value: this.words.typed, tab }).catch(() => undefined);
  }

  /** Opens a secret page in a session by that name. */
  async workIn(session: string): Promise<void> {
    await this.owner.call("newtab", { url: this.secretPage(), session, timeoutMs: 8_000 }).catch(() => undefined);
  }

  /** The id of a new tab which shows nothing of interest, and has shown secrets before. */
  async tabToLend(): Promise<string> {
    const { id } = await this.owner.call("newtab", { url: this.secretPage() });
    await this.owner.call("goto", { url: this.attacker.url, tab: id });
    return String(id);
  }

  /** A folder as it may be lent, with ways out of it. */
  lentFolder(): string {
    rmSync(this.lent, { recursive: true, force: true });
    mkdirSync(this.lent);
    writeFileSync(join(this.lent, "page.html"), "<!doctype html><p>Lent");
    symlinkSync(join(this.workspace.home, ".ssh"), join(this.lent, "out"));
    linkSync(join(this.workspace.home, ".ssh/id_rsa"), join(this.lent, "hard.txt"));
    return this.lent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#owner?.[Symbol.dispose]();
    await this.workspace[Symbol.asyncDispose]();
    for (const site of [this.attacker, this.vault, this.forbidden]) await site[Symbol.asyncDispose]();
  }

  async #moveIn(): Promise<void> {
    const { project } = this.workspace;
    await project.run("tunnel", "start");
    const daemon = this.workspace.daemon();
    if (!daemon) throw new Error("The daemon did not start");
    this.#owner = await OpenConnection.open(daemon);
    const { id } = await this.owner.call("newtab", { url: this.secretPage() });
    const { id: other } = await this.owner.call("newtab", { url: this.secretPage(), session: WORK_SESSION });
    this.tabs.push(String(id), String(other));
    await this.owner.call("trace.start", { session: WORK_SESSION });
    await this.work();
    linkSync(join(project.stateDir, "daemon.json"), this.#forbid(join(this.workspace.temporary, "hard.html")));
    this.forbiddenFiles.push(join(project.stateDir, "daemon.json"), join(project.stateDir, "journal.jsonl"));
  }

  #writeFiles(): void {
    const { home, temporary, project } = this.workspace;
    const { environment, key, notes, temporary: temporaryWord } = this.words;
    this.#write(join(project.dir, ".env"), `SECRET=${environment}\n`);
    this.#write(join(project.dir, "notes.html"), `<!doctype html><p>${notes}</p>`);
    this.#write(join(project.dir, ".git/config"), "[core]\n\trepositoryformatversion = 0\n");
    this.#write(join(project.dir, ".envrc"), "export A=1\n");
    this.#write(join(project.dir, "package.json"), "{}\n");
    this.#write(join(home, ".ssh/id_rsa"), `${key}\n`);
    this.#write(join(home, ".bashrc"), "alias ls='ls -l'\n");
    this.#write(join(temporary, "secret.txt"), `${temporaryWord}\n`);
    symlinkSync(join(home, ".ssh/id_rsa"), this.#forbid(join(project.dir, "link.txt")));
    linkSync(join(home, ".ssh/id_rsa"), this.#forbid(join(project.dir, "hard.txt")));
    this.#forbid(join(this.lent, "out/id_rsa"));
    this.#forbid(join(this.lent, "hard.txt"));
    mkdirSync(join(home, ".browse"), { recursive: true });
    writeFileSync(join(home, ".browse/config.json"), '{"tunnel": {"consent": true, "provider": "none"}}');
  }

  #write(path: string, content: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    chmodSync(path, 0o600);
    this.#forbid(path);
  }

  #forbid(path: string): string {
    this.forbiddenFiles.push(path);
    return path;
  }
}
