/** What a page does, as whoever follows it hears of it, and as it is found written down. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { Project } from "../../harness/project.ts";
import { Site } from "../../harness/site.ts";

const SECRETS = {
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

interface Told {
  seq: number;
  topic: string;
  data: Record<string, unknown> & { event?: string; text?: string };
}

let site: Site;
let sockets: WebSocketServer;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/lively": PAGE,
    "/service.js": "console.log('from the service worker')",
    "/old": (_request, response) => response.writeHead(302, { location: "/new" }).end(),
    "/new": (_request, response) =>
      response.writeHead(200, { "set-cookie": `session=${SECRETS.cookie}`, "content-length": 3 }).end("new"),
  });
  sockets = new WebSocketServer({ server: site.server, path: "/socket" });
  sockets.on("connection", (socket) => {
    for (const text of ["one", "two", "three"]) socket.send(text);
  });
  project = new Project();
  await project.run("start");
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  sockets.close();
  await site[Symbol.asyncDispose]();
});

/** A client that follows, and what it has printed so far. */
class Following {
  readonly child: ChildProcessWithoutNullStreams;
  #printed = "";
  stderr = "";

  constructor(argv: readonly string[]) {
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

describe("events", () => {
  let tab: string;
  let told: Told[];
  const of = (topic: string) => told.filter((one) => one.topic === topic).map(({ data }) => data);

  /** One visit to the page, followed by JSON lines from before its beginning to its end. */
  beforeAll(async () => {
    const following = new Following(["--json", "--history"]);
    await project.run("newtab", `${site.url}/lively`);
    await following.until((lines) => lines.some((line) => line.includes('"ready"')));
    await project.run("fill", "#pw", SECRETS.password);
    await project.run("click", "#go");
    await following.until(
      (lines) =>
        lines.some((line) => line.includes('"event":"closed"')) &&
        lines.some((line) => line.includes("from the worker")) &&
        lines.some((line) => line.includes('"ended"') && line.includes('"click"')) &&
        lines.some((line) => line.includes("from the service worker")) &&
        lines.some((line) => line.includes('"finished"') && line.includes("/new")),
    );
    told = following.told;
    await following.interrupt();
    tab = String(of("console")[0]?.tab);
  });

  it("tell what the page said, with arguments, place and stack", () => {
    expect(of("console")).toContainEqual({
      session: "default",
      tab,
      id: 1,
      level: "log",
      text: "ready",
      location: expect.stringMatching(/\/lively:6:\d+$/),
    });
    expect(of("console")).toContainEqual(
      expect.objectContaining({
        level: "error",
        text: "went wrong {code: 7}",
        arguments: ["went wrong", "{code: 7}"],
        stack: expect.stringMatching(/^at outer \(.*\/lively:5:\d+\)\nat .*onclick \(/),
      }),
    );
    expect(of("console")).toContainEqual(expect.objectContaining({ text: "from the worker", tab }));
    const service = of("console").find(({ text }) => text === "from the service worker");
    expect(service).toMatchObject({ serviceWorker: true, session: "default" });
    expect(service).not.toHaveProperty("tab");
    expect(of("console")).toContainEqual(
      expect.objectContaining({ text: "TypeError: No lamp", uncaught: true, stack: expect.stringContaining("lively") }),
    );
  });

  it("tell requests with what came of them, redirects joined to what led there, and the messages of sockets", () => {
    const network = of("network");
    const old = network.find(({ event, url }) => event === "request" && String(url).includes("/old"));
    expect(network).toContainEqual(expect.objectContaining({ event: "response", id: old?.id, status: 302 }));
    expect(network).toContainEqual(
      expect.objectContaining({ event: "finished", redirectedFrom: old?.id, status: 200, bytes: 3, type: "fetch" }),
    );
    expect(network).toContainEqual(
      expect.objectContaining({
        event: "closed",
        type: "websocket",
        frames: { sent: 2, received: 3, sentBytes: 6, receivedBytes: 11 },
      }),
    );
  });

  it("tell the life of the tab, its dialogs, and what was done to it", () => {
    const page = of("page").map(({ event }) => event);
    expect(page).toEqual(expect.arrayContaining(["opened", "navigated", "load", "title", "workerStarted"]));
    expect(of("page")).toContainEqual(expect.objectContaining({ event: "title", title: "Gone" }));
    expect(of("dialog")).toEqual([expect.objectContaining({ type: "alert", message: "Sure?", outcome: "accepted" })]);
    const click = of("activity").filter(({ command }) => command === "click");
    expect(click).toEqual([
      expect.objectContaining({ phase: "started", params: { target: "#go" } }),
      expect.objectContaining({ phase: "ended", call: click[0]?.call, outcome: "ok", tab, ms: expect.any(Number) }),
    ]);
  });

  it("are numbered without a hole in each topic", () => {
    for (const topic of new Set(told.map((one) => one.topic))) {
      const numbers = told.filter((one) => one.topic === topic).map(({ seq }) => seq);
      expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    }
  });

  it("are for people without --json: time, tab, topic and what it was", async () => {
    const lines = (await project.run("events", "console", "--history", "--for", "200ms")).split("\n");
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} t\d+ +console +log ready \(http/);
    expect(lines.join("\n")).not.toContain("\x1b");
  });

  it("can be narrowed, and asked for from a number on", async () => {
    const errors = await project.run("events", "console", "--filter", "level=error", "--since", "0", "--for", "200ms");
    expect(errors.split("\n").every((line) => line.includes(" error "))).toBe(true);
    const after = of("console").length - 1;
    const last = await project.run("events", "console", "--since", String(after), "--for", "200ms", "--json");
    expect(last.split("\n").slice(0, -1)).toHaveLength(1);
    expect(await project.refusal("events", "--filter", "color=red")).toMatchObject({ flag: "--filter", exitCode: 2 });
    expect(await project.refusal("events", "consol")).toMatchObject({ kind: "invalid_params" });
  });

  it("end without a complaint when their reader goes, and on Ctrl-C", async () => {
    const piped = new Following(["console", "--history"]);
    await piped.until((lines) => lines.length >= 2);
    piped.child.stdout.destroy();
    const exit = once(piped.child, "exit");
    // It notices with the next line that it cannot write. 141 is what a pipe's end gives.
    await project.run("js", "console.log('one more')");
    expect(await exit).toEqual([141, null]);
    expect(piped.stderr).toBe("");

    const following = new Following(["console", "--history"]);
    await following.until((lines) => lines.length > 0);
    expect(await following.interrupt()).toBe(130);
    expect(following.stderr).toBe("");
    await expect.poll(async () => (await project.json("status")).events).toMatchObject({ subscriptions: 0 });
  });

  it("kept in hundreds are shown from the newest 50 on, and how many are older is said", async () => {
    await project.run("js", "for (let i = 0; i < 300; i++) console.log('line ' + i)");
    const { stdout, stderr } = await project.cli(["events", "console", "--history", "--for", "200ms"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(50);
    expect(lines.at(-1)).toContain("line 299");
    const older = Number(/(\d+) older events are kept: --since 0 shows them first/.exec(stderr)?.[1]);
    const all = await project.run("events", "console", "--since", "0", "--for", "200ms");
    expect(all.split("\n")).toHaveLength(50 + older);
  });

  it("of several lines cannot be taken for several, however the lines end", async () => {
    await project.run("js", "console.log('one\\r\\ntwo\\nthree')");
    const text = await project.run("events", "console", "--history", "--for", "200ms");
    expect(text).toContain("one\n  two\n  three");
    expect(text).not.toContain("\r");
  });

  it("are counted in the status, with the calls", async () => {
    const { calls, events } = (await project.json("status")) as { calls: { command: string }[]; events: object };
    expect(calls).toContainEqual({
      command: "click",
      outcomes: { ok: 1 },
      p50: expect.any(Number),
      p95: expect.any(Number),
      p99: expect.any(Number),
      max: expect.any(Number),
    });
    expect(events).toEqual({ subscriptions: 0, queued: 0, dropped: 0 });
  });

  it("that are refusals go to the topic `security`, and into the journal", async () => {
    await project.refusal("goto", "javascript:alert(1)");
    const told = await project.run("events", "security", "--history", "--for", "200ms", "--json");
    expect(JSON.parse(told.split("\n").find((line) => line.includes('"denied"')) ?? "")).toMatchObject({
      topic: "security",
      data: { event: "denied", command: "goto", reason: "blocked_url" },
    });
    const { entries } = await project.json("journal", "--last", "20");
    expect(entries).toContainEqual(expect.objectContaining({ command: "goto", outcome: "blocked_url" }));
  });
});

describe("the journal", () => {
  it("names what an action was done to so that it can be found again", async () => {
    const { entries } = await project.json("journal");
    const click = (entries as { command: string }[]).find(({ command }) => command === "click");
    expect(click).toMatchObject({
      outcome: "ok",
      elements: [
        { role: "button", name: "Go", locators: ['role=button[name="Go"]', 'testid="go"', 'text="Go"', "#go"] },
      ],
    });
    await project.run("goto", `${site.url}/lively`);
    for (const locator of ['role=button[name="Go"]', 'testid="go"', 'text="Go"', "#go", 'label="Password"']) {
      expect(await project.run("count", locator)).toBe("1");
    }
  });
});

describe("a secret", () => {
  it("that was typed, sent in a header, kept in a cookie or put into an address is in nothing that was written", async () => {
    await project.run("cookie", `session=${SECRETS.cookie}`);
    await project.run("events", "--history", "--for", "1500ms");
    const streamed = [
      await project.run("events", "--history", "--for", "200ms"),
      await project.run("events", "--history", "--for", "200ms", "--json"),
      await project.run("journal"),
      await project.run("console"),
      await project.run("network"),
    ];
    const files = readdirSync(project.stateDir, { recursive: true })
      // What the browser itself keeps, its cookies among it, goes with it.
      .filter((name) => !String(name).startsWith("run/"))
      .map((name) => join(project.stateDir, String(name)))
      .filter((path) => statSync(path).isFile());
    const written = files.map((path) => readFileSync(path, "latin1"));
    expect(files.map((path) => path.slice(project.stateDir.length + 1))).toEqual(
      expect.arrayContaining(["console.jsonl", "network.jsonl", "dialog.jsonl", "journal.jsonl", "daemon.log"]),
    );
    for (const secret of Object.values(SECRETS)) {
      expect([...streamed, ...written].filter((text) => text.includes(secret.replace("Bearer ", "")))).toEqual([]);
    }
  });
});

describe("a daemon that is killed", () => {
  it("has left what it knew a second ago, and its follower says that it is gone", async () => {
    const following = new Following(["console", "--history", "--filter", "level=info"]);
    await project.run("js", "console.info('before the end')");
    await following.until((lines) => lines.length === 1);
    const path = join(project.stateDir, "console.jsonl");
    await expect.poll(() => readFileSync(path, "utf8"), { timeout: 5_000 }).toContain("before the end");
    process.kill(project.daemon()!.pid, "SIGKILL");
    await expect.poll(() => following.stderr, { timeout: 20_000 }).not.toBe("");
    await following.interrupt();
    const { entries } = await project.json("journal");
    expect(entries).toContainEqual(expect.objectContaining({ command: "click", outcome: "ok" }));
  });
});
