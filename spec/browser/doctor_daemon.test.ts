/** What `doctor` says of a port on which the daemon cannot be reached. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { portsFinding } from "../../browser/doctor_daemon.ts";

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
