/** What a session is made with. */
import type { BrowserContext, Frame } from "playwright";
import type { Token } from "../../security/tokens/token.ts";
import type { ScreenTarget } from "../emulation/viewport.ts";
import type { Report } from "../event_sink.ts";
import type { LoadGuard } from "../load_guard/load_guard.ts";
import type { DialogPolicy } from "../tabs/dialogs.ts";
import type { Tab } from "../tabs/tab.ts";

/** What every context is made with. All else is told to it later, by `SessionEmulation`. */
export const CONTEXT_OPTIONS = { viewport: { width: 1280, height: 720 }, acceptDownloads: true } as const;

/** What a session wants to know of its pages from whoever can read them. Both reject for a frame that has gone. */
export interface PageProbe {
  /** What a document's origin keeps in session storage. */
  stored(frame: Frame): Promise<{ origin: string; items: [key: string, value: string][] }>;
  /** Where a document is scrolled to, in CSS pixels. */
  scrolled(frame: Frame): Promise<{ x: number; y: number }>;
}

export interface SessionOptions {
  name: string;
  probe: PageProbe;
  /** Whose session it is. */
  holder?: Token;
  /** Where downloads go. */
  artifactsDir: string;
  /** What nobody has taken yet; it goes with the browser. The system's temporary folder when absent. */
  browserFolder?: string | undefined;
  /** Of one file that a page downloads. Default 200 MB. */
  maxDownloadBytes?: number;
  dialogPolicy: DialogPolicy;
  /** Gives each new tab an id that no other tab of this daemon has had. */
  nextTabId: () => string;
  onTab?: (tab: Tab) => void;
  /** Keeps tabs to the rules of those they were opened for. */
  guard?: LoadGuard;
  /** Told of each context of the session before any page is in it. */
  onContext?: (context: BrowserContext) => Promise<void>;
  /** The session has ended: its context is closed, and not for another one. */
  onClosed?: () => void;
  /** Something went wrong that no call is there to hear of. */
  onFault?: (message: string, cause: unknown) => void;
  /** Where what happens in its tabs and service workers is told. */
  report?: Report;
}

/** A page that has been made like the others of the session, for a tab to go on in or to become one. */
export interface PreparedPage extends ScreenTarget {
  tab?: Tab;
  /** Of a new tab. */
  id?: string;
}

export interface SessionEvents {
  /** Its context is closed, and not for another one. */
  ended: [];
}
