/** A call from the moment it may run to its end: what ends it early, and what may be said of it then. */
import type { Tab } from "../../browser/tabs/tab.ts";
import type { Unmet } from "../../browser/unmet.ts";
import type { CommandResult } from "../../commands/command.ts";
import { BrowseError, type ErrorKind } from "../../errors.ts";
import type { Finding } from "../../security/content/finding.ts";
import type { PageMark } from "../../security/content/page_mark.ts";
import type { Token } from "../../security/tokens/token.ts";
import type { CallFiles } from "./call_files.ts";
import type { ReadyCall } from "./call_gate.ts";
import type { CallTrace } from "./call_record.ts";
import { explained, timeoutError, timeoutOf, withLeft } from "./deadline.ts";
import type { SeenCall } from "./guard/content_guard.ts";

/** A page that closes its own tab has its action told; one whose tab stays gone for longer hangs. */
const MAX_CLOSED_MS = 1_000;

/** Ends that say nothing of what an action has done before them. */
const UNCERTAIN: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  "timeout",
  "cancelled",
  "browser_gone",
  "tab_gone",
  "frame_gone",
  "internal",
]);

/** Errors that a death brings about, which may be told before the death is. */
const MAY_BE_DEATH: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  "internal",
  "tab_gone",
  "frame_gone",
  "detached",
  "navigation_failed",
]);

const CHECK = "Check whether it happened before you repeat it: `browse snapshot -i`";
/** Its tabs are closed by then. */
const CHECK_RUN = "Look at what it has done before you run it again: `browse journal` has its calls";
/** Until the load is over, the page answers nothing. */
const CHECK_LATER =
  "Its page is on its way elsewhere: look for that with `browse tabs`, or stay with `browse stop-loading`; check before you repeat it";

/** The process of a skill that ends without a result says nothing either, whatever it was ended by. */
function isUncertain({ kind, details }: BrowseError): boolean {
  return UNCERTAIN.has(kind) || (kind === "skill_failed" && ("exitCode" in details || "signal" in details));
}

export class RunningCall implements Disposable {
  readonly started = performance.now();
  /** As the journal has it. */
  readonly id: string;
  readonly timeoutMs: number;
  readonly trace: CallTrace = {};
  readonly files: CallFiles;
  /** What the gate and its handler told the content guard. */
  readonly findings: Finding[];
  /** Marks in the answers of its steps. */
  readonly marks: PageMark[] = [];
  /** Tells what it waits for. */
  unmet?: () => Unmet;
  readonly #call: ReadyCall;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #cameFrom: string | undefined;
  #tab: Tab | undefined;
  #closedTimer: NodeJS.Timeout | undefined;
  /** Inputs that the tab had been sent when the handler began; undefined before. */
  #inputsBefore: number | undefined;
  #hasBegun = false;
  readonly #steps = new Set<RunningCall>();
  /** Ids of tokens that it has made for what it runs. */
  readonly #lent = new Set<string>();
  #hasStepActed = false;

