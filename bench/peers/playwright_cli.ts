import { matchOnLine, type PeerKind } from "./peer.ts";

const CONFIG = "config.json";

export const playwrightCli: PeerKind = {
  name: "playwright-cli",
  variable: "BENCH_PLAYWRIGHT_CLI",
  file: "@playwright/cli/playwright-cli.js",
  isNative: false,
  setUp({ session, chromium }) {
    const named = `-s=${session}`;
    return {
      files: {
        [CONFIG]: JSON.stringify({
          browser: {
            browserName: "chromium",
            launchOptions: { executablePath: chromium, chromiumSandbox: process.getuid?.() !== 0, headless: true },
          },
        }),
      },
      syntax: {
        start: (url) => [[named, "open", `--config=${CONFIG}`, url]],
        goto: (url) => [named, "goto", url],
        url: [named, "eval", "location.href"],
        text: (tag) => [named, "eval", `document.querySelector("${tag}").innerText`],
        js: (expression) => [named, "eval", expression],
        snapshot: [named, "snapshot"],
        refOf: (snapshot, element) => matchOnLine(snapshot, element, /ref=(\w+)/),
        fill: (ref, text) => [named, "fill", ref, text],
        click: (ref) => [named, "click", ref],
        screenshot: (file) => [named, "screenshot", `--filename=${file}`],
        stop: [named, "close"],
      },
    };
  },
};
