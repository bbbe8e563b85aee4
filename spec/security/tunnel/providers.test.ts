import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { ProcessIdentity } from "../../../security/process/process_identity.ts";
import { isAlive } from "../../../security/process/process_identity.ts";
import { commandProvider } from "../../../security/tunnel/command_provider.ts";
import { type TunnelConfig, TunnelConfigSchema } from "../../../security/tunnel/config.ts";
import { findUrl } from "../../../security/tunnel/find_url.ts";
import { type Ngrok, ngrokProvider } from "../../../security/tunnel/ngrok_provider.ts";
import { checkReachable } from "../../../security/tunnel/reachability.ts";

const FORWARDER = [process.execPath, join(import.meta.dirname, "programs/forwarder.ts"), "{port}"];
const never = new AbortController().signal;

/** A web server for one test. */
async function serve(answer: RequestListener): Promise<{ url: string; port: number } & AsyncDisposable> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function config(command: readonly string[], more: Partial<TunnelConfig> = {}): TunnelConfig {
  return { consent: true, provider: "command", command: [...command], ...more };
}

/** Opens it, and notes its processes. */
async function open(config: TunnelConfig, port = 1, signal = never) {
  const processes: ProcessIdentity[] = [];
  const opening = commandProvider(config).open(port, { signal, onProcess: (process) => processes.push(process) });
  return { processes, ...(await opening) };
}

