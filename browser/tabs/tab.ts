/** One tab: the driver's page, with what we keep beside it. Its id is never given to another. */

import { EventEmitter } from "node:events";
import type { CDPSession, Frame, Page } from "playwright";
import { BrowseError } from "../../errors.ts";
import { cutUrl } from "../../security/secrets/redact.ts";
import type { Token } from "../../security/tokens/token.ts";
import { Capture } from "../capture/capture.ts";
import type { HeaderFields } from "../capture/own_headers.ts";
import { PageLife } from "../capture/page_life.ts";
import { weighTraffic } from "../driver/traffic.ts";
import { type DeviceMetrics, PLAIN_SCREEN, type ScreenTarget } from "../emulation/viewport.ts";
import type { TabReport } from "../event_sink.ts";
import { StormBrake, type StormEvent, stormText } from "../limits/storm_brake.ts";
import { FrameFailures } from "../navigation/frame_failures.ts";
import type { LoadedHtml } from "../navigation/loaded_html.ts";
import { PendingNavigation } from "../navigation/pending_navigation.ts";
import { StateOf } from "../state_of.ts";
import { type DialogPolicy, Dialogs } from "./dialogs.ts";
import { FrameSessions } from "./frame_sessions.ts";
import { TAB_DOWNLOADS, type TabDownloads } from "./tab_downloads.ts";
import type { TabEvents } from "./tab_events.ts";
import { TabLock } from "./tab_lock.ts";

export interface TabOptions {
  id: string;
  session: string;
  dialogPolicy: () => DialogPolicy;
  /** HeaderFields that the session's user has set. */
  ownHeaders?: () => HeaderFields;
  /** How many times slower the processor seems, by the session's emulation. */
  cpu?: () => number;
  /** Before a caller's address is loaded. */
  onOpening?: (url: string) => Promise<void> | undefined;
  /** Where what happens here is told. */
  report?: TabReport;
  /** What the page was prepared with, when it was. */
  prepared?: ScreenTarget;
}

