/** What scenarios share: one page server, one warm daemon, one bare driver, each made when first asked for. */
import type { Browser } from "playwright";
import { launchPlainChromium } from "../spec/harness/plain_chromium.ts";
import { type PageServer, servePages } from "./pages/serve.ts";
import type { FoundPeer, Peer } from "./peers/mod.ts";
import { BenchProject, type BenchProjectOptions } from "./project.ts";

interface ContextOptions {
  /** How often a process is run; what is quicker is measured more often. */
  runs: number;
  pages: PageServer;
  peers: readonly FoundPeer[];
}

export class BenchContext implements AsyncDisposable {
  readonly runs: number;
  readonly pages: PageServer;
  /** Those that can be measured, none of them started. */
  readonly found: readonly FoundPeer[];
  /** Ended in the order opposite to that of their making, each even when another fails to end. */
  readonly #made = new AsyncDisposableStack();
  #project: BenchProject | undefined;
  #browser: Promise<Browser> | undefined;
  #peers: Promise<Peer[]> | undefined;

  private constructor({ runs, pages, peers }: ContextOptions) {
    this.runs = runs;
    this.found = peers;
    this.pages = this.#made.use(pages);
  }

  static async create(options: Omit<ContextOptions, "pages">): Promise<BenchContext> {
    return new BenchContext({ ...options, pages: await servePages() });
  }

  /** The project whose daemon all warm scenarios share, with its browser up. */
  async project(): Promise<BenchProject> {
    if (!this.#project) {
      this.#project = this.#made.use(new BenchProject());
      await this.#project.cli("start");
    }
    return this.#project;
  }

  /** A project without a daemon, for the scenario to dispose of. */
  freshProject(options?: BenchProjectOptions): BenchProject {
    if (this.#made.disposed) throw new Error("Cannot make a project: the bench is ending");
    const project = new BenchProject(options);
    this.#made.defer(async () => await project[Symbol.asyncDispose]());
    return project;
  }

  /** The driver by itself, with the daemon's Chromium and flags. */
  async browser(): Promise<Browser> {
    this.#browser ??= this.#launchBrowser();
    return await this.#browser;
  }

  /** The peers, each with its browser up. */
  async peers(): Promise<Peer[]> {
    this.#peers ??= this.#startPeers();
    return await this.#peers;
  }

  /** A peer that has not been started, for the scenario to start and dispose of. */
  freshPeer({ make }: FoundPeer): Peer {
    if (this.#made.disposed) throw new Error("Cannot make a peer: the bench is ending");
    return make();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#made.disposeAsync();
  }

  async #startPeers(): Promise<Peer[]> {
    const peers = this.found.map((found) => this.#made.use(this.freshPeer(found)));
    for (const peer of peers) await peer.start(this.pages.url("form"));
    return peers;
  }

  async #launchBrowser(): Promise<Browser> {
    const browser = await launchPlainChromium({ handleSIGINT: false, handleSIGTERM: false });
    this.#made.defer(async () => await browser.close());
    return browser;
  }
}
