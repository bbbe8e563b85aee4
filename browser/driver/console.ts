/**
 * The console as the browser tells it to the driver. The driver's public event makes an object of each argument of each
 * line, here and on its other side: a page in a storm then says more than the daemon can take in (figures:
 * docs/design/streams.md). In one process with the driver, its own side can be listened to. Where it is not to be had,
 * the public event is.
 */
import type { BrowserContext, ConsoleMessage, Page } from "playwright";
import { insideOf } from "./inside.ts";
import { lineOf, type Said, stackOf } from "./raw_console.ts";

/** What both sides can say of a line. */
export interface ConsoleLine {
  type(): string;
  text(): string;
  location(): { url: string; lineNumber: number; columnNumber: number };
  args(): readonly { toString(): string }[];
}

/** `stack` says how the script came there, where the browser told it. */
type Listener = (line: ConsoleLine, stack?: string) => void;

/** The driver's side of a page. */
interface InnerPage {
  browserContext?: InnerContext;
  delegate?: { _mainFrameSession?: InnerSession };
}

interface InnerContext {
  on?(event: "console", listener: (line: ConsoleLine & { page(): InnerPage | null }) => void): void;
  tracing?: { _state?: { recording?: boolean } };
}

/** What the driver keeps for each process that a page has frames in. */
interface InnerSession {
  _page?: InnerPage;
  _onConsoleAPI?(said: Said): unknown;
}

/** By the inner page; those of one context are heard by one listener. */
const listeners = new WeakMap<InnerPage, Listener>();
const followed = new WeakSet<object>();

/** Calls `listener` for each line of the page, its frames and workers. */
export function onConsole(page: Page, listener: Listener): void {
  const inner = insideOf<InnerPage>(page);
  const context = inner?.browserContext;
  if (!inner || !context?.on) {
    page.on("console", (line) => listener(line));
    return;
  }
  listeners.set(inner, listener);
  hearFirst(inner.delegate?._mainFrameSession);
  if (followed.has(context)) return;
  followed.add(context);
  context.on("console", (line) => {
    const from = line.page();
    const heard = from && listeners.get(from);
    if (heard) inTurn(heard, line);
  });
}

/**
 * The driver tells of requests and navigations in the next turn of the event loop, one for each: lines are told in theirs,
 * or those of a page would come before the page.
 */
function inTurn(listener: Listener, line: ConsoleLine, stack?: string): void {
  setImmediate(listener, line, stack);
}

/** Calls `listener` for each line of the context's service workers, which belong to no page. */
export function onServiceWorkerConsole(context: BrowserContext, listener: Listener): void {
  const inner = insideOf<InnerContext>(context);
  if (inner?.on) {
    inner.on("console", (line) => {
      if (!line.page()) listener(line);
    });
    return;
  }
  context.on("console", (message: ConsoleMessage) => {
    if (!message.page()) listener(message);
  });
}

/**
 * Takes the lines of all pages before the driver makes its objects of them, which nobody would ask for, and which are
 * half of what a line costs. The driver gets those it needs: a trace has all, and it talks to itself by debug lines.
 */
function hearFirst(session: InnerSession | undefined): void {
  const prototype: InnerSession | null = session ? Object.getPrototypeOf(session) : null;
  const original = prototype?._onConsoleAPI;
  if (!prototype || !original || followed.has(prototype)) return;
  followed.add(prototype);
  prototype._onConsoleAPI = function (this: InnerSession, said) {
    const listener = this._page && listeners.get(this._page);
    const isTraced = this._page?.browserContext?.tracing?._state?.recording === true;
    const isDriver = said.type === "debug" || said.executionContextId === 0;
    if (!listener || isTraced || isDriver) return original.call(this, said);
    inTurn(listener, lineOf(said), TRACED.has(said.type) ? stackOf(said) : undefined);
    return undefined;
  };
}

/** Kinds of lines whose stack is worth its room. */
const TRACED: ReadonlySet<string> = new Set(["error", "warning", "assert", "trace"]);