export class Tab {
  readonly id: string;
  /** Name of the session it belongs to. */
  readonly session: string;
  readonly lock = new TabLock();
  /** What others keep for the tab. */
  readonly state = new StateOf<Tab>(this);
  readonly dialogs: Dialogs;
  readonly capture: Capture;
  readonly events = new EventEmitter<TabEvents>();
  readonly pendingNavigation = new PendingNavigation();
  readonly frameFailures = new FrameFailures();
  readonly frameSessions = new FrameSessions(this, (cdp) => this.#listen(cdp));
  /** Tells everyone who follows the tab. */
  readonly report: TabReport;
  /** Resolves when the tab may load the address, which a caller has named. */
  readonly opening: (url: string) => Promise<void> | undefined;
  /** What `load-html` put here, until the next `goto`. */
  loaded: LoadedHtml | undefined;
  /** What is still being looked at of what it has loaded. Never rejects. */
  readonly checks = new Set<Promise<void>>();
  /** Who opened it, or whose tab has opened it; unknown for a moment in a tab that a page has opened. */
  holder: Token | undefined;
  /** What its screen is like beside the viewport's size; set by `setViewport`. */
  metrics: DeviceMetrics = PLAIN_SCREEN;
  #page: Page;
  #pageState = new StateOf<Tab>(this);
  #past = new StateOf<Tab>(this);
  #state: "open" | "crashed" | "closed" = "open";
  /** Why we ended its page. */
  #endedFor: string | undefined;
  #cdp: Promise<CDPSession> | undefined;
  #scope: Frame | "gone" | undefined;
  #inputs = 0;
  readonly #navigationIds = new WeakMap<Frame, number>();
  readonly #brake: StormBrake;

  constructor(page: Page, options: TabOptions) {
    this.id = options.id;
    this.session = options.session;
    this.#page = page;
    this.events.setMaxListeners(0);
    this.dialogs = new Dialogs(page, {
      policy: options.dialogPolicy,
      onDialog: (record) => {
        this.capture.noteDialog(record);
        this.events.emit("dialog", record);
      },
      tab: this.id,
    });
    const { ownHeaders = () => ({}), cpu = () => 1, report = () => {} } = options;
    this.report = report;
    this.#brake = new StormBrake({
      slow: async (rate) => await (await this.cdp()).send("Emulation.setCPUThrottlingRate", { rate: rate * cpu() }),
      endScript: async () => await (await this.cdp()).send("Runtime.terminateExecution"),
      tell: (event) => this.#onStorm(event),
    });
    this.opening = options.onOpening ?? (() => undefined);
    this.capture = new Capture(page, { ownHeaders, report });
    new PageLife(this, (data) => report("page", data)).follow(page);
    this.#follow(page);
    // Opened at once: what the page asks for before an action has a session to listen with would not be heard.
    if (options.prepared) this.#takeOver(options.prepared);
    else void this.cdp().catch(() => undefined);
  }

  /** The driver's page; another one after the session was rebuilt. */
  get page(): Page {
    return this.#page;
  }

  /**
   * What the tab has shown, and what was done there, as far as it is kept from one call to the next. Somebody else may work
   * there by then: lending the tab takes it away.
   */
  get past(): StateOf<Tab> {
    return this.#past;
  }

  /** As far as whoever works in it now may know of them. */
  get downloads(): TabDownloads {
    return this.#past.get(TAB_DOWNLOADS);
  }

  /** Whoever works in it from now on learns nothing of before: looks, refs, watches, what is yet to be told. */
  forgetPast(): void {
    this.#past = new StateOf<Tab>(this);
    this.events.emit("forgotten");
  }

  /** Where its page is, as answers tell it. */
  get url(): string {
    return cutUrl(this.#page.url());
  }

  /** What others keep for the page that it has now: all of it goes when the tab goes on in another. */
  get pageState(): StateOf<Tab> {
    return this.#pageState;
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** How often something was sent into the page that it may act upon: a press, a key, a value for a field. */
  get inputs(): number {
    return this.#inputs;
  }

  /** Call it before what is sent is sent. */
  noteInput(): void {
    this.#inputs++;
  }

  /** Its renderer has gone: nothing works in it any more. */
  get hasCrashed(): boolean {
    return this.#state === "crashed";
  }

  /** The frame that selectors are looked up in. A scoped frame that left the page is `frame_gone`, once. */
  get frame(): Frame {
    const scope = this.#scope;
    if (!scope) return this.page.mainFrame();
    if (scope !== "gone" && !scope.isDetached()) return scope;
    this.#scope = undefined;
    throw new BrowseError("frame_gone", "The frame that commands were scoped to has left the page", {
      hint: "Commands now mean the main frame again",
    });
  }

  /** Scopes later selectors to a frame; undefined means the main frame, "gone" one that is not there any more. */
  scopeTo(frame: Frame | "gone" | undefined): void {
    this.#scope = frame;
  }

  /** Goes on in another page, and with the session it was prepared on. Refs of the old page are stale from then on. */
  moveTo(prepared: ScreenTarget): void {
    const from = this.#page;
    const { page } = prepared;
    this.#page = page;
    this.#pageState = new StateOf<Tab>(this);
    this.#state = "open";
    this.#endedFor = undefined;
    this.#scope = undefined;
    this.dialogs.follow(page);
    this.capture.follow(page);
    this.#follow(page);
    this.#takeOver(prepared);
    this.events.emit("moved", { from, to: page });
  }

  /** The frame that selectors are scoped to, if it is another than the main one and still in the page. */
  get scope(): Frame | undefined {
    const scope = this.#scope;
    return scope === "gone" || scope?.isDetached() ? undefined : scope;
  }

  /** How many addresses the frame has committed: tells one document of a frame from the next. */
  navigationsOf(frame: Frame): number {
    return this.#navigationIds.get(frame) ?? 0;
  }

  /** The tab's own CDP session, opened once, with `Page` events on. */
  cdp(): Promise<CDPSession> {
    this.#cdp ??= this.#openCdp();
    return this.#cdp;
  }

  /** The page costs the browser as much as if it had told so many events. */
  noteTraffic(weight: number): void {
    this.#brake.note(weight);
  }

  /** This page of it is taken for closed, though the browser has not told so yet. */
  noteClosed(page: Page): void {
    this.#end(page, "closed");
  }

  /** Ends the page, which harms others: even in the middle of a script. Nothing happens when it has gone by itself. */
  endPage(why: string): void {
    if (!this.isOpen) return;
    this.#endedFor = why;
    this.capture.say(`browse ended this page: ${why}`);
    this.cdp()
      .then((cdp) => cdp.send("Page.crash"))
      .catch(() => undefined);
  }

  /** Throws `tab_gone` unless the tab can be used. */
  assertOpen(): void {
    if (this.#state === "open") return;
    if (this.#state === "closed") throw new BrowseError("tab_gone", `Tab ${this.id} has been closed`);
    const what = this.#endedFor === undefined ? "has crashed" : `was ended by browse: ${this.#endedFor}`;
    throw new BrowseError("tab_gone", `Tab ${this.id} ${what}`, {
      hint: `Run \`browse reload --tab ${this.id}\` or \`browse goto <url> --tab ${this.id}\`, which brings it back`,
    });
  }

  /** Takes the session that its page was prepared on for its own: what was set on it holds while it is open. */
  #takeOver({ metrics, cdp }: ScreenTarget): void {
    this.metrics = metrics;
    this.#cdp = cdp().then((session) => this.#listen(session));
    void this.#cdp.catch(() => undefined);
  }

  async #openCdp(): Promise<CDPSession> {
    return await this.#listen(await this.page.context().newCDPSession(this.page));
  }

  async #listen(cdp: CDPSession): Promise<CDPSession> {
    cdp.on("Page.frameRequestedNavigation", ({ url, disposition, frameId }) => {
      if (disposition === "currentTab") this.#onAskedToLeave(url, frameId);
      else if (disposition !== "download") this.events.emit("tabRequested", { url });
    });
    cdp.on("Page.windowOpen", ({ url }) => this.events.emit("tabRequested", { url }));
    await cdp.send("Page.enable");
    return cdp;
  }

  #onAskedToLeave(url: string, frameId: string): void {
    this.pendingNavigation.noteAsked();
    this.events.emit("navigationRequested", { url, frameId });
  }

  /** A page that the tab has left says nothing of it any more. */
  #follow(page: Page): void {
    this.pendingNavigation.follow(page);
    this.frameFailures.follow(page);
    weighTraffic(page, (weight) => {
      if (page === this.#page) this.#brake.note(weight);
    });
    page.on("framenavigated", (frame) => this.#onNavigated(frame));
    page.on("crash", () => this.#end(page, "crashed"));
    page.on("close", () => this.#end(page, "closed"));
  }

  #onNavigated(frame: Frame): void {
    this.#navigationIds.set(frame, this.navigationsOf(frame) + 1);
    this.events.emit("navigated", frame);
  }

  #end(page: Page, state: "crashed" | "closed"): void {
    if (page !== this.#page || this.#state === "closed") return;
    this.#state = state;
    this.#brake[Symbol.dispose]();
    this.events.emit(state);
  }

  /** It is told beside what the page says, where those look who wonder about the page. */
  #onStorm(event: StormEvent): void {
    this.report("page", event);
    const text = stormText(event);
    if (text !== undefined) this.capture.say(text);
  }
}
