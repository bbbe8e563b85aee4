import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { StateFile } from "../../../rpc/lifecycle/state_file.ts";

const STATE = {
  pid: 1,
  startTime: "s",
  port: 2,
  token: "t",
  startedAt: "2030-01-01T00:00:00Z",
  version: "1",
  protocol: "1",
  mode: "headless",
} as const;

const troubles: string[] = [];
const stateFile = (stateDir: string, key = "of this device") =>
  new StateFile({ stateDir, sealKey: () => Buffer.from(key), onTrouble: (message) => void troubles.push(message) });

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

test("how the browser is launched is believed only from a daemon of this user", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "browse-state-"));
  const planted = stateFile(folder.path, "of another device");
  await planted.write({ ...STATE, proxy: "http://127.0.0.1:1" });
  await planted.leave("restart", { headed: true, proxy: "http://127.0.0.1:1" });
  expect(stateFile(folder.path).previous()).toEqual({ ended: "restart" });
});

test.each<[string, (path: string) => void]>([
  ["is removed", (path) => rmSync(path)],
  ["is cut short", (path) => writeFileSync(path, readFileSync(path, "utf8").slice(0, 40))],
  ["is too large to be read", (path) => truncateSync(path, 200_000_000)],
  ["may be read by others", (path) => chmodSync(path, 0o644)],
  [
    "is a link",
    (path) => {
      renameSync(path, `${path}.moved`);
      symlinkSync(`${path}.moved`, path);
    },
  ],
  [
    "is a folder",
    (path) => {
      rmSync(path);
      mkdirSync(join(path, "below"), { recursive: true });
    },
  ],
])("a file that %s is written again, once", async (_what, harm) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "browse-state-"));
  const path = join(folder.path, "daemon.json");
  const file = stateFile(folder.path);
  await file.write(STATE);
  const text = readFileSync(path, "utf8");
  expect(await file.restore()).toBe(false);
  harm(path);
  expect(await file.restore()).toBe(true);
  expect(readFileSync(path, "utf8")).toBe(text);
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  expect(await file.restore()).toBe(false);
  await file.remove();
  expect(await file.restore()).toBe(false);
});
