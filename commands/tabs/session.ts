import * as v from "valibot";
import { closeSession } from "../../browser/close_page.ts";
import { BrowseError } from "../../rpc/errors.ts";
import { SessionName } from "../../security/session_name.ts";
import { type BaseContext, defineCommand } from "../command.ts";
import { counted } from "../counted.ts";
import { LoadedSchema, loadedText, loadState, sessionsOf } from "./saved_state.ts";

export default defineCommand({
  name: "session",
  category: "tabs",
  summary: "Open a session with a cookie jar and tabs of its own, or close one",
  scope: "control",
  effect: "browser",
  needs: "daemon",
  sessionParams: ["name"],
  output: "secret",
  timeoutMs: 120_000,
  params: v.strictObject({
    action: v.picklist(["new", "close"]),
    name: SessionName,
    state: v.exactOptional(
      v.pipe(v.string(), v.minLength(1, "must not be empty"), v.description("Saved state to begin with")),
    ),
  }),
  cli: { positional: ["action", "name"] },
  result: v.strictObject({
    opened: v.exactOptional(v.string()),
    loaded: v.exactOptional(LoadedSchema),
    closed: v.exactOptional(v.string()),
    tabs: v.exactOptional(v.pipe(v.number(), v.description("How many were closed with it"))),
  }),
  examples: ["browse session new shopper", "browse session close shopper"],
  async run(context, { action, name, state }) {
    if (action === "new") return await openSession(context, name, state);
    if (state !== undefined) throw new BrowseError("invalid_params", "--state is for `session new`");
    const session = context.sessions.find(name);
    if (!session) throw noSuchSession(context, name);
    const tabs = session.tabs.length;
    await closeSession(session);
    return { closed: name, tabs };
  },
  render({ opened, loaded, closed, tabs = 0 }) {
    if (closed !== undefined) return `Closed the session "${closed}" and ${counted(tabs, "tab")}`;
    const next = `use it with --session ${opened}`;
    return `Opened the session "${opened}": ${next}${loaded ? `\n${loadedText(loaded)}` : ""}`;
  },
});

async function openSession(context: BaseContext, name: string, state: string | undefined) {
  if (context.sessions.find(name)) {
    throw new BrowseError("invalid_params", `The session "${name}" already exists`, {
      hint: `Use it with --session ${name}, or close it with \`browse session close ${name}\``,
    });
  }
  const session = await context.sessions.get(name, context.holder);
  if (state === undefined) return { opened: name };
  try {
    return { opened: name, loaded: await loadState(context, session, state) };
  } catch (error) {
    await closeSession(session);
    throw error;
  }
}

function noSuchSession({ sessions, holder }: BaseContext, name: string): BrowseError {
  const names = sessionsOf(sessions, holder)
    .map((session) => session.name)
    .join(", ");
  return new BrowseError("not_found", `There is no session "${name}"`, {
    hint: names === "" ? "None is open" : `Open sessions: ${names}`,
  });
}
