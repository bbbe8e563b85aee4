/** Where what happens in the browser is told. What is told holds no secrets any more, and is not changed afterwards. */

/** Topics that this side of the daemon publishes on. */
export type ReportTopic = "console" | "network" | "dialog" | "download" | "page" | "refs" | "inspect";

export interface ReportPlace {
  session: string;
  /** Absent for what belongs to no tab, such as a service worker. */
  tab?: string;
}

/** What happened. */
export interface Reported {
  /** When, if that is known already. */
  readonly time?: string;
  readonly [member: string]: unknown;
}

/** Must not throw, and must be quick: a page in a storm calls it thousands of times a second. */
export type Report = (topic: ReportTopic, data: Reported, place: ReportPlace) => void;

/** The same for one tab, whose place is known. */
export type TabReport = (topic: ReportTopic, data: Reported) => void;
