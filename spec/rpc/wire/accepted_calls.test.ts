import { describe, expect, test } from "vitest";
import type { RequestId } from "../../../rpc/protocol.ts";
import { AcceptedCalls, type CallPeer, ReusedIdError, type RunningCall } from "../../../rpc/wire/accepted_calls.ts";
import { startWire } from "./wire.ts";

const act = (key: string, id: RequestId = 1) => ({ jsonrpc: "2.0", id, method: "act", params: { key } }) as const;

describe("After a reconnect", () => {
  test("the same id gets the running action's answer, and nothing runs twice", async () => {
    await using wire = await startWire();
    const first = await wire.connect({ instance: "one" });
    first.send(act("a"));
    await first.notification("accepted");
    await wire.gate.arrival("a");
    first.socket.terminate();
    const second = await wire.connect({ instance: "one" });
    second.send(act("a"));
    expect(await second.notification("accepted")).toEqual({ id: 1 });
    wire.gate.release("a");
    expect((await second.answer(1)).result).toEqual({ key: "a", ran: 1 });
    expect(wire.acted.get("a")).toBe(1);
  });

  test("the same id gets the stored answer of an action that ended meanwhile", async () => {
    await using wire = await startWire();
    const first = await wire.connect({ instance: "one" });
    first.send(act("a"));
    await wire.gate.arrival("a");
    first.socket.terminate();
    wire.gate.release("a");
    const second = await wire.connect({ instance: "one" });
    expect((await second.call("act", { key: "a" }, 1)).result).toEqual({ key: "a", ran: 1 });
    expect((await second.call("act", { key: "a" }, 1)).result).toEqual({ key: "a", ran: 1 });
  });

  test("what the running action has to say goes to the newest connection", async () => {
    await using wire = await startWire();
    const first = await wire.connect({ instance: "one" });
    first.send(act("a"));
    await wire.gate.arrival("a");
    const second = await wire.connect({ instance: "one" });
    second.send(act("a"));
    await second.notification("accepted");
    wire.seen[0]!.options.notify?.log("warning", "Only for you");
    expect(await second.notification("log")).toMatchObject({ message: "Only for you" });
    wire.gate.release("a");
    await Promise.all([first.answer(1), second.answer(1)]);
    expect(JSON.stringify(first.messages)).not.toContain("Only for you");
  });

  test("what ends with its caller ends when nobody comes back, and is not begun anew", async () => {
    const calls = new AcceptedCalls({ returnMs: 1 });
    let began = 0;
    const { promise: accepted, resolve: accept } = Promise.withResolvers<void>();
    const work = async (call: RunningCall) => {
      began++;
      call.endsWithCaller = true;
      await call.accept();
      accept();
      await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
      return String(call.signal.reason.message);
    };
    const peer: CallPeer = { notify: async () => undefined };
    const answer = calls.run("one", act("a"), peer, work);
    await accepted;
    calls.release(peer);
    expect(await answer).toBe("The caller went away, and what it ran was ended");
    expect(await calls.run("one", act("a"), peer, work)).toBe(await answer);
    expect(began).toBe(1);
  });

  test("the same id with other params, or another method, is refused", async () => {
    await using wire = await startWire();
    const first = await wire.connect({ instance: "one" });
    first.send(act("a"));
    await wire.gate.arrival("a");
    const second = await wire.connect({ instance: "one" });
    expect((await second.call("act", { key: "b" }, 1)).error?.code).toBe(-32600);
    wire.gate.release("a");
    await first.answer(1);
    expect((await second.call("act", { key: "b" }, 1)).error?.code).toBe(-32600);
    expect((await second.call("hold", { key: "a" }, 1)).error?.code).toBe(-32600);
    expect(wire.acted).toEqual(new Map([["a", 1]]));
  });

  test("a read that was cut off runs anew", async () => {
    await using wire = await startWire();
    const first = await wire.connect({ instance: "one" });
    first.send({ jsonrpc: "2.0", id: 1, method: "hold", params: { key: "a" } });
    await wire.gate.arrival("a");
    first.socket.terminate();
    const second = await wire.connect({ instance: "one" });
    while (wire.server.connectionCount > 1) await second.call("echo", { text: "x" }, "poll");
    second.send({ jsonrpc: "2.0", id: 1, method: "hold", params: { key: "b" } });
    await wire.gate.arrival("b");
    wire.gate.release("b");
    expect((await second.answer(1)).result).toEqual({ key: "b" });
  });

  test("another client process with the same id is served for itself", async () => {
    await using wire = await startWire();
    const [one, two] = [await wire.connect({ instance: "one" }), await wire.connect({ instance: "two" })];
    one.send(act("a"));
    two.send(act("b"));
    await Promise.all([wire.gate.arrival("a"), wire.gate.arrival("b")]);
    wire.gate.release("a");
    wire.gate.release("b");
    expect((await one.answer(1)).result).toEqual({ key: "a", ran: 1 });
    expect((await two.answer(1)).result).toEqual({ key: "b", ran: 1 });
  });

  test("the action can be cancelled from the new connection", async () => {
    await using wire = await startWire();
    const first = await wire.connect({ instance: "one" });
    first.send(act("a"));
    await wire.gate.arrival("a");
    first.socket.terminate();
    const second = await wire.connect({ instance: "one" });
    second.send(act("a"));
    second.send({ jsonrpc: "2.0", method: "call.cancel", params: { id: 1 } });
    expect((await second.answer(1)).error?.data.kind).toBe("cancelled");
  });
});

