import type { FoundChromium } from "./find_chromium.mjs";

export interface InstallOptions {
  /** The Node that runs Playwright's installer. */
  node: string;
  /** Playwright's `cli.js`. */
  playwrightCli: string;
  /** Looks for a browser anew. */
  find: () => Promise<FoundChromium | undefined>;
  /** Told what is going on. */
  say: (text: string) => void;
  signal?: AbortSignal;
}

/** Tries Playwright's download, then Debian's package when root. Gives the browser, or all that failed and what to do. */
export function installChromium(options: InstallOptions): Promise<{ found: FoundChromium } | { failure: string }>;
