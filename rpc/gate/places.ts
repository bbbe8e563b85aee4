/** What is open in the browser, as far as authority goes. */
import type { Sessions } from "../../browser/sessions/sessions.ts";
import { SHARED_SESSION } from "../../security/tokens/ownership.ts";
import type { Token } from "../../security/tokens/token.ts";
import type { Places } from "./authorize.ts";

export interface ShownPlaces extends Places {
  /** What the tab shows that a call would work on; undefined while it has none. */
  shown(token: Token, where: { session?: string; tab?: string }): string | undefined;
}

export function placesIn(sessions: Sessions): ShownPlaces {
  return {
    get sessions() {
      return sessions.all;
    },
    tab: (id) => sessions.tab(id),
    session: (name) => sessions.find(name),
    tabCount: ({ id }) => sessions.all.flatMap(({ tabs }) => tabs).filter(({ holder }) => holder?.id === id).length,
    shown: (token, { session = SHARED_SESSION, tab }) => {
      const working = tab === undefined ? sessions.find(session)?.current(token) : sessions.tab(tab);
      return working?.page.url();
    },
  };
}
