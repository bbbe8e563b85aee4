/** What programs that use the SDK hear when the daemon goes while they wait. */
import { type AddressInfo, createConnection, createServer } from "node:net";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { connect } from "../../client.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

test("a daemon that is killed during a press leaves its outcome unknown, and the program alive", async () => {
  let payments = 0;
  await using site = await Site.serve({
    "/": "<form method=post action=/pay><button id=pay>Pay</button></form>",
    "/pay": () => payments++,
  });
  await using project = new Project();
  await project.run("goto", `${site.url}/`);
  const { pid = 0, port, token } = project.daemon() ?? {};
  const browse = await connect({ url: `ws://127.0.0.1:${port}/rpc`, token: token ?? "" });
  const press = expect(browse.click({ target: "#pay" })).rejects.toMatchObject({ kind: "outcome_unknown" });
  await vi.waitFor(() => expect(payments).toBe(1), { interval: 10 });
  process.kill(pid, "SIGKILL");
  await press;
  await expect(browse.url()).rejects.toMatchObject({ kind: "browser_gone" });
});

test("a program that connects while the daemon restarts, or stops, has the next one", async () => {
  await using project = new Project({}, { ownProcesses: true });
  vi.stubEnv("BROWSE_STATE_DIR", project.stateDir);
  vi.stubEnv("BROWSE_HOME", join(project.dir, "home"));
  for (const end of ["restart", "stop"]) {
    await project.run("status");
    const { pid, port } = project.daemon()!;
    const ending = project.run(end);
    // Its door is closed, and it is not gone yet.
    await vi.waitFor(() => expect(isOpen(port)).resolves.toBe(false), { interval: 1 });
    await using browse = await connect();
    expect((await browse.status()).pid).not.toBe(pid);
    await ending;
  }
  vi.unstubAllEnvs();
});

test("a program that starts a daemon hears what was lost with the one before", async () => {
  await using project = new Project({}, { ownProcesses: true });
  vi.stubEnv("BROWSE_STATE_DIR", project.stateDir);
  vi.stubEnv("BROWSE_HOME", join(project.dir, "home"));
  await project.run("status");
  process.kill(project.daemon()!.pid, "SIGKILL");
  await using browse = await connect();
  const told: string[] = [];
  await browse.url();
  await browse.url({}, { onLog: ({ message }) => told.push(message) });
  expect(told).toEqual([expect.stringContaining("The browser daemon had died: a fresh one was started")]);
  vi.unstubAllEnvs();
});

test("a program that goes on after its daemon died has the next one, which its call starts where there is none", async () => {
  await using project = new Project({}, { ownProcesses: true });
  vi.stubEnv("BROWSE_STATE_DIR", project.stateDir);
  vi.stubEnv("BROWSE_HOME", join(project.dir, "home"));
  await using browse = await connect();
  await using asking = await connect({ start: false });
  const { pid, port, token } = project.daemon()!;
  await using named = await connect({ url: `ws://127.0.0.1:${port}/rpc`, token });
  process.kill(pid, "SIGKILL");
  await expect(asking.url()).rejects.toMatchObject({
    kind: "no_daemon",
    hint: expect.stringContaining("browse start"),
  });
  const told: string[] = [];
  const { pid: next } = await browse.call("status", {}, { onLog: ({ message }) => told.push(message) });
  expect(next).not.toBe(pid);
  expect((await asking.status()).pid).toBe(next);
  await expect(named.url()).rejects.toMatchObject({
    kind: "browser_gone",
    hint: expect.stringContaining("connect again with the `port` and `token`"),
  });
  vi.unstubAllEnvs();
});

test("a daemon that refuses a connection is not said to be gone", async () => {
  await using project = new Project();
  await project.run("status");
  const { port, token } = project.daemon()!;
  await expect(connect({ url: `ws://127.0.0.1:${port}/rpc`, token: "another" })).rejects.toMatchObject({
    kind: "unauthorized",
  });
  const forwarder = createServer((from) => {
    const to = createConnection({ host: "127.0.0.1", port });
    from.pipe(to).pipe(from);
    for (const socket of [from, to]) socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => forwarder.listen(0, "127.0.0.1", resolve));
  const { port: other } = forwarder.address() as AddressInfo;
  await expect(connect({ url: `ws://127.0.0.1:${other}/rpc`, token })).rejects.toMatchObject({
    kind: "forbidden",
    hint: expect.stringContaining("under the number"),
  });
  forwarder.close();
});

function isOpen(port: number): Promise<boolean> {
  const socket = createConnection({ host: "127.0.0.1", port });
  return new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  }).finally(() => socket.destroy());
}
