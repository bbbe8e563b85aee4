/** Events as the SDK hands them on: in order, over lost connections and new daemons, with a word for what is missing. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { connect, type EventItem } from "../client.ts";
import { FakeDaemon, notify } from "./harness/fake_daemon.ts";
import { StateFolder } from "./harness/state_folder.ts";

let stateFolder: StateFolder;
beforeEach(() => {
  stateFolder = new StateFolder();
});
afterEach(() => stateFolder.remove());

test("events come in order, go on after a lost connection where they were, and say what is missing", async () => {
  await using daemon = await FakeDaemon.listen();
  daemon.answer = ({ method, params }, socket) => {
    if (method !== "events.subscribe") return {};
    const subscription = `s${daemon.sent(method).length}`;
    const tell = (name: string, more: object) => notify(socket, name, { subscription, topic: "console", ...more });
    const event = (seq: number) => tell("event", { seq, time: "now", data: { seq } });
    // All in one tick, so that the first event is in the same packet as the answer.
    process.nextTick(() => {
      if (subscription === "s1") {
        event(8);
        setImmediate(() => socket.terminate());
      } else {
        expect(params.since).toEqual({ console: 8 });
        tell("gap", { dropped: 2, from: 9, to: 10 });
        event(11);
      }
    });
    return { subscription, cursor: { console: 7 } };
  };
  await using browse = await connect(daemon);
  const seen: EventItem[] = [];
  for await (const item of browse.events(["console"], { filter: { level: "error" } })) {
    seen.push(item);
    if (seen.length === 3) break;
  }
  expect(seen).toMatchObject([
    { type: "event", seq: 8 },
    { type: "gap", dropped: 2, from: 9, to: 10 },
    { type: "event", seq: 11 },
  ]);
  expect(daemon.sent("events.subscribe")[1]?.params).toMatchObject({ filter: { level: "error" } });
  await expect.poll(() => daemon.sent("events.unsubscribe")).toMatchObject([{ params: { subscription: "s2" } }]);
});

test("events of a new daemon follow the word that it is one", async () => {
  await using next = await FakeDaemon.listen("two");
  await using daemon = await FakeDaemon.listen("one");
  stateFolder.runs(daemon);
  const subscribed = (from: FakeDaemon, socket: WebSocket, then: () => void) => {
    process.nextTick(() => {
      notify(socket, "event", { subscription: "s", topic: "page", seq: 1, time: "now", data: { token: from.token } });
      then();
    });
    return { subscription: "s", cursor: { page: 0 } };
  };
  daemon.answer = (_, socket) => {
    stateFolder.runs(next);
    return subscribed(daemon, socket, () => setImmediate(() => daemon.dropAll()));
  };
  next.answer = ({ method }, socket) => (method === "events.subscribe" ? subscribed(next, socket, () => {}) : {});
  await using browse = await connect();
  const seen: EventItem[] = [];
  for await (const item of browse.events(["page"])) {
    seen.push(item);
    if (seen.length === 3) break;
  }
  expect(seen).toMatchObject([{ data: { token: "one" } }, { type: "restart" }, { data: { token: "two" } }]);
});

test("a slow reader is told how many events it missed, and the newest are kept", async () => {
  await using daemon = await FakeDaemon.listen();
  daemon.answer = ({ method }, socket) => {
    if (method === "done") return {};
    process.nextTick(() => {
      for (let seq = 1; seq <= 10_003; seq++) {
        notify(socket, "event", { subscription: "s", topic: "page", seq, time: "now", data: {} });
      }
    });
    return { subscription: "s", cursor: { page: 0 } };
  };
  await using browse = await connect(daemon);
  const events = browse.events(["page"]);
  expect((await events.next()).value).toMatchObject({ seq: 1 });
  await browse.call("done");
  const { value: gap } = await events.next();
  expect(gap).toMatchObject({ type: "gap", topic: "page", from: 2 });
  expect((await events.next()).value).toMatchObject({ type: "event", seq: gap?.type === "gap" ? gap.to + 1 : 0 });
});
