/** The one Chromium of a daemon: launched when first needed, watched so that it never outlives us. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright";
import { BrowseError } from "../rpc/errors.ts";
import { METADATA_PATTERNS } from "../security/host.ts";
import { LastWords } from "./last_words.ts";
import { yieldSession } from "./processor_share.ts";

/** Where sessions get their browser from: launched here now; an attached browser is another provider. */
export interface BrowserProvider {
  readonly state: "none" | "starting" | "running" | "gone";
  readonly version: string | undefined;
  /** The browser, started if need be. */
  open(): Promise<Browser>;
  /** Resolves when the browser has ended without being asked to. */
  readonly whenGone: Promise<LastWords>;
  close(): Promise<void>;
}

export interface ChromiumOptions {
  /** Looked for at launch, so that a browser installed meanwhile is found. Throws `no_browser`. */
  executablePath: () => Promise<string>;
  /** Read at launch. */
  launch: { headed: boolean; proxy?: string | undefined };
  /** Runs before the first launch: what must be in place before any page is. */
  prepare: () => Promise<void>;
  /** False only where the platform cannot sandbox: as root, or when the user said so. */
  sandbox: boolean;
  /** Told of the browser's process as soon as it runs. */
  onProcess: (process: BrowserProcess) => void;
}

export interface BrowserProcess {
  pid: number;
  /** Temporary: its profile, and what the driver keeps for it. To be removed when nobody else does. */
  folders: string[];
}

/** No calls home, no updates: an agent's browser talks to the pages it is sent to (facts.md, flags for closed networks). */
const QUIET_FLAGS = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
];

/**
 * The driver switches off what holds a page back that changes its address without end (200 times in 10 s): such a page
 * then stops the browser for all others.
 */
const DRIVER_FLAGS_LEFT_OUT = ["--disable-ipc-flooding-protection"];

/** Whatever loads them, and however they are spelled: such hosts do not exist for this browser. */
const UNREACHABLE = `--host-resolver-rules=${METADATA_PATTERNS.map((pattern) => `MAP ${pattern} ~NOTFOUND`).join(",")}`;

/** A browser that does not answer for so long is not waited for. */
const MAX_ANSWER_MS = 1_000;

export class Chromium implements BrowserProvider {
  readonly #options: ChromiumOptions;
  readonly #gone = Promise.withResolvers<LastWords>();
  #browser: Promise<Browser> | undefined;
  #state: BrowserProvider["state"] = "none";
  #version: string | undefined;
  #closing = false;
  /** Where the driver keeps downloads and traces until they are taken. */
  #artifacts: string | undefined;

  constructor(options: ChromiumOptions) {
    this.#options = options;
  }

  get state(): BrowserProvider["state"] {
    return this.#state;
  }

  get version(): string | undefined {
    return this.#version;
  }

  get whenGone(): Promise<LastWords> {
    return this.#gone.promise;
  }

  open(): Promise<Browser> {
    if (this.#browser) return this.#browser;
    this.#state = "starting";
    this.#browser = this.#launch();
    this.#browser.catch(() => {
      this.#state = "none";
      this.#browser = undefined;
    });
    return this.#browser;
  }

  /**
   * Asks the browser's own process something: what it had to tell by then, such as the death of a renderer, has come when
   * it answers. Never rejects: a browser that has died has told it by then.
   */
  async ask(): Promise<void> {
    if (this.#state !== "running") return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, MAX_ANSWER_MS);
    await Promise.race([late, this.#browser?.then(versionOf).catch(() => undefined)]);
    clearTimeout(timer);
  }

  async close(): Promise<void> {
    this.#closing = true;
    const browser = await this.#browser?.catch(() => undefined);
    await browser?.close();
    if (this.#artifacts) await rm(this.#artifacts, { recursive: true, force: true });
  }

  async #launch(): Promise<Browser> {
    const executablePath = await this.#options.executablePath();
    const { headed, proxy } = this.#options.launch;
    // Else the driver holds every read until a navigation that the page may never finish.
    process.env.PLAYWRIGHT_SKIP_NAVIGATION_CHECK = "1";
    const { chromium } = await import("playwright");
    await this.#options.prepare();
    this.#artifacts ??= await mkdtemp(join(tmpdir(), "browse-artifacts-"));
    const browser = await chromium
      .launch({
        executablePath,
        // One that the driver makes by itself stays when the daemon is killed.
        artifactsDir: this.#artifacts,
        headless: !headed,
        chromiumSandbox: this.#options.sandbox,
        args: [...QUIET_FLAGS, UNREACHABLE],
        ignoreDefaultArgs: DRIVER_FLAGS_LEFT_OUT,
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
        ...(proxy ? { proxy: { server: proxy } } : {}),
      })
      .catch((error: unknown) => {
        throw launchError(error, executablePath);
      });
    const lastWords = new LastWords(browser);
    browser.once("disconnected", () => this.#onDisconnected(lastWords));
    await this.#announce(browser);
    this.#version = browser.version();
    this.#state = "running";
    return browser;
  }

  #onDisconnected(lastWords: LastWords): void {
    this.#state = "gone";
    if (!this.#closing) this.#gone.resolve(lastWords);
  }

  async #announce(browser: Browser): Promise<void> {
    const cdp = await browser.newBrowserCDPSession();
    const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
    await cdp.detach();
    const pid = processInfo.find((process) => process.type === "browser")?.id;
    if (pid === undefined) return;
    yieldSession(pid);
    const folders = [profileDirOf(pid), this.#artifacts].filter((folder) => folder !== undefined);
    this.#options.onProcess({ pid, folders });
  }
}

async function versionOf(browser: Browser): Promise<void> {
  const cdp = await browser.newBrowserCDPSession();
  await cdp.send("Browser.getVersion");
  await cdp.detach();
}

/** The profile is the driver's own choice; the browser's command line is the only place that names it. */
function profileDirOf(pid: number): string | undefined {
  try {
    const line =
      process.platform === "linux"
        ? readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", "\n")
        : execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).replaceAll(" --", "\n--");
    return /^--user-data-dir=(.+playwright_.+)$/m.exec(line)?.[1];
  } catch {
    return undefined;
  }
}

function launchError(error: unknown, executablePath: string): BrowseError {
  const text = error instanceof Error ? error.message : String(error);
  const noDisplay = /Missing X server|cannot open display|ozone/i.test(text);
  return new BrowseError("no_browser", `Chromium at "${executablePath}" did not start`, {
    cause: error,
    hint: noDisplay
      ? "There is no display for a window; leave out --headed"
      : "Run `browse doctor`; .browse/daemon.log has what Chromium said",
  });
}
