/**
 * A session's own way to the browser. The public one notes the caller's stack and takes each call and answer through the
 * driver's protocol, which costs as much as the rest of a short call.
 */
import type { CDPSession } from "playwright";
import { insideOf } from "./inside.ts";

export type Sending = Pick<CDPSession, "send">;

/**
 * For what is asked often and answered alone: answers may overtake the events that the browser has sent before them.
 * The public way where there is no other, and for the session's end, which it has the words for.
 */
export function directly(cdp: CDPSession): Sending {
  const session = insideOf<{ _session?: Sending }>(cdp)?._session;
  if (!session) return cdp;
  const send: CDPSession["send"] = async (method, params) => {
    try {
      return await session.send(method, params);
    } catch (error) {
      if ((error as { type?: unknown }).type === "error") throw error;
      return await cdp.send(method, params);
    }
  };
  return { send };
}
