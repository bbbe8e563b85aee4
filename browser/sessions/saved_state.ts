/** A session as it is written down, and back: nothing that a file says is believed unchecked. */
import * as v from "valibot";
import { byName } from "../../security/states/by_name.ts";
import { isLoadedUrl } from "../loaded_url.ts";
import type { SessionState, StorageState } from "./session_state.ts";

/** One line of an answer, whatever wrote the file. */
const Line = v.pipe(v.string(), v.regex(/^\P{Cc}*$/u));

const CookieSchema = v.strictObject({
  name: v.string(),
  value: v.string(),
  domain: v.pipe(Line, v.minLength(1)),
  path: v.string(),
  expires: v.number(),
  httpOnly: v.boolean(),
  secure: v.boolean(),
  sameSite: v.picklist(["Strict", "Lax", "None"]),
  partitionKey: v.exactOptional(v.string()),
  _crHasCrossSiteAncestor: v.exactOptional(v.boolean()),
});

const OriginSchema = v.pipe(
  v.string(),
  v.check((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? "") && URL.parse(text)?.origin === text),
);

export const SavedStateSchema = v.strictObject({
  cookies: v.array(CookieSchema),
  origins: v.array(
    v.strictObject({
      origin: OriginSchema,
      localStorage: v.array(v.strictObject({ name: v.string(), value: v.string() })),
      // The driver's own form, which it checks itself.
      indexedDB: v.exactOptional(v.array(v.looseObject({ name: v.string() }))),
    }),
  ),
  tabs: v.array(
    v.strictObject({
      url: Line,
      sessionStorage: v.array(v.strictObject({ origin: OriginSchema, items: byName(v.string()) })),
    }),
  ),
  /** Index of the current tab; -1 when there is none. */
  current: v.number(),
});

export type SavedState = v.InferOutput<typeof SavedStateSchema>;

/** Documents that `load-html` showed are left out, and what they stored; and what no site has stored, but a file or a document without origin. */
export function savedStateOf({ storage, tabs, current }: SessionState): SavedState {
  const saved = tabs.filter(({ url }) => !isLoadedUrl(url));
  return {
    cookies: storage.cookies.filter(({ domain }) => !isLoadedUrl(`http://${domain}/`)),
    origins: storage.origins
      .filter(isOfSite)
      .map(({ origin, localStorage, ...more }) => ({ origin, localStorage, ...databasesOf(more) })),
    tabs: saved.map(({ url, sessionStorage }) => ({ url, sessionStorage: sessionStorage.filter(isOfSite) })),
    current: currentAmong(saved, tabs, current),
  };
}

function isOfSite({ origin }: { origin: string }): boolean {
  return v.is(OriginSchema, origin) && !isLoadedUrl(`${origin}/`);
}

/** The image that a session is rebuilt from. */
export function sessionStateFrom({ cookies, origins, tabs, current }: SavedState): SessionState {
  return {
    storage: { cookies, origins } as StorageState,
    tabs: tabs.map(({ url, sessionStorage }) => ({
      url,
      sessionStorage,
      history: { urls: [url], index: 0 },
      scroll: { x: 0, y: 0 },
    })),
    current,
    missing: [],
  };
}

/** What of a state a caller may have: the rest is named in `dropped`. `allows` tells of an address whether it may be loaded. */
export function allowedPart(
  state: SavedState,
  allows: (url: string) => boolean,
): { state: SavedState; dropped: string[] } {
  const dropped = new Set<string>();
  const isAllowed = (url: string) => {
    const allowed = allows(url);
    if (!allowed) dropped.add(url);
    return allowed;
  };
  const tabs = state.tabs.filter(({ url }) => isAllowed(url));
  const kept = {
    cookies: state.cookies.filter(({ domain }) => isAllowed(`http://${domain.replace(/^\./, "")}/`)),
    origins: state.origins.filter(({ origin }) => isAllowed(origin)),
    tabs: tabs.map((tab) => ({ ...tab, sessionStorage: tab.sessionStorage.filter(({ origin }) => isAllowed(origin)) })),
    current: currentAmong(tabs, state.tabs, state.current),
  };
  return { state: kept, dropped: [...dropped] };
}

/** Which of the kept tabs is current: the one that was, else the nearest before it, else the first; -1 when none is kept. */
function currentAmong<Tab>(kept: readonly Tab[], all: readonly Tab[], current: number): number {
  const keptUpToIt = kept.filter((tab) => all.indexOf(tab) <= current).length;
  return Math.min(Math.max(keptUpToIt - 1, 0), kept.length - 1);
}

function databasesOf(more: object): { indexedDB?: SavedState["origins"][number]["indexedDB"] & object } {
  return "indexedDB" in more && Array.isArray(more.indexedDB) && more.indexedDB.length > 0
    ? { indexedDB: more.indexedDB }
    : {};
}
