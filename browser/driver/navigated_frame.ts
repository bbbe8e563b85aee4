import type { Frame, Request } from "playwright";

/** The frame that the request is to bring a document into. A navigation without one is that of a tab that is being opened. */
export function navigatedFrame(request: Request): Frame | undefined {
  if (!request.isNavigationRequest()) return undefined;
  try {
    return request.frame();
  } catch {
    return undefined;
  }
}
