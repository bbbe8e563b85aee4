/** What was waited for in vain. Both read on from "Waited 300 ms for …: …". */
export interface Unmet {
  what: string;
  /** What is the case instead. */
  now: string;
  /** The error's own when absent. */
  hint?: string;
}
