/** What happens to a tab, in the order in which the browser reports it. */
import type { Frame, Page } from "playwright";
import type { DialogRecord, DownloadRecord, EmptyAnswer, WaitingRequest } from "../effect_report.ts";
import type { RefusedLoad } from "../navigation/refused_loads.ts";
import type { Tab } from "./tab.ts";

/** Names of events, and what each is told with. */
export interface TabEvents {
  dialog: [DialogRecord];
  opened: [Tab];
  /** What the page asked a tab for was broken off: that tab does not come. */
  tabBrokenOff: [WaitingRequest];
  /** A tab that the page had opened is gone again: it closed itself, or came for a file alone and was closed for that. */
  openedInVain: [{ for: "file" | "nothing"; tab?: Tab }];
  /** A tab that the page had opened was closed: it opens too many. */
  popUpClosed: [];
  download: [DownloadRecord];
  /** It is complete, or has failed: its record says which. */
  downloadEnded: [DownloadRecord];
  /** A file chooser of the page was given files. */
  filesGiven: [];
  /** A frame committed an address (history API included). */
  navigated: [Frame];
  /** The page itself asked for a navigation: a link, a form, a script. Nothing may come of it. */
  navigationRequested: [{ url: string; frameId: string }];
  /** The page asked for a tab, which may not know who opened it: `noopener`, or Control held on a link. */
  tabRequested: [{ url: string }];
  /** What the page asked a tab for was answered with nothing to show: nobody will see that tab. */
  tabAnsweredEmpty: [EmptyAnswer];
  /** The tab goes on in another page: its session was rebuilt. */
  moved: [{ from: Page; to: Page }];
  /** It was kept from loading something, or taken away from it. */
  refused: [RefusedLoad];
  /** What was kept of its past is not to be told any more. */
  forgotten: [];
  crashed: [];
  closed: [];
}
