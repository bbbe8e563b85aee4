/** Errors and requests, each told one by one as far as they are few. */
export interface TroubleReport {
  /** Errors that no script of the page caught: the first of them. */
  errors?: PageError[];
  moreErrors?: number;
  /** Requests of the page's scripts that failed, or were answered with a status from 400 on: the first of them. */
  failed?: FailedRequest[];
  moreFailed?: number;
}

/** What happened in a tab between the answers to two actions. */
export interface LaterReport extends TroubleReport {
  navigated?: string;
  /** The first of them. */
  dialogs?: DialogRecord[];
  /** How many opened beside them. */
  moreDialogs?: number;
  opened?: string[];
  downloads?: DownloadRecord[];
  changed?: number;
}

/** A line of the page that came, went, is another or stands elsewhere. */
export interface Change {
  kind: "added" | "removed" | "changed" | "moved";
  /** Levels below the outermost line that came or went with it. */
  depth: number;
  ref?: string;
  line: string;
  /** The line it was, where that is known of one that has changed. */
  was?: string;
  /** Lines below a removed one, which went with it. */
  inside?: number;
}

/** What an action did, as the page and the browser showed it. Absent members did not happen. */
export interface EffectReport extends TroubleReport {
  /** What happened before it, since the answer to the last action in the tab. */
  before?: LaterReport;
  /** The tab's main frame committed this address. */
  navigated?: string;
  /** What the server answered that with; absent where it was not asked. */
  status?: number;
  /** It went to this address, which could not be loaded: the browser shows a page of its own. */
  unloaded?: { url: string; network: string };
  /** A navigation was started and had not committed when the wait for it ended. */
  navigating?: string;
  /** Requests that were broken off before they were answered, its document's and those that send something: the first of them. */
  brokenOff?: WaitingRequest[];
  /** Addresses that are for other programs (`mailto:`, `tel:`), which the browser hands to none: the first of them. */
  notOpened?: string[];
  /** Addresses that frames of the page went to. */
  frames?: string[];
  /** Those that were to come in frames and were answered with an error status, or could not be loaded. */
  failedFrames?: FailedFrame[];
  /** Where frames were on their way to when the wait for it ended. */
  navigatingFrames?: string[];
  /** The first of them. */
  dialogs?: DialogRecord[];
  /** How many dialogs there were beside them. */
  moreDialogs?: number;
  /** Ids of tabs that the action opened. */
  opened?: string[];
  /** Their addresses, in the same order; of those that could not be loaded, the ones that were asked for. */
  openedUrls?: string[];
  /** How many tabs it opened that have closed again. */
  closedAgain?: number;
  /** The address of a tab that it asked for and that was not there yet when the wait for it ended. */
  opening?: string;
  /** Loads that ended without a document, in the tab or in one that it asked for. */
  emptyAnswers?: EmptyAnswer[];
  /** How many more it opened that were closed at once, since a page may not open so many. */
  popUpsClosed?: number;
  downloads?: DownloadRecord[];
  /** The page asked for files, by a chooser that nobody has answered. */
  choosing?: FileChoice;
  /** The address of a file that it asked for, and of which nothing had come when the wait for it ended. */
  downloading?: string;
  /** Addresses of files that were asked for before, and of which nothing had come when their page was left. */
  downloadsLost?: string[];
  /** Addresses that the rules of the tab's owner kept it from. */
  refused?: string[];
  /** True when the action closed its own tab. */
  closed?: boolean;
  /** Fields that the browser does not send as they are, and why. */
  refusedFields?: { field: string; message: string }[];
  /** Controls that hold something else than the action gave them. Absent where no answer shows it: what they hold. */
  rewritten?: { field: string; value?: string; checked?: boolean }[];
  /** What has come to have the focus, other than what was acted on. */
  focused?: { ref: string; role: string; name: string };
  /** Requests of the page's scripts that are not answered yet: the first of them. */
  waiting?: WaitingRequest[];
  moreWaiting?: number;
  /** Whose answers have begun and come in pieces. */
  answering?: WaitingRequest[];
  /** What the page is called now, where it was called something else. */
  title?: string;
  /** DOM nodes added, removed or changed, those of its title apart. */
  changed?: number;
  /** Lines that are others now, be it by a style alone: those that tell most. */
  changes?: Change[];
  /** Lines beside those. */
  moreChanges?: number;
  /** True when nothing was seen to change. */
  nothing?: boolean;
  /** For how long that was looked for. Milliseconds. */
  watchedMs?: number;
  /** True when it was not waited for: more may come. */
  unsettled?: boolean;
}

/** One of `status` and `network` is there. */
export interface FailedFrame {
  url: string;
  status?: number;
  /** Chromium's name for the fault. */
  network?: string;
}

export interface FileChoice {
  /** It takes more than one. */
  multiple: boolean;
  /** The element that opened it, where one was acted on. */
  ref?: string;
}

export interface PageError {
  text: string;
  /** `app.js:12:5`. */
  at?: string;
}

export interface WaitingRequest {
  method: string;
  url: string;
}

/** What was to bring a document was answered with a status that has none: the browser stays where it is. */
export interface EmptyAnswer extends WaitingRequest {
  /** 204 or 205. */
  status: number;
}

export interface FailedRequest extends WaitingRequest {
  /** What `network <id>` shows it by. */
  id: number;
  /** Of the answer, when there was one. */
  status?: number;
  /** Chromium's name for the fault, without `net::`. */
  failure?: string;
}

export interface DialogRecord {
  id: number;
  type: "alert" | "confirm" | "prompt" | "beforeunload";
  message: string;
  /** What became of it; `open` waits for `dialog-accept` or `dialog-dismiss`. */
  outcome: "accepted" | "dismissed" | "open";
  /** What was typed into a prompt. */
  answer?: string;
  /** ISO 8601. */
  time: string;
}

export interface DownloadRecord {
  name: string;
  url: string;
  /** Where the file went, once it is complete. */
  path?: string;
  /** Why it failed, when it did. */
  failure?: string;
}
