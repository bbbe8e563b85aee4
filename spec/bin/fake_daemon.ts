/**
 * A daemon of a few lines for the tests of the client: the real lock, state file and wire, and commands that misbehave
 * on purpose. Every start and call is written down in the state folder, so that a test can say what was run how often.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type WebSocket, WebSocketServer } from "ws";
import { createLock, readLock } from "../../security/process/lock_file.ts";
import { identityOf, isAlive } from "../../security/process/process_identity.ts";

interface Request {
  id?: string;
  method: string;
  params: { argv?: string[]; id?: string } & Record<string, unknown>;
}

const stateDir = process.env.BROWSE_STATE_DIR ?? "";
const path = (name: string) => join(stateDir, name);
const linesOf = (name: string) =>
  existsSync(path(name)) ? readFileSync(path(name), "utf8").split("\n").slice(0, -1) : [];
const note = (name: string, value: unknown) => appendFileSync(path(name), `${JSON.stringify(value)}\n`);
/** What happens at start, by the test's wish: `fail`, in a folder that is removed too (`clear`), come `late` to the lock, `linger` on it, or nothing of note. */
const { FAKE_START, FAKE_VERSION = "9.9.9" } = process.env;
const sockets = new Set<WebSocket>();
const self = identityOf(process.pid) ?? { pid: process.pid, startTime: "" };

if (FAKE_START === "clear") rmSync(stateDir, { recursive: true });
if (FAKE_START === "fail" || FAKE_START === "clear") {
  process.stderr.write("Cannot listen on port 1: the system refused it\n    at internal:1:1\n");
  process.exit(7);
}
if (FAKE_START === "late") {
  note("late.jsonl", process.pid);
  await pause(60_000);
}
takeLock();
note("starts.jsonl", process.pid);
/** Counts the daemons of this test, this one included. */
const ordinal = linesOf("starts.jsonl").length;
process.once("SIGTERM", () => end(0));
setTimeout(() => end(0), 60_000).unref();

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, path: "/rpc" }, () => {
  const { port } = server.address() as { port: number };
  const state = {
    ...self,
    port,
    token: "secret",
    startedAt: Date.now(),
    version: FAKE_VERSION,
    protocol: "1.0.0",
  };
  writeFileSync(path("daemon.json.new"), JSON.stringify(state), { mode: 0o600 });
  renameSync(path("daemon.json.new"), path("daemon.json"));
});
server.on("connection", (socket, request) => {
  sockets.add(socket);
  if (request.headers.authorization !== "Bearer secret") return socket.terminate();
  const client = String(request.headers["x-browse-client"]);
  socket.on("message", (text) => answer(socket, client, JSON.parse(String(text))));
});

function answer(socket: WebSocket, client: string, request: Request): void {
  const { id, method, params } = request;
  const argv = params.argv ?? [];
  const sent = linesOf("calls.jsonl").map((line) => JSON.parse(line));
  const isRepeated = sent.some((call) => call.client === client && call.id === id && call.ordinal === ordinal);
  note("calls.jsonl", { ordinal, client, id, method, argv, params });
  const tell = (name: string, more: object = {}) => send(socket, { method: name, params: { id, ...more } });
  const done = (result: object) => send(socket, { id, result });
  const print = (stdout: string, more: object = {}) => done({ stdout, stderr: "", exitCode: 0, ...more });
  if (method === "daemon.handover") {
    done(
      FAKE_START === "stay"
        ? { restarting: false, reason: "a window is open", command: "browse restart" }
        : { restarting: true },
    );
    if (FAKE_START !== "stay") setTimeout(() => end(0), 50);
    return;
  }
  const behaviors: Record<string, () => void> = {
    echo: () => print(`${JSON.stringify(params)}\n`),
    code: () => print("", { stderr: "It failed\n", exitCode: Number(argv.at(-1)) }),
    big: () => print("é".repeat(Number(argv[1]))),
    fragments: () =>
      sendFragments(socket, { jsonrpc: "2.0", id, result: { stdout: "whole\n", stderr: "", exitCode: 0 } }),
    ping: () => {
      socket.once("pong", (payload) => print(`pong ${payload}\n`));
      socket.ping("there?");
    },
    stream: () => {
      tell("output", { stream: "stdout", text: "one\n" });
      tell("output", { stream: "stderr", text: "two\n" });
      tell("log", { level: "info", message: "three" });
      print("four\n");
    },
    flood: () => {
      const flow = setInterval(() => tell("output", { stream: "stdout", text: "line\n".repeat(1000) }), 1);
      socket.once("close", () => clearInterval(flow));
    },
    hang: () => tell("accepted"),
    refuse: () =>
      send(socket, { id, error: { code: -32002, message: "No", data: { kind: "forbidden", hint: "Ask" } } }),
    "die-before": () => (ordinal === 1 ? crash() : print(`daemon ${ordinal}\n`)),
    "die-always": () => crash(),
    "drop-before": () => (isRepeated ? print("answered\n") : socket.terminate()),
    "drop-after": () => {
      if (isRepeated) return print("stored\n");
      tell("accepted");
      setTimeout(() => socket.terminate(), 20);
    },
    "die-after": () => {
      tell("accepted");
      setTimeout(crash, 20);
    },
    stop: () => {
      print("Stopped\n");
      end(0);
    },
  };
  (
    behaviors[argv.find((word) => Object.hasOwn(behaviors, word)) ?? ""] ??
    (() => print("", { exitCode: 2, stderr: "Unknown\n" }))
  )();
}

function send(socket: WebSocket, message: object): void {
  socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
}

function sendFragments(socket: WebSocket, message: object): void {
  const text = JSON.stringify(message);
  for (let at = 0; at < text.length; at++) socket.send(text.charAt(at), { fin: at === text.length - 1 });
}

/** Exclusive for the life of the process; a live holder means that there is nothing to do here. */
function takeLock(): void {
  while (createLock(path("daemon.lock"), self) === undefined) {
    const holder = readLock(path("daemon.lock"))?.holder;
    if (holder && isAlive(holder)) process.exit(0);
    rmSync(path("daemon.lock"), { force: true });
  }
}

function crash(): void {
  process.kill(process.pid, "SIGKILL");
}

function end(exitCode: number): void {
  rmSync(path("daemon.json"), { force: true });
  rmSync(path("daemon.lock"), { force: true });
  for (const socket of sockets) socket.close();
  setTimeout(() => process.exit(exitCode), 10);
}