  constructor(call: ReadyCall, id: string, files: (signal: AbortSignal) => CallFiles) {
    const { command, params, options } = call;
    this.id = id;
    this.#call = call;
    this.findings = [...call.findings];
    this.files = files(this.signal);
    this.timeoutMs = timeoutOf(command, params, options.timeoutMs);
    this.#timer = setTimeout(() => this.abort(this.#timeoutError()), this.timeoutMs);
    if (options.signal.aborted) this.#onCancelled();
    options.signal.addEventListener("abort", this.#onCancelled, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Of its command. */
  get name(): string {
    return this.#call.command.name;
  }

  get token(): string {
    return this.#call.caller.token.id;
  }

  get tab(): Tab | undefined {
    return this.#tab;
  }

  /** Of the page that it works on. */
  get origin(): string | undefined {
    const url = this.#tab?.page.url() ?? "";
    return /^(?:https?|file):/.test(url) ? new URL(url).origin.replace(/^null$/, "file:") : undefined;
  }

  /** What its tab showed before it. */
  get cameFrom(): string | undefined {
    return this.#cameFrom;
  }

  /** What the content guard is to know of it. */
  get seen(): SeenCall {
    const { findings, signal, origin, trace } = this;
    const { tab } = trace;
    return { call: this.#call, origin, findings, signal, ...(tab !== undefined && { tab }) };
  }

  abort(reason: unknown): void {
    this.#controller.abort(withLeft(reason, this.unmet?.()));
  }

  /** From now on the call ends when the tab does. */
  worksOn(tab: Tab): void {
    this.#tab = tab;
    this.#cameFrom ??= tab.page.url();
    tab.events.once("crashed", this.#onCrashed).once("closed", this.#onClosed);
  }

  /** For its record: what came of it, secrets redacted. */
  answered(result: CommandResult): void {
    this.trace.result = result;
    if (this.#call.command.showsTab) this.trace.tab = String(result.id);
    const page = this.#tab?.isOpen ? this.#tab.page.url() : "";
    if (page !== "") this.trace.page = page;
  }

  /** The handler runs: what the tab is sent from now on is this call's. */
  begin(): void {
    this.#hasBegun = true;
    this.#inputsBefore ??= this.#tab?.inputs;
  }

  /** What is done with that token is done by this call too. */
  lend({ id }: Token): void {
    this.#lent.add(id);
  }

  hasLent({ id }: Token): boolean {
    return this.#lent.has(id);
  }

  /** What the step does is done by this call too. */
  beginStep(step: RunningCall): void {
    this.#steps.add(step);
  }

  endStep(step: RunningCall): void {
    this.#hasStepActed ||= step.mayHaveActed;
    this.#steps.delete(step);
  }

  /** May something have been done that another try would do again? */
  get mayHaveActed(): boolean {
    const { command, effect } = this.#call;
    if (this.#hasStepActed || [...this.#steps].some((step) => step.mayHaveActed)) return true;
    if (effect === "page") return this.#inputsBefore !== undefined && (this.#tab?.inputs ?? 0) > this.#inputsBefore;
    return command.effect === "code" && this.#hasBegun;
  }

  /**
   * Why the call has ended. What ended it from outside counts for more than whatever the driver makes of that; and where
   * the driver's error may be a death that is yet to be told, that is waited for: `untilTold` resolves when it has been.
   */
  async reasonFor(thrown: BrowseError, untilTold: () => Promise<unknown>): Promise<BrowseError> {
    const isSure = !MAY_BE_DEATH.has(this.#reason(thrown).kind);
    // The tabs of a browser that dies close first.
    if (!isSure) await untilTold();
    return this.#reason(thrown);
  }

  #reason(thrown: BrowseError): BrowseError {
    const reason = this.signal.aborted ? this.signal.reason : explained(thrown, this.started, this.#tab);
    return reason instanceof BrowseError ? reason : thrown;
  }

  /** What its caller is told: of an action that was under way, not that it did not happen, nor to do it again. */
  outcomeOf(reason: BrowseError): BrowseError {
    if (!isUncertain(reason) || !this.mayHaveActed) return reason;
    const { kind, message, details } = reason;
    const what = `"${this.#call.command.spelling}" had begun, and what came of it is not known`;
    return new BrowseError("outcome_unknown", `${what}: ${message}`, {
      cause: reason.cause,
      hint: this.#lookFirst(reason),
      details: { ...details, ended: kind },
    });
  }

  #lookFirst({ kind, hint, details }: BrowseError): string {
    if (this.#call.command.effect !== "process") {
      return HINTS[kind] ?? (this.#tab?.pendingNavigation.delay ? CHECK_LATER : CHECK);
    }
    return details.results === undefined
      ? CHECK_RUN
      : `${hint}; what was under way is begun again then: look at it first`;
  }

  /** What is left of its time, in milliseconds. */
  get leftMs(): number {
    return Math.max(1, Math.round(this.timeoutMs - (performance.now() - this.started)));
  }

  [Symbol.dispose](): void {
    this.end();
  }

  /** Nothing ends it early any more. */
  end(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#closedTimer);
    this.#tab?.events.off("crashed", this.#onCrashed).off("closed", this.#onClosed);
    this.#call.options.signal.removeEventListener("abort", this.#onCancelled);
  }

  #timeoutError(): BrowseError {
    const { timeoutMs, unmet } = this;
    return timeoutError(this.#call.command, timeoutMs, {
      ...(unmet && { unmet }),
      ...(this.#tab && { tab: this.#tab }),
    });
  }

  readonly #onCancelled = (): void => this.abort(this.#call.options.signal.reason);

  readonly #onCrashed = (): void => {
    try {
      this.#tab?.assertOpen();
    } catch (error) {
      this.abort(error);
    }
  };

  readonly #onClosed = (): void => {
    const gone = new BrowseError("tab_gone", `Tab ${this.#tab?.id} has been closed`);
    if (this.#call.effect !== "page") this.abort(gone);
    else this.#closedTimer = setTimeout(() => this.abort(gone), MAX_CLOSED_MS);
  };
}

/** Where the page of before is not there to be looked at. */
const HINTS: Partial<Record<ErrorKind, string>> = {
  browser_gone:
    "Open the page again and look whether it happened before you repeat it; .browse/daemon.log has how Chromium died",
  tab_gone: "Open the page again and look whether it happened before you repeat it",
  cancelled: "Open the page, and look whether it happened before you repeat it",
};
