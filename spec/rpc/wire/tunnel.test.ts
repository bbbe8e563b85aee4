/** The tunnel as a whole, with real forwarders in processes of their own. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { EventHub } from "../../../rpc/events/hub.ts";
import { Tunnel, type TunnelPorts } from "../../../rpc/wire/tunnel.ts";
import { isAlive, killGroup, type ProcessIdentity } from "../../../security/process/process_identity.ts";
import { TokenRegistry } from "../../../security/tokens/token.ts";
import type { TunnelConfig } from "../../../security/tunnel/config.ts";

const FORWARDER = [
  process.execPath,
  join(import.meta.dirname, "../../security/tunnel/programs/forwarder.ts"),
  "{port}",
];
const COMMAND: TunnelConfig = { consent: true, provider: "command", command: FORWARDER, host: "127.0.0.1" };
const never = new AbortController().signal;

interface Setting extends AsyncDisposable {
  tunnel: Tunnel;
  /** What runs under the watchdog. */
  watched: ProcessIdentity[];
  /** Whatever was under it. */
  seen: ProcessIdentity[];
  events: { event: string; [detail: string]: unknown }[];
  /** Resolves with the reason when the tunnel closes. */
  closed: Promise<unknown>;
}

function makeTunnel(config: () => TunnelConfig | undefined, more: Partial<TunnelPorts> = {}): Setting {
  const watched: ProcessIdentity[] = [];
  const seen: ProcessIdentity[] = [];
  const events: Setting["events"] = [];
  const { promise: closed, resolve } = Promise.withResolvers<unknown>();
  const unused = () => {
    throw new Error("Nobody calls in this test");
  };
  const tunnel = new Tunnel({
    config,
    reachableWithinMs: 5_000,
    watchdog: {
      watch: (process) => {
        watched.push(process);
        seen.push(process);
      },
      unwatch: (process) => void watched.splice(watched.indexOf(process), 1),
    },
    publish: (event) => {
      events.push(event);
      if (event.event === "tunnelClosed") resolve(event.reason);
    },
    log: () => {},
    wire: {
      version: "9.9.9",
      tokens: new TokenRegistry(),
      hub: new EventHub(),
      dispatch: unused,
      cliExec: unused,
      handover: unused,
      canaryFor: unused,
      openRpc: unused,
      recordDenial: () => {},
      log: () => {},
    },
    ...more,
  });
  return {
    tunnel,
    watched,
    seen,
    events,
    closed,
    [Symbol.asyncDispose]: async () => void (await tunnel.close("The test is over")),
  };
}

/** Does anything of ours still answer there? */
async function answers(url: string): Promise<boolean> {
  return await fetch(`${url}/health`).then(
    () => true,
    () => false,
  );
}

test("A forwarder is started, looked through from outside, watched, and ended with the tunnel", async () => {
  await using setting = makeTunnel(() => COMMAND);
  const { tunnel, watched, seen, events } = setting;
  expect(tunnel.status).toEqual({ isOpen: false });
  const status = await tunnel.open(never);
  expect(status).toMatchObject({ isOpen: true, provider: "command", idleMs: 30 * 60_000 });
  const { url = "", port } = status;
  expect(new URL(url).port).not.toBe(String(port));
  expect(await (await fetch(`${url}/health`)).json()).toEqual({
    status: "ok",
    protocol: "1.0.0",
    probe: expect.any(String),
  });
  expect(watched.map(isAlive)).toEqual([true]);
  expect(await tunnel.close("It was stopped")).toBe(true);
  expect(watched).toEqual([]);
  expect(seen.map(isAlive)).toEqual([false]);
  expect(await answers(url)).toBe(false);
  expect(await answers(`http://127.0.0.1:${port}`)).toBe(false);
  expect(tunnel.status).toEqual({ isOpen: false, closed: "It was stopped" });
  expect(await tunnel.close("again")).toBe(false);
  expect(events).toEqual([
    { event: "tunnelOpened", url, provider: "command" },
    { event: "tunnelClosed", reason: "It was stopped" },
  ]);
});

