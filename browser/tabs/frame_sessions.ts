/** The CDP sessions that a tab's frames are heard by: the tab's own, and one for each frame that another process draws. */
import type { CDPSession, Frame } from "playwright";
import type { Tab } from "./tab.ts";

interface FrameSession {
  /** Names the document that was in the frame then: the next one may be drawn by another process. */
  doc: string;
  cdp: CDPSession;
  /** The same, when it is not the tab's. */
  own: CDPSession | undefined;
}

export class FrameSessions {
  readonly #tab: Tab;
  /** Has the tab hear what the session tells. */
  readonly #follow: (cdp: CDPSession) => Promise<CDPSession>;
  readonly #sessions = new WeakMap<Frame, FrameSession>();

  constructor(tab: Tab, follow: (cdp: CDPSession) => Promise<CDPSession>) {
    this.#tab = tab;
    this.#follow = follow;
  }

  /** That of the process that draws the frame, opened once for each document and followed from then on. */
  async of(frame: Frame, doc: string): Promise<CDPSession> {
    if (!frame.parentFrame()) return await this.#tab.cdp();
    const known = this.#sessions.get(frame);
    if (known?.doc === doc) return known.cdp;
    await known?.own?.detach().catch(ignored);
    const own = await this.#open(frame);
    const cdp = own ?? (await this.#tab.cdp());
    this.#sessions.set(frame, { doc, cdp, own });
    return cdp;
  }

  /**
   * Resolves once the navigations and tabs that these frames, and the page, have asked for by now have been told: that
   * comes by these sessions, and answers to the driver by its own, which can overtake it. Never rejects; who leaves may
   * never answer.
   */
  async untilTold(frames: readonly Frame[]): Promise<void> {
    const page = await this.#tab.cdp().catch(ignored);
    const sessions = new Set([page, ...frames.map((frame) => this.#sessions.get(frame)?.cdp)]);
    await Promise.allSettled([...sessions].map((cdp) => cdp?.send("Runtime.evaluate", { expression: "0" })));
  }

  /** One with the frame around it that heads its process; undefined when that is the page. */
  async #open(frame: Frame): Promise<CDPSession | undefined> {
    for (let at: Frame | null = frame; at?.parentFrame(); at = at.parentFrame()) {
      // Refused for frames that share their parent's process.
      const own = await this.#tab.page.context().newCDPSession(at).catch(ignored);
      if (own) return await this.#follow(own).catch(ignored);
    }
    return undefined;
  }
}

function ignored(): undefined {
  return undefined;
}