/** A peer under the test's control. */
class FakePeer implements CallPeer {
  readonly told: string[] = [];
  #take: () => void = () => {};
  #fail: (error: Error) => void = () => {};

  notify(method: string): Promise<void> {
    this.told.push(method);
    return new Promise((resolve, reject) => {
      this.#take = resolve;
      this.#fail = reject;
    });
  }

  take(): void {
    this.#take();
  }

  fail(): void {
    this.#fail(new Error("closed"));
  }
}

describe("An action", () => {
  async function acceptedThen(call: RunningCall): Promise<string> {
    try {
      await call.accept();
      return "ran";
    } catch {
      return "did not run";
    }
  }

  test("does not begin before the socket has taken its announcement", async () => {
    const calls = new AcceptedCalls();
    const peer = new FakePeer();
    let hasBegun = false;
    const answer = calls.run("c", act("a"), peer, async (call) => {
      const outcome = await acceptedThen(call);
      hasBegun = true;
      return outcome;
    });
    await Promise.resolve();
    expect([peer.told, hasBegun]).toEqual([["accepted"], false]);
    peer.take();
    expect(await answer).toBe("ran");
  });

  test("does not begin when its client went away first, and may be asked for anew", async () => {
    const calls = new AcceptedCalls();
    const [peer, again] = [new FakePeer(), new FakePeer()];
    const answer = calls.run("c", act("a"), peer, acceptedThen);
    calls.release(peer);
    peer.fail();
    expect(await answer).toBe("did not run");
    const second = calls.run("c", act("a"), again, acceptedThen);
    again.take();
    expect(await second).toBe("ran");
  });

  test("is announced to a client that reconnected while the first announcement was under way", async () => {
    const calls = new AcceptedCalls();
    const [peer, again] = [new FakePeer(), new FakePeer()];
    const answer = calls.run("c", act("a"), peer, acceptedThen);
    const joined = calls.run("c", act("a"), again, acceptedThen);
    calls.release(peer);
    peer.fail();
    while (again.told.length === 0) await Promise.resolve();
    again.take();
    expect(await Promise.all([answer, joined])).toEqual(["ran", "ran"]);
  });
});

describe("A question", () => {
  test("that is not answered yet is asked again when the client comes back on another connection", async () => {
    const calls = new AcceptedCalls();
    const [peer, again] = [new FakePeer(), new FakePeer()];
    const asked = calls.run("c", act("a"), peer, async (call) => `${await call.ask("Sure?")}`);
    peer.take();
    const joined = calls.run("c", act("a"), again, async () => "not run twice");
    expect([peer.told, again.told]).toEqual([["ask"], ["ask"]]);
    calls.release(peer);
    calls.reply("c", 1, "y");
    expect(await Promise.all([asked, joined])).toEqual(["y", "y"]);
  });

  test("that was answered is not", async () => {
    const calls = new AcceptedCalls();
    const [peer, again] = [new FakePeer(), new FakePeer()];
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const answer = calls.run("c", act("a"), peer, async (call) => {
      const reply = `${await call.ask("Sure?")}`;
      await ended;
      return reply;
    });
    peer.take();
    calls.reply("c", 1, "y");
    await new Promise((resolve) => setImmediate(resolve));
    const joined = calls.run("c", act("a"), again, async () => "not run twice");
    end();
    expect([await answer, await joined, again.told]).toEqual(["y", "y", []]);
  });
});

describe("Stored answers", () => {
  const peer: CallPeer = { notify: async () => {} };
  async function runOnce(calls: AcceptedCalls, id: number, answer: string): Promise<string> {
    return await calls.run("c", act("a", id), peer, async (call) => {
      await call.accept();
      return answer;
    });
  }

  test("are at most 1,000, the oldest going first", async () => {
    const calls = new AcceptedCalls();
    for (let id = 0; id <= 1_000; id++) await runOnce(calls, id, `first ${id}`);
    expect(await runOnce(calls, 1, "second")).toBe("first 1");
    expect(await runOnce(calls, 0, "second")).toBe("second");
  });

  test("are at most 16 MB in all", async () => {
    const calls = new AcceptedCalls();
    const large = "x".repeat(6 * 1024 * 1024);
    for (let id = 0; id < 3; id++) await runOnce(calls, id, large);
    expect(await runOnce(calls, 0, "second")).toBe("second");
    expect(await runOnce(calls, 2, "second")).toBe(large);
  });

  test("that are larger than all room together leave a note that the call ran", async () => {
    const calls = new AcceptedCalls();
    await runOnce(calls, 1, "x".repeat(17 * 1024 * 1024));
    expect(JSON.parse(await runOnce(calls, 1, "second"))).toMatchObject({
      id: 1,
      error: { data: { kind: "too_large" } },
    });
  });

  test("are not given for another request", async () => {
    const calls = new AcceptedCalls();
    await runOnce(calls, 1, "first");
    expect(() => calls.run("c", act("b", 1), peer, async () => "")).toThrow(ReusedIdError);
    expect(calls.runningCount).toBe(0);
  });
});
