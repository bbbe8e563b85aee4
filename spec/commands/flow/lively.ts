/** A page that does something of all that is followed, a project of its own that looks at it, and who follows. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { WebSocketServer } from "ws";
import { Project } from "../../harness/project.ts";
import { Site } from "../../harness/site.ts";

/** What the page is given, and sends. */
export const SECRETS = {
  password: "correct-horse-battery",
  header: "Bearer abc123def456ghi789jkl",
  cookie: "0123456789abcdef0123",
  query: "tok-secret-4711",
};

const PAGE = `<!doctype html><title>Lively</title>
<form><label>Password <input type="password" id="pw"></label></form>
<button data-testid="go" id="go">Go</button>
<script>
  function outer() { console.error("went wrong", { code: 7 }); }
  console.log("ready");
  document.querySelector("#go").onclick = () => {
    outer();
    document.title = "Gone";
    history.pushState({}, "", "/lively?token=${SECRETS.query}");
    alert("Sure?");
    setTimeout(() => { throw new TypeError("No lamp"); });
    const said = document.querySelector("#pw").value;
    console.log("password=" + said);
    fetch("/old?access_token=${SECRETS.query}", { headers: { authorization: "${SECRETS.header}" } });
    new Worker(URL.createObjectURL(new Blob(["console.log('from the worker')"])));
    navigator.serviceWorker.register("/service.js");
    const socket = new WebSocket("ws://" + location.host + "/socket");
    socket.onopen = () => { socket.send("12345"); socket.send("6"); };
    let heard = 0;
    socket.onmessage = () => { if (++heard === 3) socket.close(); };
  };
</script>`;

export interface Told {
  seq: number;
  topic: string;
  data: Record<string, unknown> & { event?: string; text?: string };
}

export class Lively implements AsyncDisposable {
  readonly site: Site;
  readonly project = new Project();
  readonly #sockets: WebSocketServer;

  private constructor(site: Site) {
    this.site = site;
    this.#sockets = new WebSocketServer({ server: site.server, path: "/socket" });
    this.#sockets.on("connection", (socket) => {
      for (const text of ["one", "two", "three"]) socket.send(text);
    });
  }

  static async open(): Promise<Lively> {
    const lively = new Lively(
      await Site.serve({
        "/lively": PAGE,
        "/service.js": "console.log('from the service worker')",
        "/old": (_request, response) => response.writeHead(302, { location: "/new" }).end(),
        "/new": (_request, response) =>
          response.writeHead(200, { "set-cookie": `session=${SECRETS.cookie}`, "content-length": 3 }).end("new"),
      }),
    );
    await lively.project.run("start");
    return lively;
  }

  /** One visit to the page, followed by JSON lines from before its beginning to its end. */
  async visit(): Promise<Told[]> {
    const following = new Following(this.project, ["--json", "--history"]);
    await this.project.run("newtab", `${this.site.url}/lively`);
    await following.until((lines) => lines.some((line) => line.includes('"ready"')));
    await this.project.run("fill", "#pw", SECRETS.password);
    await this.project.run("click", "#go");
    await following.until(
      (lines) =>
        lines.some((line) => line.includes('"event":"closed"')) &&
        lines.some((line) => line.includes("from the worker")) &&
        lines.some((line) => line.includes('"ended"') && line.includes('"click"')) &&
        lines.some((line) => line.includes("from the service worker")) &&
        lines.some((line) => line.includes('"finished"') && line.includes("/new")),
    );
    const { told } = following;
    await following.interrupt();
    return told;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.project[Symbol.asyncDispose]();
    this.#sockets.close();
    await this.site[Symbol.asyncDispose]();
  }
}

/** A client that follows, and what it has printed so far. */
export class Following {
  readonly child: ChildProcessWithoutNullStreams;
  #printed = "";
  stderr = "";

  constructor(project: Project, argv: readonly string[]) {
    this.child = project.start(["events", ...argv]);
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => (this.#printed += text));
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
  }

  /** But for the mark around what pages say. */
  get lines(): string[] {
    const lines = this.#printed.split("\n").slice(0, -1);
    return lines.filter((line) => !/^⟦\/?page /.test(line));
  }

  get told(): Told[] {
    return this.lines.map((line) => JSON.parse(line) as Told);
  }

  async until(isDone: (lines: readonly string[]) => boolean): Promise<void> {
    while (!isDone(this.lines)) await once(this.child.stdout, "data");
  }

  async interrupt(): Promise<unknown> {
    this.child.kill("SIGINT");
    const [code] = await once(this.child, "close");
    return code;
  }
}
