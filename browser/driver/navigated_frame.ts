/** What a request or its answer has to do with a document that is to be shown. */
import type { Frame, Request, Response } from "playwright";
import type { EmptyAnswer } from "../effect_report.ts";
import { toldRequest } from "./told_request.ts";

/** "No Content" and "Reset Content": for these a browser leaves what it shows. */
const WITHOUT_DOCUMENT = new Set([204, 205]);

/** The frame that the request is to bring a document into. A navigation without one is that of a tab that is being opened. */
export function navigatedFrame(request: Request): Frame | undefined {
  if (!request.isNavigationRequest()) return undefined;
  try {
    return request.frame();
  } catch {
    return undefined;
  }
}

/** What the answer says when it brings nothing that could be shown; undefined of any other. */
export function emptyAnswer(response: Response): EmptyAnswer | undefined {
  const request = response.request();
  const status = response.status();
  if (!request.isNavigationRequest() || !WITHOUT_DOCUMENT.has(status)) return undefined;
  return { ...toldRequest(request), status };
}
