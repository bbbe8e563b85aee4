import { matchOnLine, type PeerSyntax } from "./peer.ts";

/** The tab it starts with. */
const PAGE = "1";

export const chromeDevtools: PeerSyntax = {
  name: "chrome-devtools",
  variable: "BENCH_CHROME_DEVTOOLS",
  start: (url, executablePath) => [
    [
      "start",
      "--headless",
      "--isolated",
      "--no-usage-statistics",
      "--no-performance-crux",
      `--executablePath=${executablePath}`,
      ...(process.getuid?.() === 0 ? ["--chromeArg=--no-sandbox"] : []),
    ],
    ["navigate_page", PAGE, "--url", url],
  ],
  url: ["list_pages"],
  goto: (url) => ["navigate_page", PAGE, "--url", url],
  snapshot: ["take_snapshot", PAGE],
  refOf: (snapshot, button) => matchOnLine(snapshot, `button "${button}"`, /uid=(\w+)/),
  click: (ref) => ["click", PAGE, ref],
  screenshot: (path) => ["take_screenshot", PAGE, "--filePath", path],
  stop: ["stop"],
};
