/** What was waited for in vain. Both read on from "Waited 300 ms for …: …". */
export interface Unmet {
  what: string;
  /** What is the case instead. */
  now: string;
  /** The error's own when absent. */
  hint?: string;
  /** What its caller can go on with: joins the error, also that of a call which is cancelled. */
  left?: Record<string, unknown>;
}
