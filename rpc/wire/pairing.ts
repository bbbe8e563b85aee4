/** The exchange of a pairing key for a client token: the one thing that is answered to who has no token yet. */
import type { IncomingMessage, ServerResponse } from "node:http";
import * as v from "valibot";
import { toBrowseError } from "../../errors.ts";
import type { RecordDenial } from "../../security/tokens/denials.ts";
import type { Exchanged, TokenRegistry } from "../../security/tokens/token.ts";
import type { Caller } from "../gate/call.ts";
import { sourceOf } from "./authenticate.ts";
import { answerStatus, answerText, type Route, readBody } from "./http_answer.ts";

const MAX_BODY_BYTES = 4_096;
const Body = v.strictObject({ key: v.string() });

interface PairingOptions {
  via: Caller["via"];
  tokens: TokenRegistry;
  recordDenial: RecordDenial;
}

/** `POST` with the key as `{"key": "…"}` or as it is; answers with the grant, or the token alone for `Accept: text/plain`. */
export function makePairing({ via, tokens, recordDenial }: PairingOptions): Route {
  return async (request, response) => {
    const body = await readBody(request, MAX_BODY_BYTES);
    if (typeof body === "number") return answerStatus(response, body);
    try {
      answerGrant(request, response, tokens.exchange(keyIn(body), via));
    } catch (error) {
      const isTooOften = toBrowseError(error).kind === "rate_limited";
      recordDenial({ reason: isTooOften ? "rate_limited" : "pairing_key", source: sourceOf(request) });
      if (isTooOften) answerStatus(response, 429, { "retry-after": "60" });
      else answerStatus(response, 401);
    }
  };
}

function answerGrant(request: IncomingMessage, response: ServerResponse, { secret, token }: Exchanged): void {
  if (request.headers.accept === "text/plain") {
    answerText(response, "text/plain", `${secret}\n`);
    return;
  }
  const { name, scopes, tabs, shared, domains, fileRoots, expiresAt } = token;
  const grant = {
    token: secret,
    name,
    scopes: [...scopes],
    tabs,
    shared: [...shared],
    domains: domains?.patterns,
    files: fileRoots,
    expiresAt,
  };
  answerText(response, "application/json", `${JSON.stringify(grant)}\n`);
}

/** What is not JSON is the key itself. */
function keyIn(body: string): string {
  try {
    const parsed = v.safeParse(Body, JSON.parse(body));
    return parsed.success ? parsed.output.key : "";
  } catch {
    return body.trim();
  }
}
