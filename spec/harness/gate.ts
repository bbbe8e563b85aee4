/** Dispatch itself on a real Chromium, for calls of any token, without a daemon's process around it. */

import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright";
import { translateDriverError } from "../../browser/driver/errors.ts";
import { LoadGuard } from "../../browser/load_guard/load_guard.ts";
import { Sessions } from "../../browser/sessions/sessions.ts";
import { pageProbe } from "../../refs/page_probe.ts";
import { launchPlainChromium } from "./plain_chromium.ts";
import "../../commands/mod.ts";
import type { Daemon } from "../../commands/context.ts";
import { observeEffects } from "../../refs/effects/effects.ts";
import { noteElements } from "../../refs/find/acted_on.ts";
import { registerReader } from "../../refs/reader.ts";
import { RefNumbers } from "../../refs/ref_table.ts";
import type { JournalEntry } from "../../rpc/events/journal.ts";
import { CallRecorder } from "../../rpc/gate/call_record.ts";
import { Dispatcher } from "../../rpc/gate/dispatch.ts";
import { ContentGuard, type Met, type ReadingLayer } from "../../rpc/gate/guard/content_guard.ts";
import { structureLayer } from "../../rpc/gate/guard/layers.ts";
import { MadeFiles } from "../../security/files/made_files.ts";
import { decide, deniesHost, deniesLoad, type Rule } from "../../security/policy/rules.ts";
import { Canaries } from "../../security/secrets/canaries.ts";
import type { Denial } from "../../security/tokens/denials.ts";
import { rootToken, type Token, TokenRegistry } from "../../security/tokens/token.ts";

/** Of what a page downloads. */
export const MAX_DOWNLOAD_BYTES = 1_000_000;

export class Gate implements AsyncDisposable {
  readonly tokens = new TokenRegistry();
  readonly root = rootToken();
  readonly canaries = new Canaries();
  readonly denials: Denial[] = [];
  readonly journal: JournalEntry[] = [];
  /** The user's. */
  policy: readonly Rule[] = [];
  readonly published: { topic: string; data: Record<string, unknown> }[] = [];
  readonly dir = mkdtempSync(join(tmpdir(), "browse-gate-"));
  readonly artifactsDir = join(this.dir, ".browse/artifacts");
  /** Of the content guard. */
  readonly layers: ReadingLayer[] = [structureLayer];
  /** What the content guard has told of. */
  readonly met: Met[] = [];
  readonly sessions: Sessions;
  readonly dispatcher: Dispatcher;
  readonly #heard = new EventEmitter();
  readonly #refs = new RefNumbers();
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
    this.tokens.add("root", this.root);
    const guard = new LoadGuard({
      resolvedElsewhere: () => false,
      files: { projectDir: this.dir, stateDir: join(this.dir, ".browse"), homeStateDir: join(this.dir, "home") },
      denied: {
        isSet: () => this.policy.some(deniesHost),
        denies: (url) => deniesLoad(this.policy, url),
      },
      canaryOf: (holder) => this.canaries.of(holder),
      onRefused: (tab, load) => this.dispatcher.tellOfLoad(tab, load),
    });
    this.sessions = new Sessions({
      probe: pageProbe,
      provider: {
        state: "running",
        version: undefined,
        open: async () => browser,
        whenGone: Promise.withResolvers<never>().promise,
        folder: undefined,
        close: async () => {},
        cookieLosses: async () => 0,
      },
      artifactsDir: this.artifactsDir,
      maxDownloadBytes: MAX_DOWNLOAD_BYTES,
      dialogPolicy: () => "accept",
      guard,
      onTab: (tab) => {
        this.#refs.follow(tab);
        guard.watch(tab);
      },
    });
    this.dispatcher = new Dispatcher({
      daemon: { status: () => ({}), maxHtmlBytes: 1_000_000 } as unknown as Daemon,
      sessions: this.sessions,
      canaries: this.canaries,
      policy: {
        projectDir: this.dir,
        stateDir: join(this.dir, ".browse"),
        homeStateDir: join(this.dir, "home"),
        made: new MadeFiles({ ownFolders: [this.dir] }),
      },
      observe: observeEffects,
      noteElements,
      guard: new ContentGuard({ layers: this.layers, onMet: (met) => void this.met.push(met) }),
      decide: (call) => decide(this.policy, call),
      protect: async (tab, holder) => await guard.protect(tab, holder),
      untilDeathsTold: async () => undefined,
      translate: translateDriverError,
      isLive: (token) => this.tokens.isLive(token),
      recordDenial: (denial) => {
        this.denials.push(denial);
        this.#heard.emit("denial");
      },
      publish: (topic, data) => void this.published.push({ topic, data }),
      recorder: new CallRecorder({
        record: (entry) => void this.journal.push(entry),
        publish: (topic, data) => void this.published.push({ topic, data }),
      }),
      logFault: (command, error) => console.error(command, error.cause ?? error),
    });
    this.tokens.onRevoked((token) => {
      this.dispatcher.revoke(token);
      guard.release(token);
    });
  }

  /** `args` are flags of Chromium. */
  static async open(args: string[] = []): Promise<Gate> {
    await registerReader();
    return new Gate(await launchPlainChromium({ args }));
  }

  /** A client token, as pairing gives it. */
  pair(request: Parameters<TokenRegistry["issuePairingKey"]>[0]): Token {
    const { token } = this.tokens.exchange(this.tokens.issuePairingKey(request).key);
    return token;
  }

  async call(token: Token, name: string, params: Record<string, unknown> = {}, options: CallPlace = {}) {
    const { via = "local", log = () => {}, ...place } = options;
    const signal = AbortSignal.timeout(20_000);
    const caller = { token, via, client: "spec/1", cwd: this.dir };
    const notify = { accepted: async () => {}, log, progress: () => {} };
    return (await this.dispatcher.call(caller, name, params, { ...place, signal, notify })).result;
  }

  /** Until so many have been denied in all. */
  async untilDenied(total: number): Promise<void> {
    while (this.denials.length < total) await once(this.#heard, "denial");
  }

  /** The kind of error that the call is refused with; undefined when it is not. */
  async refusal(...call: Parameters<Gate["call"]>): Promise<string | undefined> {
    try {
      await this.call(...call);
      return undefined;
    } catch (error) {
      return (error as { kind?: string }).kind ?? String(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

interface CallPlace {
  session?: string;
  tab?: string;
  via?: "local" | "tunnel";
  unsafe?: boolean;
  /** Hears what is said to the caller. */
  log?: (level: string, message: string) => void;
}
