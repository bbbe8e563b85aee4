/** The one Chromium of a daemon: launched when first needed, watched so that it never outlives us. */

import type { Browser, Page } from "playwright";
import { within } from "../../abort.ts";
import {
  type BrowserFolder,
  foldersOf,
  makeBrowserFolder,
  removeBrowserFolders,
} from "../../security/process/browser_folder.ts";
import { identityOf, killGroup, type ProcessIdentity } from "../../security/process/process_identity.ts";
import { followDownloads } from "../driver/download_room.ts";
import { dropLongMessages } from "../driver/long_messages.ts";
import { launchWithProfile } from "../driver/profile.ts";
import { BrowserExit } from "./browser_exit.ts";
import { DRIVER_FLAGS_LEFT_OUT, FLAGS } from "./chromium_flags.ts";
import { launchError, launchStory } from "./launch_error.ts";
import { NetworkService } from "./network_service.ts";
import { assertEnoughFiles } from "./open_files.ts";
import { yieldSession } from "./processor_share.ts";

/** Where sessions get their browser from: launched here now; an attached browser is another provider. */
export interface BrowserProvider {
  readonly state: "none" | "starting" | "running" | "gone";
  readonly version: string | undefined;
  /** The browser, started if need be. */
  open(): Promise<Browser>;
  /** Resolves when the browser has ended without being asked to. */
  readonly whenGone: Promise<BrowserExit>;
  /** What is only for as long as the browser goes here, and with it. */
  readonly folder: string | undefined;
  close(options?: { atOnce?: boolean }): Promise<unknown>;
  /** How often it has lost the cookies of all its contexts by now. Rejects when it cannot say, or cannot take any yet. */
  cookieLosses(): Promise<number>;
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
  /** Where the browser's own folder is made. */
  stateDir: string;
  /** Told how it went when no browser came up, for the log. */
  onUnstarted: (story: string) => void;
  /** Told of what the browser said that was too long to be heard, for the log. */
  onDropped: (line: string) => void;
  /** Told of a page that says too much, which `isThis` knows. True when it is ended there. */
  onLoudPage: (isThis: (page: Page) => boolean, why: string) => boolean;
  /** Told of the browser's process as soon as it runs. */
  onProcess: (process: BrowserProcess) => void;
  /** Told when the cookies of all its contexts are gone. */
  onNetworkLost: () => void;
}

export interface BrowserProcess {
  identity: ProcessIdentity;
  /** Its profile, and what the driver keeps for it. To be removed when nobody else does. */
  folders: string[];
}

/** A browser that is asked to close has so long for it; a hung one would take forever. */
const CLOSE_MS = 2_000;
/** For a killed one to be gone. */
const GONE_MS = 1_000;

/** A browser that does not answer for so long is not waited for. */
const MAX_ANSWER_MS = 1_000;

export class Chromium implements BrowserProvider {
  readonly #options: ChromiumOptions;
  readonly #gone = Promise.withResolvers<BrowserExit>();
  #browser: Promise<Browser> | undefined;
  #state: BrowserProvider["state"] = "none";
  #version: string | undefined;
  #closing = false;
  #folder: BrowserFolder | undefined;
  #process: BrowserProcess | undefined;
  #network: NetworkService | undefined;

  constructor(options: ChromiumOptions) {
    this.#options = options;
  }

  get state(): BrowserProvider["state"] {
    return this.#state;
  }

  get version(): string | undefined {
    return this.#version;
  }

  get folder(): string | undefined {
    return this.#folder?.path;
  }

  get whenGone(): Promise<BrowserExit> {
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
    const answer = this.#browser?.then(versionOf).catch(() => undefined);
    if (answer) await within(MAX_ANSWER_MS, answer, undefined);
  }

