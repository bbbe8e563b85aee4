import * as v from "valibot";
import { closeSession } from "../../browser/tabs/close_page.ts";
import { BrowseError } from "../../errors.ts";
import { defineCommand } from "../command.ts";
import { LoadedSchema, loadedText, loadState } from "./_saved_state.ts";
import { lastingOf, NamedSession, PERSISTS, Persisting, persist } from "./_session_params.ts";
import { STATE_TIMEOUT_MS } from "./_state_params.ts";

export default defineCommand({
  name: "session.new",
  category: "tabs",
  summary: "Open a session with a cookie jar and tabs of its own",
  description: PERSISTS,
  scope: "control",
  effect: "browser",
  needs: "daemon",
  output: "secret",
  fromPage: "nothing",
  timeoutMs: STATE_TIMEOUT_MS,
  params: v.strictObject({
    name: NamedSession,
    state: v.exactOptional(
      v.pipe(v.string(), v.minLength(1, "must not be empty"), v.description("Saved state to begin with")),
    ),
    persist: v.exactOptional(v.pipe(v.boolean(), v.description("Have it persist from its beginning"))),
  }),
  cli: { positional: ["name"] },
  result: v.strictObject({
    opened: v.string(),
    persisting: v.exactOptional(Persisting),
    loaded: v.exactOptional(LoadedSchema),
  }),
  examples: ["browse session new shopper", "browse session new bank --persist"],
  async run(context, { name, state, persist: isToPersist = false }) {
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
  },
  render({ opened, persisting, loaded }) {
    const kept = persisting === undefined ? "" : "; its cookies and storage outlive a stop and a crash";
    const next = `use it with --session ${opened}${kept}`;
    return `Opened the session "${opened}": ${next}${loaded ? `\n${loadedText(loaded)}` : ""}`;
  },
});
