/**
 * The driver's own side of its objects, which runs in our process. Nothing here is documented: whoever looks has to do
 * without when it is not there, as where the driver runs elsewhere or is built differently than the version we pin.
 */
import type { ChildProcess } from "node:child_process";
import type { Browser, BrowserContext, BrowserType, CDPSession, Download, Frame, Page, Request } from "playwright";

/** Undefined where there is nothing to look at, or nothing any more. The caller says what it hopes for, each member optional. */
export function insideOf<Inside extends object>(
  object: Browser | BrowserContext | BrowserType | CDPSession | Frame | Page | Request,
): Inside | undefined {
  const { _connection: connection } = object as unknown as { _connection?: { toImpl?: (object: unknown) => unknown } };
  try {
    return connection?.toImpl?.(object) as Inside | undefined;
  } catch {
    // The driver does not expect to be asked for what is gone, such as a frame that has left.
    return undefined;
  }
}

/** Sessions of the DevTools protocol that are open now, the driver's own included. */
export function debuggerSessions(browser: Browser): number | undefined {
  const inside = insideOf<{ _connection?: { _sessions?: Map<string, unknown> } }>(browser);
  return inside?._connection?._sessions?.size;
}

/** The browser's name for the document that the frame shows: another one for each that it goes to. */
export function documentOf(frame: Frame): string | undefined {
  return insideOf<{ _currentDocument?: { documentId?: string } }>(frame)?._currentDocument?.documentId;
}

/** The browser's own process, where the driver started it. */
export function processOf(browser: Browser): ChildProcess | undefined {
  const inside = insideOf<{ options?: { browserProcess?: { process?: ChildProcess } } }>(browser);
  return inside?.options?.browserProcess?.process;
}

/** Where the browser puts the download once it is complete. */
export function fileOf(download: Download): string | undefined {
  // The object that the driver gives is made of what its own side knows.
  const { _artifact: artifact } = download as unknown as { _artifact?: Page };
  return artifact && insideOf<{ _localPath?: string }>(artifact)?._localPath;
}