  async cookieLosses(): Promise<number> {
    return (await this.#network?.deaths()) ?? 0;
  }

  /**
   * Resolves when it has ended and nothing of it is left; to false when it had to be killed for that. `atOnce` gives it
   * no time to write into its profile.
   */
  async close({ atOnce = false } = {}): Promise<boolean> {
    this.#closing = true;
    if (atOnce) this.kill();
    const closing = Promise.resolve(this.#browser?.then((browser) => browser.close()));
    const closed = closing.catch(() => undefined).then(() => true);
    const hasClosed = await within(CLOSE_MS, closed, false);
    if (!hasClosed) {
      this.kill();
      await within(GONE_MS, closed, false);
    }
    this.#removeFolders();
    return hasClosed;
  }

  /** At once, and with all that it started. For when it does not close. */
  kill(): void {
    if (this.#process) killGroup(this.#process.identity, "SIGKILL");
    // One that is just starting is ended by the driver when we exit; its folder can go only then.
    else if (this.#folder) process.once("exit", () => this.#removeFolders());
  }

  async #launch(): Promise<Browser> {
    assertEnoughFiles();
    const executablePath = await this.#options.executablePath();
    const { headed, proxy } = this.#options.launch;
    // Else the driver holds every read until a navigation that the page may never finish.
    process.env.PLAYWRIGHT_SKIP_NAVIGATION_CHECK = "1";
    const { chromium } = await import("playwright");
    await this.#options.prepare();
    this.#removeFolders();
    const folder = makeBrowserFolder(this.#options.stateDir);
    this.#folder = folder;
    const browser = await launchWithProfile(chromium, folder.profile, {
      executablePath,
      // Those that the driver makes by itself stay when the daemon is killed.
      artifactsDir: folder.driver,
      tracesDir: folder.driver,
      env: withTemporaryIn(folder.driver),
      headless: !headed,
      chromiumSandbox: this.#options.sandbox,
      args: FLAGS,
      ignoreDefaultArgs: DRIVER_FLAGS_LEFT_OUT,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      ...(proxy ? { proxy: { server: proxy } } : {}),
    }).catch((error: unknown) => {
      const told = launchError(error, executablePath);
      this.#options.onUnstarted(launchStory(told));
      throw told;
    });
    const { onDropped, onLoudPage } = this.#options;
    dropLongMessages(browser, { onDropped, onPage: onLoudPage });
    followDownloads(browser);
    const network = new NetworkService(browser, this.#options.onNetworkLost);
    this.#network = network;
    const browserExit = new BrowserExit(browser, (line) => network.hear(line));
    browser.once("disconnected", () => this.#onDisconnected(browserExit));
    // Nobody waits for the first look: who asks next comes after it.
    network.deaths().catch(() => undefined);
    await this.#announce(browser);
    this.#version = browser.version();
    this.#state = "running";
    return browser;
  }

  #onDisconnected(browserExit: BrowserExit): void {
    this.#state = "gone";
    if (!this.#closing) this.#gone.resolve(browserExit);
  }

  async #announce(browser: Browser): Promise<void> {
    const cdp = await browser.newBrowserCDPSession();
    const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
    await cdp.detach();
    const identity = identityOf(processInfo.find((process) => process.type === "browser")?.id ?? 0);
    if (identity === undefined || this.#folder === undefined) return;
    yieldSession(identity.pid);
    this.#process = { identity, folders: foldersOf(this.#folder.path) };
    this.#options.onProcess(this.#process);
  }

  #removeFolders(): void {
    if (!this.#folder) return;
    const folders = this.#process?.folders ?? foldersOf(this.#folder.path);
    removeBrowserFolders(this.#options.stateDir, folders);
    this.#folder = undefined;
  }
}

/** The sockets that Chromium makes below it have room for so long a path, of the 108 bytes that Linux gives them. */
const MAX_TEMPORARY_PATH = 60;

/** What Chromium keeps for a moment stays when it is killed, unless it is where we remove everything. */
function withTemporaryIn(folder: string): NodeJS.ProcessEnv {
  return Buffer.byteLength(folder) <= MAX_TEMPORARY_PATH ? { ...process.env, TMPDIR: folder } : process.env;
}

async function versionOf(browser: Browser): Promise<void> {
  const cdp = await browser.newBrowserCDPSession();
  await cdp.send("Browser.getVersion");
  await cdp.detach();
}