describe("A program that forwards a port", () => {
  test("makes a server of this machine reachable at the address it prints, until it is closed", async () => {
    await using server = await serve((_request, response) => response.end("hello"));
    const forwarding = await open(config(FORWARDER, { host: "127.0.0.1" }), server.port);
    expect(forwarding.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(forwarding.url).not.toBe(server.url);
    expect(await (await fetch(forwarding.url)).text()).toBe("hello");
    expect(forwarding.processes.map(isAlive)).toEqual([true]);
    await forwarding.close();
    expect(forwarding.processes.map(isAlive)).toEqual([false]);
    await forwarding.close();
  });

  test("is reachable where the configuration says, whatever it prints", async () => {
    const forwarding = await open(config(FORWARDER, { url: "https://browse.example" }));
    expect(forwarding.url).toBe("https://browse.example");
    await forwarding.close();
  });

  test("ends with what it started, although it does not listen", async () => {
    const stubborn =
      "process.on('SIGTERM', () => {}); require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])" +
      ".on('spawn', function () { console.log('pid', this.pid, 'http://a.example/{port}'); }); setInterval(() => {}, 1000)";
    const forwarding = await open(config([process.execPath, "-e", stubborn]));
    await forwarding.close();
    expect(await forwarding.ended).toMatch(/ended with SIGKILL$/);
  });

  test("tells when it ends by itself", async () => {
    const forwarding = await open(config([process.execPath, "-e", "console.log('http://a.example/{port}')"]));
    expect(await forwarding.ended).toMatch(/ended with 0$/);
    await forwarding.close();
  });

  test("that is not there, or fails, is told of in its own words", async () => {
    await expect(open(config(["/no/such/program", "{port}"]))).rejects.toMatchObject({
      kind: "unsupported",
      message: 'Cannot start "/no/such/program"',
    });
    const failing = "console.error('Signing in'); console.error('The account is closed'); process.exit(7) // {port}";
    await expect(open(config([process.execPath, "-e", failing]))).rejects.toMatchObject({
      kind: "unsupported",
      message: expect.stringMatching(/ended with 7 before the tunnel was open: The account is closed$/),
    });
  });

  test("is ended when the wait for its address is given up", async () => {
    const controller = new AbortController();
    const processes: ProcessIdentity[] = [];
    const silent = config([process.execPath, "-e", "setInterval(() => {}, 1000) // {port}"]);
    const opening = commandProvider(silent).open(1, {
      signal: controller.signal,
      onProcess: (process) => {
        processes.push(process);
        controller.abort(new Error("Enough"));
      },
    });
    await expect(opening).rejects.toThrow("Enough");
    expect(processes.map(isAlive)).toEqual([false]);
  });

  test("gets the user's environment without what is ours", async () => {
    process.env.BROWSE_TOKEN = "secret";
    try {
      const told =
        "const { BROWSE_TOKEN: ours, PATH: theirs } = process.env;" +
        "console.log('http://' + (ours ? 'told' : 'kept') + '.' + (theirs ? 'path' : 'none') + '.example/{port}')";
      const forwarding = await open(config([process.execPath, "-e", told]));
      expect(forwarding.url).toBe("http://kept.path.example");
      await forwarding.close();
    } finally {
      delete process.env.BROWSE_TOKEN;
    }
  });
});

describe("The address in a program's output", () => {
  test.each([
    ["2030-01-01 INF |  https://a-b.trycloudflare.com  |\n", undefined, "https://a-b.trycloudflare.com"],
    [
      "Terms: https://x.example/terms.\nhttps://a.trycloudflare.com\n",
      "*.trycloudflare.com",
      "https://a.trycloudflare.com",
    ],
    ["url=http://a.example:8080/path?x=1\n", undefined, "http://a.example:8080"],
    ["https://a.trycloudflare.com.evil.example\n", "*.trycloudflare.com", undefined],
    ["https://trycloudflare.com\n", "*.trycloudflare.com", undefined],
    ["https://half.exam", undefined, undefined],
    ["https://\nhttp://[\nftp://a.example\nnothing\n", undefined, undefined],
    ["(https://a.example)\n", "A.example", "https://a.example"],
  ])("%j on %s is %s", (output, host, found) => {
    expect(findUrl(output, host)).toBe(found);
  });
});

describe("ngrok", () => {
  const load = (ngrok: Partial<Ngrok>) => async () => ngrok as Ngrok;
  const opening = (options: Parameters<typeof ngrokProvider>[0], loading: () => Promise<Ngrok>) =>
    ngrokProvider(options, loading).open(4_321, { signal: never, onProcess: () => {} });

  test("that is not installed says how to install it", async () => {
    const absent = () => Promise.reject(Object.assign(new Error("Cannot find"), { code: "ERR_MODULE_NOT_FOUND" }));
    await expect(opening({}, absent)).rejects.toMatchObject({
      kind: "unsupported",
      message: "ngrok's library is not installed",
      hint: expect.stringContaining("npm install @ngrok/ngrok"),
    });
  });

  test("without an account's token asks for one, and asks nobody outside", async () => {
    delete process.env.NGROK_AUTHTOKEN;
    await expect(ngrokProvider({}).open(1, { signal: never, onProcess: () => {} })).rejects.toMatchObject({
      kind: "unsupported",
      message: expect.stringContaining("NGROK_AUTHTOKEN"),
      hint: expect.stringContaining("then run `browse stop`"),
    });
  });

  test("forwards the port, on the name that the configuration gives, until it is closed", async () => {
    process.env.NGROK_AUTHTOKEN = "token";
    const calls: unknown[] = [];
    const forward = async (options: object) => {
      calls.push(options);
      return { url: () => "https://mine.ngrok.app/", close: async () => void calls.push("closed") };
    };
    const forwarding = await opening({ url: "https://mine.ngrok.app" }, load({ forward }));
    expect(forwarding.url).toBe("https://mine.ngrok.app");
    await forwarding.close();
    expect(calls).toEqual([{ addr: 4_321, authtoken_from_env: true, domain: "mine.ngrok.app" }, "closed"]);
    delete process.env.NGROK_AUTHTOKEN;
  });

  test("that refuses is quoted, and one that comes after it was given up is closed", async () => {
    process.env.NGROK_AUTHTOKEN = "token";
    const refusing = load({ forward: () => Promise.reject(new Error("authentication failed\nstack")) });
    await expect(opening({}, refusing)).rejects.toMatchObject({
      message: "ngrok did not open a tunnel: authentication failed",
    });
    const late = Promise.withResolvers<{ url: () => string; close: () => Promise<void> }>();
    const closed = Promise.withResolvers<string>();
    const controller = new AbortController();
    const slow = ngrokProvider({}, load({ forward: () => late.promise })).open(1, {
      signal: controller.signal,
      onProcess: () => {},
    });
    setImmediate(() => controller.abort(new Error("Enough")));
    await expect(slow).rejects.toThrow("Enough");
    late.resolve({ url: () => "https://late.example", close: async () => closed.resolve("closed") });
    expect(await closed.promise).toBe("closed");
    delete process.env.NGROK_AUTHTOKEN;
  });
});

describe("The look whether an address leads here", () => {
  const check = (url: string, withinMs = 0) => checkReachable(url, { probe: "ours", withinMs, signal: never });

  test("goes on until our own probe answers", async () => {
    let asked = 0;
    await using server = await serve((request, response) => {
      expect(request.url).toBe("/health");
      asked++;
      if (asked < 3) response.writeHead(502).end();
      else response.end('{"status":"ok","probe":"ours"}');
    });
    await check(server.url, 10_000);
    expect(asked).toBe(3);
  });

  test.each([
    ["another daemon", '{"probe":"another"}', "somebody else answers there"],
    ["a web page", "<h1>Hello</h1>", "somebody else answers there"],
    ["null", "null", "somebody else answers there"],
  ])("is not satisfied by %s", async (_who, body, trouble) => {
    await using server = await serve((_request, response) => response.end(body));
    await expect(check(server.url)).rejects.toMatchObject({
      kind: "unsupported",
      message: `The tunnel's address ${server.url} does not lead back here: ${trouble}`,
    });
  });

  test("follows nobody elsewhere", async () => {
    await using ours = await serve((_request, response) => response.end('{"probe":"ours"}'));
    await using server = await serve((_request, response) => response.writeHead(302, { location: ours.url }).end());
    await expect(check(server.url)).rejects.toMatchObject({ message: expect.stringContaining("it does not answer") });
  });

  test("ends with the reason of who gives it up", async () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort(new Error("Enough")));
    const signal = controller.signal;
    await expect(checkReachable("http://127.0.0.1:1", { probe: "ours", withinMs: 60_000, signal })).rejects.toThrow(
      "Enough",
    );
  });
});

describe("The configuration of a tunnel", () => {
  test.each([
    [{ consent: true, provider: "ngrok" }, true],
    [{ consent: false, provider: "none" }, true],
    [{ consent: true, provider: "command", command: ["ssh", "-R", "80:localhost:{port}", "a.example"] }, true],
    [{ consent: true, provider: "command" }, false],
    [{ consent: true, provider: "command", command: ["ssh"] }, false],
    [{ consent: true, provider: "ngrok", command: ["x", "{port}"] }, false],
    [{ consent: "yes", provider: "ngrok" }, false],
    [{ provider: "ngrok" }, false],
    [{ consent: true, provider: "ngrok", url: "https://a.example/path" }, false],
    [{ consent: true, provider: "ngrok", url: "https://a.example" }, true],
    [{ consent: true, provider: "ngrok", scope: "admin" }, false],
    [{ consent: true, provider: "ngrok", idleMinutes: 0 }, false],
  ])("%j is accepted: %s", (value, isAccepted) => {
    expect(v.is(TunnelConfigSchema, value)).toBe(isAccepted);
  });
});
