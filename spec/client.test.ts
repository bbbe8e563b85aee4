import { fork } from "node:child_process";
import { once } from "node:events";
import { symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connect } from "../client.ts";
import { identityOf } from "../security/process/process_identity.ts";
import { FakeDaemon, notify, type Request } from "./harness/fake_daemon.ts";
import { StateFolder } from "./harness/state_folder.ts";

let stateFolder: StateFolder;
beforeEach(() => {
  stateFolder = new StateFolder();
});
afterEach(() => stateFolder.remove());

test("a url without a token is refused, and no other daemon is used in its place", async () => {
  await using daemon = await FakeDaemon.listen();
  stateFolder.runs(daemon);
  await expect(connect({ url: "ws://127.0.0.1:1/rpc" })).rejects.toMatchObject({ kind: "invalid_params" });
});

test("a daemon that nobody can reach is an error of the caller's, and never ends its process", async () => {
  await expect(connect({ url: "ws://127.0.0.1:9/rpc", token: "x" })).rejects.toMatchObject({ kind: "browser_gone" });
});

test.each<[string, (port: number, token: string) => void]>([
  [
    "of a process that did not write it",
    (port, token) => stateFolder.write({ pid: 1, startTime: "guessed", port, token }),
  ],
  ["that others may read", (port, token) => stateFolder.write({ ...identityOf(process.pid), port, token }, 0o644)],
  [
    "that is a link",
    (port, token) => {
      writeFileSync(join(stateFolder.path, "planted"), JSON.stringify({ ...identityOf(process.pid), port, token }), {
        mode: 0o600,
      });
      symlinkSync("planted", join(stateFolder.path, "daemon.json"));
    },
  ],
])("a state file %s leads to no daemon", async (_what, plant) => {
  await using daemon = await FakeDaemon.listen();
  plant(daemon.port, daemon.token);
  await expect(connect({ start: false })).rejects.toMatchObject({ kind: "no_daemon" });
  expect(daemon.protocols).toEqual([]);
});

test("a state folder below ~ is looked for in the home folder", async () => {
  await using daemon = await FakeDaemon.listen();
  stateFolder.runs(daemon);
  vi.stubEnv("HOME", dirname(stateFolder.path));
  vi.stubEnv("BROWSE_STATE_DIR", ` ~/${basename(stateFolder.path)} `);
  await using browse = await connect();
  await browse.call("url");
  expect(daemon.sent("url")).toHaveLength(1);
});

test("it finds the project's daemon and shows its token as a subprotocol", async () => {
  await using daemon = await FakeDaemon.listen();
  stateFolder.runs(daemon);
  await using browse = await connect({ session: "work" });
  await browse.call("url");
  expect(daemon.protocols[0]).toMatch(/^browse\.v1, bearer\.one, client\.[\w.-]{8,64}$/);
  expect(daemon.sent("session.hello")[0]?.params).toMatchObject({ session: "work", cwd: process.cwd() });
});

test("commands are methods, in camel case, with their params and options", async () => {
  await using daemon = await FakeDaemon.listen();
  daemon.answer = ({ method }) => ({ said: method });
  await using browse = await connect(daemon);
  const methods = browse as unknown as Record<string, (params?: object, options?: object) => Promise<unknown>>;
  expect(await methods.dialogAccept?.({ text: "x" }, { tab: "t3", timeoutMs: 5 })).toEqual({ said: "dialog-accept" });
  expect(daemon.requests.at(-1)?.params).toEqual({ text: "x", tab: "t3", timeoutMs: 5 });
});

test("a tab that is named among the params, as on the wire, is the one that is meant", async () => {
  await using daemon = await FakeDaemon.listen();
  await using browse = await connect(daemon);
  await browse.call("click", { target: "@e1", tab: "t3", session: "work" });
  await browse.batch([{ method: "click", params: { target: "@e1", tab: "t4" } }]);
  expect(daemon.sent("click").map(({ params }) => params)).toEqual([
    { target: "@e1", tab: "t3", session: "work" },
    { target: "@e1", tab: "t4" },
  ]);
});

