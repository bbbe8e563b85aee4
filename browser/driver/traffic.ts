/**
 * How much the browser tells the driver of a page, of whatever kind: lines, requests, frames, navigations, workers. All
 * pages share one pipe, and the browser's one thread behind it: who says too much there is heard at everybody's cost. What
 * is too long is cut on the way.
 */
import type { Page } from "playwright";
import { insideOf } from "./inside.ts";
import { cutLongStrings } from "./long_strings.ts";

interface InnerPage {
  delegate?: { _mainFrameSession?: { _client?: InnerSession } };
}

/** What the driver hears a page by, and each frame and worker in a process or thread of its own. */
interface InnerSession {
  _parentSession?: InnerSession | null;
  _onMessage?(message: Message): unknown;
}

interface Message {
  id?: number;
  method?: string;
  params?: { args?: { value?: unknown }[] };
}

/** Of a message of which only the number counts. */
const PLAIN = 1;
/** So many characters of a console line weigh as much as a message. */
const CHARACTERS = 100;

const listeners = new WeakMap<InnerSession, (weight: number) => void>();
const heard = new WeakSet<object>();

/** Calls `listener` for each event of the page, its frames and workers. False where the driver cannot be listened to. */
export function weighTraffic(page: Page, listener: (weight: number) => void): boolean {
  const session = insideOf<InnerPage>(page)?.delegate?._mainFrameSession?._client;
  if (!session || !hear(session)) return false;
  listeners.set(session, listener);
  return true;
}

function hear(session: InnerSession): boolean {
  const prototype: InnerSession = Object.getPrototypeOf(session);
  if (heard.has(prototype)) return true;
  const original = prototype._onMessage;
  if (!original) return false;
  heard.add(prototype);
  prototype._onMessage = function (this: InnerSession, message) {
    // Answers come to questions of ours.
    if (message.id === undefined) {
      listenerOf(this)?.(weightOf(message));
      cutLongStrings(message);
    }
    return original.call(this, message);
  };
  return true;
}

/** That of the page which the session is of, or is below. */
function listenerOf(session: InnerSession): ((weight: number) => void) | undefined {
  for (let at: InnerSession | null | undefined = session; at; at = at._parentSession) {
    const listener = listeners.get(at);
    if (listener) return listener;
  }
  return undefined;
}

function weightOf({ method, params }: Message): number {
  if (method !== "Runtime.consoleAPICalled") return PLAIN;
  let characters = 0;
  for (const { value } of params?.args ?? []) if (typeof value === "string") characters += value.length;
  return PLAIN + characters / CHARACTERS;
}