test("Two that open it at once open it once, and one that finds it open leaves it so", async () => {
  await using setting = makeTunnel(() => COMMAND);
  const { tunnel, seen } = setting;
  const [first, second] = await Promise.all([tunnel.open(never), tunnel.open(never)]);
  expect(second).toEqual(first);
  expect(await tunnel.open(never)).toEqual(first);
  expect(seen).toHaveLength(1);
});

test.each([
  ["is absent", undefined],
  ["is denied", { ...COMMAND, consent: false }],
])("Consent that %s opens nothing", async (_how, config) => {
  await using setting = makeTunnel(() => config);
  await expect(setting.tunnel.open(never)).rejects.toMatchObject({ kind: "forbidden" });
  expect(setting.seen).toEqual([]);
  expect(setting.tunnel.status).toEqual({ isOpen: false });
});

test("A configuration that cannot be read opens nothing", async () => {
  await using setting = makeTunnel(() => {
    throw new Error("It is not valid JSON");
  });
  await expect(setting.tunnel.open(never)).rejects.toThrow("not valid JSON");
  expect(setting.seen).toEqual([]);
});

test("An address that leads elsewhere is refused, and nothing of the attempt is left", async () => {
  let config: TunnelConfig = { ...COMMAND, url: "http://127.0.0.1:9" };
  await using setting = makeTunnel(() => config, { reachableWithinMs: 1 });
  await expect(setting.tunnel.open(never)).rejects.toMatchObject({
    kind: "unsupported",
    message: expect.stringContaining("http://127.0.0.1:9 does not lead back here"),
  });
  expect(setting.seen.map(isAlive)).toEqual([false]);
  expect(setting.watched).toEqual([]);
  config = { consent: true, provider: "none" };
  expect(await setting.tunnel.open(never)).toMatchObject({ isOpen: true, provider: "none" });
});

test("A forwarder that ends before it is reachable is not waited for", async () => {
  const command = [process.execPath, "-e", "console.log('http://127.0.0.1:9/{port}')"];
  await using setting = makeTunnel(() => ({ ...COMMAND, command }), { reachableWithinMs: 60_000 });
  await expect(setting.tunnel.open(never)).rejects.toMatchObject({
    message: expect.stringMatching(/ended with 0 before the tunnel was open$/),
  });
});

test("A forwarder that dies takes the tunnel with it", async () => {
  await using setting = makeTunnel(() => COMMAND);
  const { port } = await setting.tunnel.open(never);
  expect(killGroup(setting.seen[0]!, "SIGKILL")).toBe(true);
  expect(await setting.closed).toMatch(/ended with SIGKILL$/);
  expect(await answers(`http://127.0.0.1:${port}`)).toBe(false);
  expect(setting.tunnel.status).toEqual({ isOpen: false, closed: expect.stringContaining("SIGKILL") });
});

test("A tunnel that nobody uses closes", async () => {
  await using setting = makeTunnel(() => ({ consent: true, provider: "none", idleMinutes: 0.005 }));
  const { url = "" } = await setting.tunnel.open(never);
  expect(await setting.closed).toBe("Nobody used it");
  expect(await answers(url)).toBe(false);
});

test("Who gives up while it opens, or stops it then, leaves nothing behind", async () => {
  await using setting = makeTunnel(() => ({ ...COMMAND, url: "http://127.0.0.1:9" }), { reachableWithinMs: 60_000 });
  const controller = new AbortController();
  const opening = setting.tunnel.open(controller.signal);
  await expect.poll(() => setting.seen.length, { timeout: 20_000 }).toBe(1);
  controller.abort(new Error("Enough"));
  await expect(opening).rejects.toThrow("Enough");
  const again = setting.tunnel.open(never);
  const outcome = expect(again).rejects.toMatchObject({ kind: "cancelled" });
  await expect.poll(() => setting.seen.length, { timeout: 20_000 }).toBe(2);
  await setting.tunnel.close("It was stopped");
  await outcome;
  expect(setting.seen.map(isAlive)).toEqual([false, false]);
});
