import { matchOnLine, type PeerKind } from "./peer.ts";

/** The tab it starts with. */
const PAGE = "1";

export const chromeDevtools: PeerKind = {
  name: "chrome-devtools",
  variable: "BENCH_CHROME_DEVTOOLS",
  file: "chrome-devtools-mcp/build/src/bin/chrome-devtools.js",
  isNative: false,
  setUp: ({ chromium }) => ({
    syntax: {
      start: (url) => [
        [
          "start",
          "--headless",
          "--isolated",
          "--no-usage-statistics",
          "--no-performance-crux",
          `--executablePath=${chromium}`,
          ...(process.getuid?.() === 0 ? ["--chromeArg=--no-sandbox"] : []),
        ],
        ["navigate_page", PAGE, "--url", url],
      ],
      goto: (url) => ["navigate_page", PAGE, "--url", url],
      url: ["list_pages"],
      text: (tag) => evaluate(`() => document.querySelector("${tag}").innerText`),
      js: (expression) => evaluate(`() => ${expression}`),
      snapshot: ["take_snapshot", PAGE],
      refOf: (snapshot, element) => matchOnLine(snapshot, element, /uid=(\w+)/),
      fill: (ref, text) => ["fill", PAGE, ref, text],
      click: (ref) => ["click", PAGE, ref],
      screenshot: (file) => ["take_screenshot", PAGE, "--filePath", file],
      stop: ["stop"],
    },
  }),
};

function evaluate(script: string): string[] {
  return ["evaluate_script", script, "--pageId", PAGE];
}