test("an error says in its stack where the call was made", async () => {
  await using daemon = await FakeDaemon.listen();
  daemon.answer = () =>
    new Error("", { cause: { code: -32013, message: "Nothing matches", data: { kind: "not_found" } } });
  await using browse = await connect({ url: daemon.url, token: "one" });
  async function pressSave() {
    await browse.click({ target: "text=Save" });
  }
  const { stack = "" } = (await pressSave().catch((error: Error) => error)) as Error;
  expect(stack).toMatch(/^BrowseError: Nothing matches\n/);
  expect(stack).toMatch(/at pressSave .*client\.test\.ts/);
});

test("an error keeps its kind, hint and details", async () => {
  await using daemon = await FakeDaemon.listen();
  const data = { kind: "stale_ref", hint: "Look again", ref: "@e1" };
  daemon.answer = () => new Error("", { cause: { code: -32010, message: "Gone", data } });
  await using browse = await connect(daemon);
  const failure = {
    name: "BrowseError",
    kind: "stale_ref",
    message: "Gone",
    hint: "Look again",
    details: { ref: "@e1" },
  };
  await expect(browse.call("click")).rejects.toMatchObject(failure);
});

test("log and progress of a call reach its caller", async () => {
  await using daemon = await FakeDaemon.listen();
  daemon.answer = ({ id }, socket) => {
    notify(socket, "log", { id, level: "info", message: "hm" });
    notify(socket, "progress", { id, done: 1, total: 2 });
    return {};
  };
  await using browse = await connect(daemon);
  const seen: unknown[] = [];
  await browse.call(
    "pdf",
    {},
    { onLog: ({ message }) => seen.push(message), onProgress: ({ done }) => seen.push(done) },
  );
  expect(seen).toEqual(["hm", 1]);
});

test("an aborted call is cancelled in the daemon too", async () => {
  await using daemon = await FakeDaemon.listen();
  const controller = new AbortController();
  daemon.answer = ({ method }) => {
    if (method === "wait") controller.abort();
    return undefined;
  };
  await using browse = await connect(daemon);
  await expect(browse.call("wait", {}, { signal: controller.signal })).rejects.toMatchObject({ kind: "cancelled" });
  await expect.poll(() => daemon.sent("call.cancel")[0]?.params).toEqual({ id: daemon.sent("wait")[0]?.id });
});

test("one failure in a batch stops no other call", async () => {
  await using daemon = await FakeDaemon.listen();
  const failure = new Error("", { cause: { code: 1, message: "No", data: { kind: "not_found" } } });
  daemon.answer = ({ method }) => (method === "click" ? failure : { said: method });
  await using browse = await connect(daemon);
  const answers = await browse.batch([{ method: "url" }, { method: "click" }, { method: "title" }]);
  expect(answers).toMatchObject([
    { result: { said: "url" } },
    { error: { kind: "not_found" } },
    { result: { said: "title" } },
  ]);
  await expect(browse.batch(Array(51).fill({ method: "url" }))).rejects.toMatchObject({ kind: "invalid_params" });
});

test("a call whose connection breaks is asked for again under its id, as the same client", async () => {
  await using daemon = await FakeDaemon.listen();
  daemon.answer = ({ id }, socket) => {
    if (daemon.sent("click").length > 1) return { ran: "once" };
    notify(socket, "accepted", { id });
    setImmediate(() => socket.terminate());
    return undefined;
  };
  await using browse = await connect(daemon);
  expect(await browse.call("click")).toEqual({ ran: "once" });
  const [first, second] = daemon.sent("click");
  expect(second).toEqual(first);
  expect(daemon.protocols[1]).toBe(daemon.protocols[0]);
});

test("a new daemon is sent what the old one had not accepted, and nothing else", async () => {
  await using next = await FakeDaemon.listen("two");
  next.answer = ({ method }) => ({ said: method });
  await using daemon = await FakeDaemon.listen("one");
  stateFolder.runs(daemon);
  daemon.answer = ({ id, method }, socket) => {
    if (method === "click") notify(socket, "accepted", { id });
    if (method === "text") {
      stateFolder.runs(next);
      setImmediate(() => daemon.dropAll());
    }
    return undefined;
  };
  await using browse = await connect();
  const [click, text] = await Promise.allSettled([browse.call("click"), browse.call("text")]);
  expect(click).toMatchObject({ status: "rejected", reason: { kind: "outcome_unknown" } });
  expect(text).toMatchObject({ status: "fulfilled", value: { said: "text" } });
  expect(next.sent("click")).toEqual([]);
});

