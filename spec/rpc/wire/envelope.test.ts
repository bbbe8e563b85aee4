import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guardMessage } from "../../../rpc/wire/envelope.ts";
import { startWire } from "./wire.ts";

const request = { jsonrpc: "2.0", id: 1, method: "echo", params: { text: "hi" } };

function codeOf(message: unknown): number | undefined {
  const guarded = guardMessage(JSON.stringify(message));
  return guarded.batch ? undefined : guarded.item.refusal?.error.code;
}

function codeOfText(text: string): number | undefined {
  const guarded = guardMessage(text);
  return guarded.batch ? undefined : guarded.item.refusal?.error.code;
}

function idOf(message: unknown): unknown {
  const guarded = guardMessage(JSON.stringify(message));
  return guarded.batch ? undefined : guarded.item.refusal?.id;
}

describe("The envelope guard", () => {
  test("lets a request through as it is", () => {
    expect(guardMessage(JSON.stringify(request))).toEqual({ batch: false, item: { request } });
    const longest = { ...request, id: "x".repeat(128) };
    expect(guardMessage(JSON.stringify(longest))).toEqual({ batch: false, item: { request: longest } });
  });

  test.each(["", "{", "{}}", "nul", "\u0000", "[1,", "'a'"])("answers %j with a parse error", (text) => {
    expect(codeOfText(text)).toBe(-32700);
  });

  test.each([
    ["null", null],
    ["a number", 5],
    ["a string", "echo"],
    ["an empty object", {}],
    ["an empty batch", []],
    ["51 items", new Array(51).fill(request)],
    ["another version", { ...request, jsonrpc: "1.0" }],
    ["no version", { id: 1, method: "echo" }],
    ["no method", { jsonrpc: "2.0", id: 1 }],
    ["an empty method", { ...request, method: "" }],
    ["a number for a method", { ...request, method: 7 }],
    ["string params", { ...request, params: "text" }],
    ["params by position", { ...request, params: ["hi"] }],
    ["null params", { ...request, params: null }],
    ["an unknown member", { ...request, extra: 1 }],
    ["a member called constructor", { ...request, constructor: 1 }],
    ["a response", { jsonrpc: "2.0", id: 1, result: {} }],
  ])("refuses %s", (_what, message) => {
    expect(codeOf(message)).toBe(-32600);
  });

  test("refuses a member called __proto__", () => {
    expect(codeOfText('{"jsonrpc":"2.0","id":1,"method":"echo","__proto__":{"a":1}}')).toBe(-32600);
  });

  test.each([[null], [{}], [[]], [true], [1.5], [2 ** 53], [""], ["x".repeat(129)]])(
    "refuses the id %j and answers with null",
    (id) => {
      expect(codeOf({ ...request, id })).toBe(-32600);
      expect(idOf({ ...request, id })).toBeNull();
    },
  );

  test("answers with the id where that is valid", () => {
    expect(idOf({ ...request, id: "mine", params: [] })).toBe("mine");
    expect(idOf({ ...request, id: 0, params: [] })).toBe(0);
  });

  test("refuses what is wrong in a batch item by item, nested batches among it", () => {
    const guarded = guardMessage(JSON.stringify([request, null, [request], { ...request, id: {} }]));
    const codes = guarded.batch && guarded.items.map(({ refusal }) => refusal?.error.code);
    expect(codes).toEqual([undefined, -32600, -32600, -32600]);
  });

  test("counts no brackets within strings", () => {
    const text = `\\"${"[{".repeat(100)}"\\`;
    expect(guardMessage(JSON.stringify({ ...request, params: { text } })).batch).toBe(false);
    expect(codeOf({ ...request, params: { text } })).toBeUndefined();
  });

  test("refuses deep nesting without walking to its bottom", () => {
    const depth = 1_000_000;
    expect(codeOfText("[".repeat(depth) + "]".repeat(depth))).toBe(-32600);
    const nested = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    expect(codeOfText(`{"jsonrpc":"2.0","id":1,"method":"echo","params":${nested}}`)).toBe(-32600);
  });
});

/** Frames that are wrong in some way: broken text, wrong shapes, requests with one member spoiled. */
const malformed: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }).filter((text) => !isJson(text)),
  fc.json().filter((text) => !isRequestLike(JSON.parse(text))),
  fc
    .tuple(fc.constantFrom("jsonrpc", "id", "method", "params"), fc.jsonValue())
    .map(([member, value]) => ({ ...request, [member]: value }))
    .filter((message) => !isWellFormed(message))
    .map((message) => JSON.stringify(message)),
  fc
    .tuple(fc.string({ minLength: 1 }), fc.jsonValue())
    .filter(([member]) => !Object.hasOwn(request, member) && member !== "__proto__")
    .map(([member, value]) => JSON.stringify({ ...request, [member]: value })),
  fc
    .constantFrom("__proto__", "constructor", "toString")
    .map((member) => `{"jsonrpc":"2.0","id":1,"method":"echo","${member}":1}`),
);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isRequestLike(value: unknown): boolean {
  return (Array.isArray(value) ? value : [value]).some(
    (item) => typeof item === "object" && item !== null && item.jsonrpc === "2.0",
  );
}

function isWellFormed({ jsonrpc, id, method, params }: Record<string, unknown>): boolean {
  const isId = Number.isSafeInteger(id) || (typeof id === "string" && id.length >= 1 && id.length <= 128);
  const isMethod = typeof method === "string" && method.length >= 1 && method.length <= 128;
  const isParams = typeof params === "object" && params !== null && !Array.isArray(params);
  return jsonrpc === "2.0" && isId && isMethod && isParams;
}

test("10,000 malformed frames are each refused, and none throws", () => {
  fc.assert(
    fc.property(malformed, (frame) => {
      const guarded = guardMessage(frame);
      const items = guarded.batch ? guarded.items : [guarded.item];
      for (const { request: passed, refusal } of items) {
        expect(passed).toBeUndefined();
        expect([-32700, -32600]).toContain(refusal?.error.code);
      }
    }),
    { numRuns: 10_000 },
  );
});

test("10,000 malformed frames leave the listener serving the same connection", async () => {
  await using wire = await startWire();
  const client = await wire.connect();
  const frames = fc.sample(malformed, 10_000);
  for (const frame of frames) client.send(frame);
  const answer = await client.call("echo", { text: "still here" }, "last");
  expect(answer.result).toEqual({ text: "still here" });
  const answers = client.messages.filter(({ method }) => method === undefined);
  expect(answers).toHaveLength(frames.length);
  const refusals = answers.flat() as unknown as { error?: { code: number } }[];
  expect(refusals.every(({ error }) => error?.code === -32700 || error?.code === -32600)).toBe(true);
  expect(wire.seen).toHaveLength(1);
});
