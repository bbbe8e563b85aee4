/** What is let through to the driver, and what is left of what is not. */
import { beforeEach, expect, test } from "vitest";
import { type DroppedMessage, MessageBound, type Transport } from "../../../browser/driver/message_bound.ts";

const MAX_BYTES = 5_000;

/** The messages that the driver got, and those that were dropped. */
let got: string[];
let dropped: DroppedMessage[];
let transport: Transport;
let bound: MessageBound;

beforeEach(() => {
  got = [];
  dropped = [];
  // As the driver does it.
  transport = {
    _pendingBuffers: [],
    _dispatch(chunk) {
      const parts = Buffer.concat([...this._pendingBuffers, chunk])
        .toString()
        .split("\0");
      if (parts.some((part) => part.includes("poison"))) {
        this._pendingBuffers.push(chunk);
        throw new Error("Cannot create a string");
      }
      this._pendingBuffers = [Buffer.from(parts.pop() ?? "")];
      got.push(...parts);
    },
  };
  bound = new MessageBound({ transport, maxBytes: MAX_BYTES, onDropped: (message) => dropped.push(message) });
});

function send(text: string, chunkBytes: number): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) bound.take(bytes.subarray(at, at + chunkBytes));
}

const LONG_EVENT = `{"method":"Runtime.consoleAPICalled","params":"${"x".repeat(MAX_BYTES)}","sessionId":"A1"}`;
const LONG_ANSWER = `{"id":17,"result":"${"x".repeat(MAX_BYTES)}","sessionId":"B2"}`;

test.each([1, 7, 300, 4_000])("in pieces of %d bytes, only what is too long is missing", (chunkBytes) => {
  const full = "f".repeat(MAX_BYTES);
  send(`one\0${LONG_EVENT}\0two\0${full}\0${LONG_ANSWER}\0${LONG_EVENT}\0\0three\0`, chunkBytes);
  expect(got).toEqual(["one", "two", full, "", "three"]);
  const event = { method: "Runtime.consoleAPICalled", sessionId: "A1", bytes: LONG_EVENT.length };
  expect(dropped).toEqual([event, { id: 17, sessionId: "B2", bytes: LONG_ANSWER.length }, event]);
  expect(Buffer.concat(transport._pendingBuffers).length).toBe(0);
});

test("what a page has put into a long message is not taken for its session", () => {
  send(`{"method":"A.b","params":${JSON.stringify(`${"x".repeat(MAX_BYTES)}","sessionId":"A1"}`)}}\0`, 100);
  expect(dropped).toMatchObject([{ method: "A.b" }]);
  expect(dropped[0]).not.toHaveProperty("sessionId");
});

test("what the driver cannot take is not kept, and what comes behind it is heard", () => {
  send('{"id":3,"poison":1}\0two\0', 8);
  expect(dropped).toMatchObject([{ id: 3 }]);
  send("three\0", 8);
  expect(got.filter((text) => text !== "")).toEqual(["two", "three"]);
});
