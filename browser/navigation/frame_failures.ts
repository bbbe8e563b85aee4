/** Frames of a page whose documents did not come, as long as they show nothing else. */
import type { Frame, Page, Request } from "playwright";
import { cutUrl } from "../../security/secrets/redact.ts";
import { navigatedFrame } from "../driver/navigated_frame.ts";
import type { FailedFrame } from "../effect_report.ts";

export class FrameFailures {
  /** The last load of each, and how it went as far as it is over. */
  #loads = new WeakMap<Frame, { request: Request; failure?: FailedFrame }>();
  #shown = new WeakMap<Frame, FailedFrame>();

  /** Why the frame does not show what it was to show; undefined where it does, or is on its way. */
  of(frame: Frame): FailedFrame | undefined {
    return this.#shown.get(frame);
  }

  /** Of all frames that are in the page now. */
  in(page: Page): FailedFrame[] {
    return page.frames().flatMap((frame) => this.of(frame) ?? []);
  }

  /** Goes on with this page, and forgets the one before. */
  follow(page: Page): void {
    this.#loads = new WeakMap();
    this.#shown = new WeakMap();
    page.on("request", (request) => {
      const frame = navigatedFrame(request);
      if (frame && frame !== page.mainFrame()) this.#loads.set(frame, { request });
    });
    page.on("response", (response) => {
      const status = response.status();
      if (status >= 400) this.#fail(response.request(), { url: cutUrl(response.url()), status });
    });
    page.on("requestfailed", (request) => {
      const network = /ERR_[A-Z0-9_]+/.exec(request.failure()?.errorText ?? "")?.[0];
      // One that was broken off has not failed.
      if (network && network !== "ERR_ABORTED") this.#fail(request, { url: cutUrl(request.url()), network });
    });
    page.on("framenavigated", (frame) => this.#arrived(frame));
  }

  #fail(request: Request, failure: FailedFrame): void {
    const frame = navigatedFrame(request);
    const load = frame && this.#loads.get(frame);
    if (load?.request === request) load.failure ??= failure;
  }

  /** A document that moves within itself has no load. */
  #arrived(frame: Frame): void {
    const load = this.#loads.get(frame);
    this.#loads.delete(frame);
    if (load?.failure) this.#shown.set(frame, load.failure);
    else if (load || /^about:/.test(frame.url())) this.#shown.delete(frame);
  }
}
