/** A reader that loses its connection, or its life, and comes back: nothing is missing then, and nothing comes twice. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { connect } from "../../../client.ts";
import { SECRET, startWire, type Wire } from "./wire.ts";

const sockets = new Set<WebSocket>();
let wire: Wire;

beforeEach(async () => {
  const { handleUpgrade } = WebSocketServer.prototype;
  vi.spyOn(WebSocketServer.prototype, "handleUpgrade").mockImplementation(function (
    this: WebSocketServer,
    request,
    stream,
    head,
    done,
  ) {
    handleUpgrade.call(this, request, stream, head, (socket, from) => {
      sockets.add(socket);
      done(socket, from);
    });
  });
  wire = await startWire();
});
afterEach(async () => {
  await wire[Symbol.asyncDispose]();
  sockets.clear();
  vi.restoreAllMocks();
});

/** Cuts every connection, without a word of farewell. */
function cut(): void {
  for (const socket of sockets) socket.terminate();
  sockets.clear();
}

const Steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ publish: fc.integer({ min: 1, max: 30 }) }) },
    { weight: 1, arbitrary: fc.constant("cut" as const) },
    { weight: 1, arbitrary: fc.constant("let it be read" as const) },
  ),
  { minLength: 1, maxLength: 25 },
);

test("whenever the connection is cut, every event comes once and in order", async () => {
  await fc.assert(
    fc.asyncProperty(Steps, async (steps) => {
      await using browse = await connect({ url: wire.url, token: SECRET });
      const events = browse.events(["page"], { since: wire.hub.history({ topics: ["page"] }).cursor });
      const first = (wire.hub.history({ topics: ["page"] }).cursor.page ?? 0) + 1;
      let published = 0;
      const seen: unknown[] = [];
      const read = async () => {
        const { value } = await events.next();
        seen.push(value?.type === "event" ? value.seq : value);
      };
      for (const step of steps) {
        if (step === "cut") cut();
        else if (step === "let it be read") while (seen.length < published) await read();
        else for (let n = 0; n < step.publish; n++, published++) wire.hub.publish("page", {});
      }
      while (seen.length < published) await read();
      expect(seen).toEqual(Array.from({ length: published }, (_, index) => first + index));
      await events.return(undefined);
    }),
    { numRuns: 20 },
  );
});

test("a reader that is killed again and again goes on after the last number it wrote down", async () => {
  const dir = mkdtempSync(join(tmpdir(), "browse-follower-"));
  const file = join(dir, "seen");
  writeFileSync(file, "");
  const seen = () => readFileSync(file, "utf8").split("\n").slice(0, -1).map(Number);
  const publishing = setInterval(() => wire.hub.publish("page", {}), 1);
  let child: ChildProcess | undefined;
  try {
    for (const goal of [40, 90, 150]) {
      const program = join(import.meta.dirname, "../events/programs/follower.ts");
      child = spawn(process.execPath, [program, wire.url, SECRET, file, String(seen().at(-1) ?? 0)], {
        stdio: "inherit",
      });
      const written = watch(file);
      while (seen().length < goal) await once(written, "change");
      written.close();
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    expect(seen()).toEqual(Array.from({ length: seen().length }, (_, index) => index + 1));
  } finally {
    clearInterval(publishing);
    child?.kill("SIGKILL");
    rmSync(dir, { recursive: true });
  }
});
