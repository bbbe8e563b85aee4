/** Advice, as far as it can be had in time: no answer waits for it, and none fails for it. */
import type { Sessions } from "../../browser/sessions/sessions.ts";
import { sessionMeant } from "../../security/tokens/ownership.ts";
import type { Advisor } from "../../skills/notes/advice.ts";
import { type AdvicePort, adviceAt } from "../gate/advising.ts";
import { placesIn } from "../gate/places.ts";
import type { AdviceFor } from "../methods/method.ts";
import type { DaemonLog } from "./daemon_log.ts";

/** Milliseconds. */
const MAX_WAIT = 5_000;

export function adviceAtHand(advisor: Advisor, log: DaemonLog): AdvicePort {
  const told = (host: string, error: unknown) => log.write("warning", `There is no advice about ${host}`, error);
  return {
    about: async (host, { by, signal }) => {
      try {
        return await advisor.about(host, { by, signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT)]) });
      } catch (error) {
        told(host, error);
        return "late";
      }
    },
    count: async (host) => {
      try {
        return await advisor.count(host);
      } catch (error) {
        told(host, error);
        return undefined;
      }
    },
  };
}

/** About the page that the caller's session shows; no tab is opened for it. */
export function adviceOnPage(advisor: Advisor, sessions: () => Sessions, log: DaemonLog): AdviceFor {
  const port = adviceAtHand(advisor, log);
  return async ({ token }, session, told) => {
    const where = session === undefined ? {} : { session: sessionMeant(token, session) };
    const url = placesIn(sessions()).shown(token, where);
    const signal = AbortSignal.timeout(MAX_WAIT);
    return url === undefined ? undefined : await adviceAt(url, { token, told, signal }, port);
  };
}
