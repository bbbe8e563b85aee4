import { existsSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { StateFile } from "../../rpc/state_file.ts";

const STATE = {
  pid: 1,
  port: 2,
  token: "t",
  startedAt: "2030-01-01T00:00:00Z",
  version: "1",
  protocol: "1",
  mode: "headless",
} as const;

const troubles: string[] = [];
const stateFile = (folder: string) => new StateFile(folder, (message) => void troubles.push(message));

test("what is being written when the file is removed does not bring it back, nor does what comes after", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "browse-state-"));
  const file = stateFile(folder.path);
  await file.write(STATE);
  const [writing, removing] = [file.relaunch({ headed: true }), file.remove()];
  await Promise.all([writing, removing, file.relaunch({ headed: false })]);
  expect(existsSync(join(folder.path, "daemon.json"))).toBe(false);
});

test("the next daemon reads the last thing that was written, in whatever order the disk is done", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "browse-state-"));
  const file = stateFile(folder.path);
  await file.write(STATE);
  const proxies = Array.from({ length: 20 }, (_, n) => `http://127.0.0.1:${n + 1}`);
  await Promise.all(proxies.map((proxy) => file.relaunch({ headed: false, proxy })));
  await file.leave("restart", { headed: true });
  expect(stateFile(folder.path).previous()).toEqual({
    ended: "restart",
    launch: { headed: true, proxy: undefined },
  });
});

test("a folder that is gone is told of, and ends nothing", async () => {
  const folder = mkdtempDisposableSync(join(tmpdir(), "browse-state-"));
  const file = stateFile(folder.path);
  await file.write(STATE);
  folder.remove();
  await file.relaunch({ headed: true });
  await file.leave("idle", { headed: true });
  await file.remove();
  expect(troubles).toEqual(["Cannot write daemon.json", "Cannot write daemon.json"]);
});
