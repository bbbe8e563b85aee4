/**
 * The console as the driver hears it. The driver's public event makes an object of each argument of each line, here and
 * on its other side: a page in a storm then says more than the daemon can take in (figures: docs/design/streams.md). In
 * one process with the driver, its own side can be listened to, at the price of a listener. Where it is not to be had,
 * the public event is.
 */
import type { BrowserContext, ConsoleMessage, Page } from "playwright";
import { insideOf } from "./driver_inside.ts";

/** What both sides can say of a line. */
export interface ConsoleLine {
  type(): string;
  text(): string;
  location(): { url: string; lineNumber: number; columnNumber: number };
  args(): readonly { toString(): string }[];
}

/** `stack` says how the script came there, where the browser told it. */
type Listener = (line: ConsoleLine, stack?: string) => void;

/** The driver's side of an object, as far as it is used here. */
interface Inner {
  browserContext?: Inner;
  on?(event: "console", listener: (line: ConsoleLine & { page(): Inner | null }) => void): void;
  /** Of a page: its main frame's own session. */
  delegate?: { _mainFrameSession?: { _client?: InnerSession } };
}

interface InnerSession {
  prependListener(event: "Runtime.consoleAPICalled", listener: (said: Said) => void): void;
}

interface Said {
  stackTrace?: { callFrames: readonly CallFrame[] };
}

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}

/** Kinds of lines whose stack is worth its room. */
const TRACED: ReadonlySet<string> = new Set(["error", "warning", "assert", "trace"]);

/** By the inner page; those of one context are heard by one listener. */
const listeners = new WeakMap<Inner, Listener>();
const followed = new WeakSet<Inner>();

/** Calls `listener` for each line of the page, its frames and workers. */
export function onConsole(page: Page, listener: Listener): void {
  const inner = insideOf<Inner>(page);
  const context = inner?.browserContext;
  if (!inner || !context?.on) {
    page.on("console", listener);
    return;
  }
  const stackOf = followStacks(inner);
  listeners.set(inner, (line) => listener(line, stackOf(line)));
  if (followed.has(context)) return;
  followed.add(context);
  context.on("console", (line) => {
    const from = line.page();
    if (from) listeners.get(from)?.(line);
  });
}

/** Calls `listener` for each line of the context's service workers, which belong to no page. */
export function onServiceWorkerConsole(context: BrowserContext, listener: Listener): void {
  const inner = insideOf<Inner>(context);
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

/** The driver keeps only the top of each stack; what it is told of the whole is at hand until it has told us the line. */
function followStacks(inner: Inner): (line: ConsoleLine) => string | undefined {
  let frames: readonly CallFrame[] = [];
  inner.delegate?._mainFrameSession?._client?.prependListener("Runtime.consoleAPICalled", ({ stackTrace }) => {
    frames = stackTrace?.callFrames ?? [];
  });
  return (line) => {
    const [top] = frames;
    const { url, lineNumber, columnNumber } = line.location();
    // Lines of frames in other processes, and of workers, come without theirs.
    const isTheirs = top?.url === url && top.lineNumber === lineNumber && top.columnNumber === columnNumber;
    const stack = isTheirs && TRACED.has(line.type()) ? frames.map(frameText).join("\n") : undefined;
    frames = [];
    return stack;
  };
}

function frameText({ functionName, url, lineNumber, columnNumber }: CallFrame): string {
  return `at ${functionName || "(anonymous)"} (${url}:${lineNumber + 1}:${columnNumber + 1})`;
}
