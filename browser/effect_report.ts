/** What an action did, as the page and the browser showed it. Absent members did not happen. */
export interface EffectReport {
  /** The tab's main frame committed this address. */
  navigated?: string;
  /** It went to this address, which could not be loaded: the browser shows a page of its own. */
  unloaded?: { url: string; network: string };
  /** A navigation was started and had not committed when the wait for it ended. */
  navigating?: string;
  /** Addresses that frames of the page went to. */
  frames?: string[];
  /** The first of them. */
  dialogs?: DialogRecord[];
  /** How many dialogs there were beside them. */
  moreDialogs?: number;
  /** Ids of tabs that the action opened. */
  opened?: string[];
  /** How many more it opened that were closed at once, since a page may not open so many. */
  popUpsClosed?: number;
  downloads?: DownloadRecord[];
  /** Addresses that the rules of the tab's owner kept it from. */
  refused?: string[];
  /** True when the action closed its own tab. */
  closed?: boolean;
  /** DOM nodes added, removed or changed. */
  changed?: number;
  /** True when nothing of the above happened. */
  nothing?: boolean;
  /** True when it was not waited for: more may come. */
  unsettled?: boolean;
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
