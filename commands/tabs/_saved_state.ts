/** Saved states, as `state` and `session` use them. */
import * as v from "valibot";
import { translateDriverError } from "../../browser/driver/errors.ts";
import { type Rebuilt, rebuildSession } from "../../browser/sessions/rebuild.ts";
import {
  allowedPart,
  type SavedState,
  SavedStateSchema,
  sessionStateFrom,
} from "../../browser/sessions/saved_state.ts";
import type { Session } from "../../browser/sessions/session.ts";
import type { Sessions } from "../../browser/sessions/sessions.ts";
import { type StoredState, unreadable } from "../../security/states/state_store.ts";
import { mayWorkIn } from "../../security/tokens/ownership.ts";
import type { Token } from "../../security/tokens/token.ts";
import { counted } from "../../wording.ts";
import type { BaseContext } from "../context.ts";

export const SummarySchema = v.strictObject({
  // `cookies` would be redacted, as cookies are.
  cookieCount: v.number(),
  domains: v.pipe(v.array(v.string()), v.description("Whose cookies they are")),
  origins: v.pipe(v.array(v.string()), v.description("Who has something in local storage or a database")),
  databaseCount: v.number(),
  tabs: v.pipe(v.array(v.string()), v.description("Addresses of the tabs, in order")),
});

export const LoadedSchema = v.strictObject({
  ...SummarySchema.entries,
  dropped: v.exactOptional(v.pipe(v.array(v.string()), v.description("What the URL policy does not allow"))),
  failed: v.exactOptional(
    v.pipe(v.array(v.strictObject({ url: v.string(), reason: v.string() })), v.description("Tabs that did not load")),
  ),
});

/** Throws `not_found`, `state_unreadable`, `unsupported`. */
export async function readState(
  { daemon }: BaseContext,
  name: string,
): Promise<Omit<StoredState, "content"> & { state: SavedState }> {
  const { content, ...stored } = await daemon.states.load(name);
  const parsed = v.safeParse(SavedStateSchema, content);
  if (!parsed.success) throw unreadable(name, "its file is damaged");
  return { ...stored, state: parsed.output };
}

/** Puts a saved state in the place of all that the session holds; it stays as it was when that fails. */
export async function loadState(
  context: BaseContext,
  session: Session,
  name: string,
): Promise<v.InferOutput<typeof LoadedSchema>> {
  const { state, dropped } = allowedPart((await readState(context, name)).state, (url) => isAllowed(context, url));
  const { failed } = await rebuild(session, name, state, context.signal);
  return {
    ...summaryOf(state),
    ...(dropped.length > 0 && { dropped }),
    ...(failed.length > 0 && { failed }),
  };
}

/** What the browser itself does not take is a fault of the file. */
async function rebuild(session: Session, name: string, state: SavedState, signal: AbortSignal): Promise<Rebuilt> {
  try {
    return await rebuildSession(session, { image: sessionStateFrom(state), signal });
  } catch (error) {
    signal.throwIfAborted();
    const told = translateDriverError(error);
    throw told.kind === "internal" ? unreadable(name, "the browser does not take what is in it", error) : told;
  }
}

export function summaryOf({ cookies, origins, tabs }: SavedState): v.InferOutput<typeof SummarySchema> {
  return {
    cookieCount: cookies.length,
    domains: [...new Set(cookies.map(({ domain }) => domain.replace(/^\./, "")))].sort(),
    origins: origins.map(({ origin }) => origin).sort(),
    databaseCount: origins.reduce((sum, { indexedDB = [] }) => sum + indexedDB.length, 0),
    tabs: tabs.map(({ url }) => url),
  };
}

export function summaryText(summary: v.InferOutput<typeof SummarySchema>): string {
  const { cookieCount, domains, origins, databaseCount, tabs } = summary;
  const parts = [
    `${counted(cookieCount, "cookie")}${cookieCount > 0 ? ` of ${domains.join(", ")}` : ""}`,
    origins.length === 0 ? "nothing stored" : `storage of ${origins.join(", ")}`,
    ...(databaseCount > 0 ? [counted(databaseCount, "database")] : []),
    counted(tabs.length, "tab"),
  ];
  return [parts.join("; "), ...tabs.map((url) => `  ${url}`)].join("\n");
}

export function loadedText({ dropped, failed, ...summary }: v.InferOutput<typeof LoadedSchema>): string {
  const left = dropped?.map((url) => `\nLeft out: ${url} may not be opened`) ?? [];
  const broken = failed?.map(({ url, reason }) => `\nNot loaded: ${url}: ${reason}`) ?? [];
  return [summaryText(summary), ...left, ...broken].join("");
}

/** The sessions that the holder may work in: of others it is not told. */
export function sessionsOf(sessions: Sessions, holder: Token): Session[] {
  return sessions.all.filter((session) => mayWorkIn(holder, session));
}

function isAllowed(context: BaseContext, url: string): boolean {
  try {
    context.checkUrl(url);
    return true;
  } catch {
    // The answer names what was left out.
    return false;
  }
}