test("a daemon that is gone for good fails what waits for it, and does not hang", async () => {
  const daemon = await FakeDaemon.listen();
  daemon.answer = () => {
    void daemon[Symbol.asyncDispose]();
    return undefined;
  };
  await using browse = await connect(daemon);
  await expect(browse.call("text")).rejects.toMatchObject({ kind: "browser_gone" });
});

test("a daemon that says nothing is not waited for longer than the call may take, and never counts as undone", async () => {
  await using daemon = await FakeDaemon.listen();
  daemon.answer = ({ id, method }, socket) => {
    if (method === "click") notify(socket, "accepted", { id });
    return undefined;
  };
  await using browse = await connect(daemon);
  const [text, click] = await Promise.allSettled([
    browse.call("text", {}, { timeoutMs: 50 }),
    browse.call("click", {}, { timeoutMs: 60 }),
  ]);
  expect(text).toMatchObject({ reason: { kind: "timeout", message: expect.stringContaining("may or may not have") } });
  expect(click).toMatchObject({ reason: { kind: "outcome_unknown" } });
  await vi.waitFor(() => expect(daemon.sent("call.cancel")).toHaveLength(2));
});

test("a daemon that says anything is waited for: it keeps to its calls' time by itself", async () => {
  await using daemon = await FakeDaemon.listen();
  daemon.answer = ({ id }, socket) => {
    let words = 0;
    const timer = setInterval(() => {
      notify(socket, "progress", { id: "another", done: ++words });
      if (words < 5) return;
      clearInterval(timer);
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: { late: true } }));
    }, 500);
    return undefined;
  };
  await using browse = await connect(daemon);
  expect(await browse.call("text", {}, { timeoutMs: 50 })).toEqual({ late: true });
});

test("no daemon at all, where none is to be started, is told at once, with what to run", async () => {
  await expect(connect({ start: false })).rejects.toMatchObject({
    kind: "no_daemon",
    hint: expect.stringContaining("browse start"),
  });
});

test("closing ends calls and streams", async () => {
  await using daemon = await FakeDaemon.listen();
  daemon.answer = ({ method }) => (method === "wait" ? undefined : { subscription: "s", cursor: {} });
  const controller = new AbortController();
  const browse = await connect({ ...{ url: daemon.url, token: daemon.token }, signal: controller.signal });
  const call = browse.call("wait");
  const stream = browse.events(["page"]).next();
  await expect.poll(() => daemon.sent("events.subscribe")).toHaveLength(1);
  controller.abort();
  await expect(call).rejects.toMatchObject({ kind: "cancelled" });
  expect(await stream).toMatchObject({ done: true });
  await expect(browse.call("url")).rejects.toMatchObject({ kind: "cancelled" });
});

test("a child process may talk over IPC, with no token", async () => {
  const child = fork(join(import.meta.dirname, "bin/fake_ipc_client.ts"), {
    env: { ...process.env, BROWSE_IPC: "1" },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  child.on("message", (text: string) => {
    const { id, method } = JSON.parse(text) as Request;
    const result = method === "session.hello" ? { protocol: "1.0.0" } : { url: "about:blank" };
    child.send(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  const [printed] = await once(child.stdout as NodeJS.EventEmitter, "data");
  expect(String(printed)).toBe("about:blank\n");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("calls that nobody waits for end no program when it closes the connection, and what had begun is not denied", async () => {
  await using daemon = await FakeDaemon.listen();
  daemon.answer = ({ id, method }, socket) => {
    if (method === "click") notify(socket, "accepted", { id });
    return method === "url" ? {} : undefined;
  };
  const browse = await connect(daemon);
  const ended: unknown[] = [];
  const onUnhandled = (error: unknown) => void ended.push(error);
  process.on("unhandledRejection", onUnhandled);
  const pressed = browse.call("click", { target: "@e1" });
  void browse.call("text");
  await browse.call("url");
  await browse.close();
  await expect(pressed).rejects.toMatchObject({ kind: "outcome_unknown", message: expect.stringContaining("closed") });
  await new Promise(setImmediate);
  process.off("unhandledRejection", onUnhandled);
  expect(ended).toEqual([]);
});
