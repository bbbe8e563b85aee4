import * as v from "valibot";
import type { LastingSessions } from "../../browser/sessions/lasting_sessions.ts";
import type { Session } from "../../browser/sessions/session.ts";
import { closeSession } from "../../browser/tabs/close_page.ts";
import { BrowseError } from "../../errors.ts";
import { SessionName } from "../../security/tokens/session_name.ts";
import { counted } from "../../wording.ts";
import { type BaseContext, defineCommand } from "../command.ts";
import { isSession } from "../params.ts";
import { LoadedSchema, loadedText, loadState, sessionsOf } from "./_saved_state.ts";

export default defineCommand({
  name: "session",
  category: "tabs",
  summary: "Open a session with a cookie jar and tabs of its own, have one persist, or close one",
  description:
    "What persists are cookies, local storage and IndexedDB, through a stop and a crash: written down a few seconds " +
    "after each command, for this user only, encrypted with BROWSE_STATE_KEY or the system's keychain where there is " +
    "one. `forget` ends that and removes what was written, as `close` does. All of the user's sessions persist with " +
    '{"persist": true} in ~/.browse/config.json. A restart and an idle end lose nothing either way.',
  scope: "control",
  effect: "browser",
  needs: "daemon",
  output: "secret",
  timeoutMs: 120_000,
  params: v.strictObject({
    action: v.picklist(["new", "persist", "forget", "close"]),
    name: v.pipe(SessionName, v.description("The session's name"), isSession),
    state: v.exactOptional(
      v.pipe(v.string(), v.minLength(1, "must not be empty"), v.description("Saved state to begin with")),
    ),
    persist: v.exactOptional(v.pipe(v.boolean(), v.description("Have it persist from its beginning"))),
  }),
  cli: { positional: ["action", "name"] },
  result: v.strictObject({
    opened: v.exactOptional(v.string()),
    persisting: v.exactOptional(
      v.pipe(v.string(), v.description("Whose cookies and storage outlive a stop and a crash")),
    ),
    forgotten: v.exactOptional(v.pipe(v.string(), v.description("Whose cookies and storage are written down no more"))),
    loaded: v.exactOptional(LoadedSchema),
    closed: v.exactOptional(v.string()),
    tabs: v.exactOptional(v.pipe(v.number(), v.description("How many were closed with it"))),
  }),
  examples: [
    "browse session new shopper",
    "browse session new bank --persist",
    "browse session persist shopper",
    "browse session close shopper",
  ],
  async run(context, { action, name, ...options }) {
    if (action === "new") return await openSession(context, name, options);
    const given = Object.keys(options)[0];
    if (given) throw new BrowseError("invalid_params", `--${given} is for \`session new\``);
    if (action === "persist") return await persist(context, await context.sessions.get(name, context.holder));
    const session = context.sessions.find(name);
    const isKept = lastingOf(context)?.names.has(name) ?? false;
    if (!isKept && (!session || action === "forget")) throw noSuchSession(context, name, action);
    const tabs = session?.tabs.length ?? 0;
    if (session && action === "close") await closeSession(session);
    if (isKept) lastingOf(context)?.forget(name);
    return action === "forget" ? { forgotten: name } : { closed: name, tabs };
  },
  render({ opened, loaded, persisting, forgotten, closed, tabs = 0 }) {
    if (closed !== undefined) return `Closed the session "${closed}" and ${counted(tabs, "tab")}`;
    if (forgotten !== undefined)
      return `The session "${forgotten}" persists no more, and what was kept of it is removed`;
    const kept = persisting === undefined ? "" : "cookies and storage outlive a stop and a crash";
    if (opened === undefined) return `The session "${persisting}" persists: its ${kept}`;
    const next = `use it with --session ${opened}${kept && `; its ${kept}`}`;
    return `Opened the session "${opened}": ${next}${loaded ? `\n${loadedText(loaded)}` : ""}`;
  },
});

interface NewOptions {
  state?: string;
  persist?: boolean;
}

async function openSession(context: BaseContext, name: string, { state, persist: isToPersist = false }: NewOptions) {
  if (context.sessions.find(name) || lastingOf(context)?.names.has(name)) {
    throw new BrowseError("invalid_params", `The session "${name}" already exists`, {
      hint: `Use it with --session ${name}, or close it with \`browse session close ${name}\``,
    });
  }
  const session = await context.sessions.get(name, context.holder);
  try {
    const loaded = state === undefined ? {} : { loaded: await loadState(context, session, state) };
    return { opened: name, ...loaded, ...(isToPersist && (await persist(context, session))) };
  } catch (error) {
    await closeSession(session);
    throw error;
  }
}

/** The ones that persist are the user's own: an agent's end with its token. */
async function persist(context: BaseContext, session: Session): Promise<{ persisting: string }> {
  const lasting = lastingOf(context);
  if (!lasting) throw new BrowseError("unsupported", "The sessions of an agent end with its token, and do not persist");
  await lasting.begin(session);
  return { persisting: session.name };
}

/** Undefined for an agent with nothing but what is its own. */
function lastingOf({ sessions, holder }: BaseContext): LastingSessions | undefined {
  return holder.tabs === "all" ? sessions.lasting : undefined;
}

function noSuchSession({ sessions, holder }: BaseContext, name: string, action: string): BrowseError {
  const names = sessionsOf(sessions, holder)
    .map((session) => session.name)
    .join(", ");
  const what = action === "forget" ? `No session "${name}" persists` : `There is no session "${name}"`;
  return new BrowseError("not_found", what, {
    hint: names === "" ? "None is open" : `Open sessions: ${names}`,
  });
}
