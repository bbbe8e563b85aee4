/**
 * What a page begins while an action is watched and that goes on by itself: timers, frames, messages, reads. What they
 * bring is worth waiting for, and no part of the protocol tells of them. For that time the page's own functions for it
 * stand behind ones that note the call. What a page says here, or keeps from being said, decides only how long it is
 * waited for.
 */
import type { Frame } from "playwright";
import { makeInPage, type PageObject } from "../../browser/driver/world.ts";

/** Timers noted of one action in one document. */
const MAX_TIMERS = 100;
/** How much later than it is due a timer may come. */
const MAX_LATE_MS = 20;

/** What has no end that could be known before it comes; `*` for all methods of a class. Requests are told by the browser. */
const BEGINNERS = `requestAnimationFrame requestIdleCallback postMessage createImageBitmap scroll scrollTo scrollBy
  Worker SharedWorker WebSocket EventSource RTCPeerConnection FontFace
  MessagePort.postMessage Worker.postMessage ServiceWorker.postMessage BroadcastChannel.postMessage WebSocket.send
  Scheduler.postTask Scheduler.yield Element.animate Element.scrollIntoView Element.scrollTo Element.scrollBy Element.scroll
  Animation.play Document.startViewTransition HTMLMediaElement.play HTMLMediaElement.load HTMLCanvasElement.toBlob
  HTMLImageElement.decode ResizeObserver.observe IntersectionObserver.observe
  Blob.text Blob.arrayBuffer Blob.stream FileReader.readAsText FileReader.readAsDataURL FileReader.readAsArrayBuffer
  IDBFactory.open IDBFactory.deleteDatabase IDBDatabase.transaction IDBObjectStore.* SubtleCrypto.* CacheStorage.* Cache.*
  Clipboard.* StorageManager.* Permissions.query LockManager.request Geolocation.getCurrentPosition
  OffscreenCanvas.convertToBlob CookieStore.*`;

/** For `left`. */
const NOTHING = -1;
const SOMETHING = -2;

const WATCH = `(() => {
  const now = performance.now.bind(performance);
  const due = [];
  let hasBegun = false;
  let watching = true;
  const put = [];
  const noteTimer = (given) => {
    hasBegun = true;
    if (due.length >= ${MAX_TIMERS}) return;
    const ms = typeof given[1] === "number" || typeof given[1] === "string" ? Number(given[1]) : 0;
    due.push(now() + (ms > 0 ? ms : 0) + ${MAX_LATE_MS});
  };
  const noteOther = () => { hasBegun = true; };
  const watch = (owner, name, note) => {
    const own = Object.getOwnPropertyDescriptor(owner, name);
    if (typeof own?.value !== "function" || !own.configurable) return;
    const value = new Proxy(own.value, {
      apply(target, self, given) {
        if (watching) note(given);
        return Reflect.apply(target, self, given);
      },
      construct(target, given, by) {
        if (watching) note(given);
        return Reflect.construct(target, given, by);
      },
    });
    Object.defineProperty(owner, name, { ...own, value });
    put.push({ owner, name, own, value });
  };
  watch(window, "setTimeout", noteTimer);
  watch(window, "setInterval", noteTimer);
  for (const [of, method] of ${JSON.stringify(BEGINNERS.split(/\s+/).map((path) => path.split(".")))}) {
    const owner = method === undefined ? window : window[of]?.prototype;
    const names = method === "*" ? Object.getOwnPropertyNames(owner ?? {}) : [method ?? of];
    if (owner) for (const name of names) if (name !== "constructor") watch(owner, name, noteOther);
  }
  return {
    left() {
      const at = now();
      let next = hasBegun ? ${SOMETHING} : ${NOTHING};
      for (let i = 0; i < due.length && i < ${MAX_TIMERS}; i++) {
        const ms = due[i] - at;
        if (ms > 0 && (next < 0 || ms < next)) next = ms;
      }
      return next;
    },
    end() {
      watching = false;
      for (const { owner, name, own, value } of put) {
        if (Object.getOwnPropertyDescriptor(owner, name)?.value === value) Object.defineProperty(owner, name, own);
      }
    },
  };
})()`;

/** A page may have put functions of its own in the place of those that it calls: whatever they give, a number comes out. */
const LEFT = `function () { try { return +this.left(); } catch { return ${SOMETHING}; } }`;

/** Of one document, or of several together. */
export interface WorkLeft {
  /** Nothing has been begun that is not over. False where that is not known. */
  none: boolean;
  /** Until the next timer falls due. */
  timerMs?: number;
}

export class PageWork {
  readonly #object: Promise<PageObject | undefined>;

  /** What is begun is noted from here on, as far as the frame's document is there. */
  constructor(frame: Frame) {
    this.#object = makeInPage(frame, WATCH);
  }

  /** Resolves when the page is watched, or cannot be. */
  async begun(): Promise<void> {
    await this.#object;
  }

  async left(): Promise<WorkLeft> {
    const left = await (await this.#object)?.call(LEFT);
    return { none: left === NOTHING, ...(typeof left === "number" && left >= 0 && { timerMs: left }) };
  }

  end(): void {
    void this.#object.then((object) => object?.call("function () { this.end(); }").finally(() => object.release()));
  }
}
