/** What daemons say, for property tests of the clients. */
import fc from "fast-check";
import { frame, PING, PONG, TEXT, UPGRADE } from "./scripted_daemon.ts";

const text = fc.string({ unit: "binary" });

/** JSON as other writers write it: spaces, escapes that are not needed, members that nobody knows. */
const json = fc.func(fc.nat({ max: 9 })).map((choose) => (value: unknown): string => {
  const space = () => ["", " ", "\n", "\t\r"][choose("space") % 4];
  const write = (each: unknown): string => {
    if (typeof each === "string") return choose(each) < 5 ? JSON.stringify(each) : escaped(each);
    if (Array.isArray(each)) return `[${each.map(write).join(`${space()},`)}]`;
    if (typeof each !== "object" || each === null) return JSON.stringify(each);
    const given = Object.entries(each).filter(([, value]) => value !== undefined);
    const members = given.map(([name, value]) => `${write(name)}${space()}:${space()}${write(value)}`);
    return `{${space()}${members.join(`,${space()}`)}${space()}}`;
  };
  return `${space()}${write(value)}${space()}`;
});

function escaped(value: string): string {
  const units = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at).toString(16).padStart(4, "0"));
  return `"${units.map((unit) => `\\u${unit}`).join("")}"`;
}

const result = fc.record({
  stdout: fc.oneof(text, fc.string({ unit: "binary", minLength: 100, size: "large" })),
  stderr: text,
  exitCode: fc.nat({ max: 255 }),
  more: fc.option(fc.jsonValue(), { nil: undefined }),
});
const error = fc.record({
  code: fc.integer(),
  message: text,
  data: fc.option(
    fc.record(
      { kind: fc.constantFrom("timeout", "forbidden", "no_daemon", "invalid_params", "odd"), hint: text },
      { requiredKeys: [] },
    ),
    { nil: undefined },
  ),
});
const answer = fc.oneof(
  { weight: 3, arbitrary: result.map((each) => ({ result: each })) },
  { weight: 1, arbitrary: error.map((each) => ({ error: each })) },
);

const id = fc.constantFrom("1", "1", "1", "2", 1, null);
const notice = fc.oneof(
  fc.record({
    method: fc.constant("output"),
    params: fc.record({ id, stream: fc.constantFrom("stdout", "stderr"), text }),
  }),
  fc.record({ method: fc.constant("log"), params: fc.record({ id, level: text, message: text }) }),
  fc.record({ method: fc.constantFrom("accepted", "progress", "event"), params: fc.record({ id, done: fc.nat() }) }),
  fc.record({ method: fc.jsonValue(), params: fc.jsonValue() }),
  fc.array(fc.jsonValue()),
);

/** As one frame or several, with others between them. */
const framed = fc.record({ cuts: fc.array(fc.nat()), between: fc.uint8Array({ maxLength: 125 }), odd: fc.boolean() });
function frames(
  message: string,
  { cuts, between, odd }: { cuts: number[]; between: Uint8Array; odd: boolean },
): Buffer {
  const whole = Buffer.from(message);
  const ends = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((one, other) => one - other);
  const parts = [...ends, whole.length].map((end, at) => whole.subarray(at === 0 ? 0 : ends[at - 1], end));
  const others = [frame(PING, between), frame(PONG, between), ...(odd ? [frame(3, between), frame(11, between)] : [])];
  return Buffer.concat(
    parts.flatMap((part, at) => [
      frame(at === 0 ? TEXT : 0, part, at === parts.length - 1),
      ...(ends.length ? others : []),
    ]),
  );
}

/** Notifications and an answer to the call of id "1", as bytes. */
export const spoken = fc
  .record({ notices: fc.array(fc.tuple(notice, framed), { maxLength: 4 }), last: fc.tuple(answer, framed), json })
  .map(({ notices, last: [reply, framing], json: write }) =>
    Buffer.concat([
      UPGRADE,
      ...notices.map(([each, how]) => frames(write({ jsonrpc: "2.0", ...each }), how)),
      frames(write({ jsonrpc: "2.0", id: "1", ...reply }), framing),
    ]),
  );

/** Where TCP cuts it. */
export const pieces = fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 30 });
