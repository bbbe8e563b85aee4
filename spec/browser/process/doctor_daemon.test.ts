/** What `doctor` says of a port on which the daemon cannot be reached. */
import { once } from "node:events";
import { existsSync, mkdtempDisposableSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { leftFoldersFinding, portsFinding, watchdogFinding } from "../../../browser/process/doctor_daemon.ts";
import { makeBrowserFolder } from "../../../security/process/browser_folder.ts";

it.each([
  ["nobody listens", false, "takes no connections"],
  ["somebody else listens", true, "answers with 404, which is not the daemon"],
])("fails, with a fix, where %s", async (_where, isTaken, detail) => {
  const server = createServer((_request, response) => response.writeHead(404).end());
  await once(server.listen({ host: "127.0.0.1", port: 0 }), "listening");
  const { port } = server.address() as AddressInfo;
  if (!isTaken) await new Promise((closed) => server.close(closed));
  expect(await portsFinding(port, 0)).toMatchObject({
    check: "ports",
    ok: false,
    detail: expect.stringContaining(detail),
    fix: expect.stringContaining("BROWSE_PORT"),
  });
  server.close();
  server.closeAllConnections();
});

it("finds what browsers have left, and removes it at once, but not what the running one has", () => {
  using state = mkdtempDisposableSync(`${tmpdir()}/browse-doctor-`);
  const [left, own] = [makeBrowserFolder(state.path).path, makeBrowserFolder(state.path).path];
  expect(leftFoldersFinding(state.path, false, own)).toMatchObject({ ok: false, detail: left });
  expect(leftFoldersFinding(state.path, true, own)).toMatchObject({ ok: true, detail: "removed 1" });
  expect([existsSync(left), existsSync(own)]).toEqual([false, true]);
  expect(leftFoldersFinding(state.path, false, own)).toMatchObject({ ok: true, detail: "none" });
});

it("says so when nothing sees to it any more that the browser ends with its daemon", () => {
  expect(watchdogFinding(false)).toMatchObject({ check: "watchdog", ok: true });
  expect(watchdogFinding(true)).toMatchObject({ ok: false, fix: expect.stringContaining("browse restart") });
});
