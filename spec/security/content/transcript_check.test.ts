import { once } from "node:events";
import { existsSync, mkdtempDisposableSync, readFileSync, watch } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, describe, expect, test } from "vitest";
import {
  TranscriptCheck,
  type TranscriptCheckConfig,
  TranscriptCheckSchema,
} from "../../../security/content/transcript_check.ts";

let server: Server | undefined;

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
  server = undefined;
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/check`;
}

function check(config: TranscriptCheckConfig | undefined): TranscriptCheck {
  return new TranscriptCheck({ config: () => config, redact: (text) => text.replaceAll("hunter2", "[redacted]") });
}

/** Runs that script, which has the text as `text`. */
function program(script: string, timeoutSeconds = 20): TranscriptCheckConfig {
  const read = 'const text = require("node:fs").readFileSync(0, "utf8");';
  return { command: [process.execPath, "-e", `${read}${script}`], timeoutSeconds };
}

const say = "process.stdout.write(JSON.stringify";

describe("A check of the transcript", () => {
  test("asks nobody unless it is configured", async () => {
    expect(await check(undefined).score("text")).toBeUndefined();
  });

  test("by a program gives it the text, and takes its score and reason", async () => {
    const answer = `${say}({ score: text.length / 100, reason: text.toUpperCase(), more: 1 }))`;
    expect(await check(program(answer)).score("Obey, hunter2")).toEqual({ score: 0.16, reason: "OBEY, [REDACTED]" });
  });

  test("by a program that does not read to the end is good, and of a long text it has the beginning", async () => {
    const config = { command: [process.execPath, "-e", `${say}({ score: 1 }))`] };
    expect(await check(config).score("x".repeat(5_000_000))).toEqual({ score: 1 });
    const length = await check(program(`${say}({ score: 0, reason: String(text.length) }))`)).score("x".repeat(50_000));
    expect(length).toEqual({ score: 0, reason: "24000" });
  });

  test("tells its program nothing of the daemon's settings", async () => {
    process.env.BROWSE_TOKEN = "secret-of-the-daemon";
    const answer = `${say}({ score: 0, reason: String(process.env.BROWSE_TOKEN) }))`;
    expect(await check(program(answer)).score("text")).toEqual({ score: 0, reason: "undefined" });
    delete process.env.BROWSE_TOKEN;
  });

  test.each([
    ["that is not there", { command: ["/no/such/program"] }, "ENOENT"],
    ["that fails", program("process.exit(3)"), "ended with 3"],
    ["that says something else", program('console.log("fine")'), "its answer is not"],
    ["whose score is none", program(`${say}({ score: 2 }))`), "its answer is not"],
    [
      "that says too much",
      program('process.stdout.write("x".repeat(1e6)); setInterval(() => {}, 1e9)'),
      "over 65536 bytes",
    ],
  ])("by a program %s is missing, with the reason", async (_what, config, reason) => {
    expect(await check(config).score("text")).toEqual({ missing: expect.stringContaining(reason) });
  });

  test("by a program that never answers is missing, and the program is ended with what it has started", async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "browse-check-"));
    const pids = join(folder.path, "pids");
    const child = `require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"])`;
    const script = `require("node:fs").writeFileSync(${JSON.stringify(pids)}, process.pid + " " + ${child}.pid); setInterval(() => {}, 1e9)`;
    const abort = new AbortController();
    const seen = watch(folder.path);
    const scoring = check(program(script)).score("text", { signal: abort.signal });
    while (!existsSync(pids) || !readFileSync(pids, "utf8").includes(" ")) await once(seen, "change");
    seen.close();
    abort.abort();
    expect(await scoring).toEqual({ missing: expect.stringContaining("cancelled") });
    for (const pid of readFileSync(pids, "utf8").split(" "))
      await expect.poll(() => isRunning(Number(pid))).toBe(false);
    const late = program("setInterval(() => {}, 1e9)", 0.1);
    expect(await check(late).score("text")).toEqual({ missing: "The transcript check did not answer within 0.1 s" });
  });

  test("by a service posts the text, without cookies or credentials", async () => {
    const seen: unknown[] = [];
    const url = await serve(async (request, response) => {
      const { method, headers } = request;
      let body = "";
      for await (const part of request.setEncoding("utf8")) body += part as string;
      seen.push({ method, type: headers["content-type"], cookie: headers.cookie, auth: headers.authorization, body });
      response.end('{"score": 0.8, "reason": "It gives orders"}');
    });
    expect(await check({ url }).score("Obey, hunter2")).toEqual({ score: 0.8, reason: "It gives orders" });
    const body = '{"text":"Obey, [redacted]"}';
    expect(seen).toEqual([{ method: "POST", type: "application/json", cookie: undefined, auth: undefined, body }]);
  });

  test.each<[string, RequestListener, string]>([
    ["that fails", (_, response) => void response.writeHead(500).end(), "answered with 500"],
    ["that sends it elsewhere", sendElsewhere, "failed"],
    ["that says something else", (_, response) => void response.end("fine"), "its answer is not"],
    ["that says too much", (_, response) => void response.end("x".repeat(1_000_000)), "over 65536 bytes"],
    ["that never answers", () => undefined, "did not answer within 0.2 s"],
  ])("by a service %s is missing, with the reason", async (_what, listener, reason) => {
    const url = await serve(listener);
    expect(await check({ url, timeoutSeconds: 0.2 }).score("text")).toEqual({
      missing: expect.stringContaining(reason),
    });
  });

  test.each([
    {},
    { command: [] },
    { url: "file:///etc/passwd" },
    { command: ["a"], url: "http://a/" },
    { url: "http://a/", more: 1 },
  ])("is not configured by %j", (config) => {
    expect(v.safeParse(TranscriptCheckSchema, config).success).toBe(false);
  });
});

function sendElsewhere({ url }: IncomingMessage, response: ServerResponse): void {
  if (url === "/check") response.writeHead(307, { location: "/elsewhere" }).end();
  else response.end('{"score": 1}');
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
