import type { Request } from "playwright";
import { redactCut, redactUrl } from "../../security/secrets/redact.ts";
import type { WaitingRequest } from "../effect_report.ts";

/** A page may name any method. Characters. */
const MAX_METHOD = 200;

/** How a request was sent, and where: without secrets, and cut, since a page makes both as long as it likes. */
export function toldRequest(request: Request): WaitingRequest {
  return { method: methodOf(request), url: redactUrl(request.url()) };
}

export function methodOf(request: Request): string {
  return redactCut(request.method(), MAX_METHOD);
}
