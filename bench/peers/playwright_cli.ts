import { matchOnLine, type PeerSyntax } from "./peer.ts";

const SESSION = `-s=bench-${process.pid}`;
const CONFIG = "config.json";

export const playwrightCli: PeerSyntax = {
  name: "playwright-cli",
  variable: "BENCH_PLAYWRIGHT_CLI",
  files: (executablePath) => ({
    [CONFIG]: JSON.stringify({
      browser: {
        browserName: "chromium",
        launchOptions: { executablePath, chromiumSandbox: process.getuid?.() !== 0, headless: true },
      },
    }),
  }),
  start: (url) => [[SESSION, "open", `--config=${CONFIG}`, url]],
  url: [SESSION, "eval", "location.href"],
  goto: (url) => [SESSION, "goto", url],
  snapshot: [SESSION, "snapshot"],
  refOf: (snapshot, button) => matchOnLine(snapshot, `button "${button}"`, /ref=(\w+)/),
  click: (ref) => [SESSION, "click", ref],
  screenshot: (path) => [SESSION, "screenshot", `--filename=${path}`],
  stop: [SESSION, "close"],
};
