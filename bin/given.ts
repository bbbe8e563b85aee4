/** The daemon that the environment names in place of the project's own. Bundled to `dist/given.mjs`. */
import type { DaemonSource } from "./cli/exchange.ts";
import { Failure } from "./cli/failure.ts";
import { type Running, UNPRINTABLE } from "./cli/project.ts";

/** The daemon of `BROWSE_URL`: never started, and of any version. Throws `Failure`. */
export function givenSource(env: NodeJS.ProcessEnv): DaemonSource {
  const running = givenDaemon(env);
  const { host, port } = running.address;
  const nobody = `No daemon answers at ${host}:${port}`;
  return {
    find: () => running,
    start: () => Promise.reject(new Failure(nobody, "Check BROWSE_URL, or unset it to use the project's own daemon")),
  };
}

function givenDaemon({ BROWSE_URL = "", BROWSE_TOKEN }: NodeJS.ProcessEnv): Running {
  if (!BROWSE_TOKEN || UNPRINTABLE.test(BROWSE_TOKEN)) {
    throw new Failure(
      "BROWSE_URL is set but BROWSE_TOKEN holds no token",
      "Set it to that daemon's token",
      "invalid_params",
    );
  }
  const url = URL.parse(BROWSE_URL);
  if (!url || !/^(ws|http):$/.test(url.protocol)) {
    throw new Failure(`Cannot use BROWSE_URL "${BROWSE_URL}"`, "Give it as ws://127.0.0.1:PORT/rpc", "invalid_params");
  }
  const address = { host: url.hostname, port: Number(url.port || 80), token: BROWSE_TOKEN };
  return { address, pid: 0, startTime: "", identity: "", version: "" };
}
