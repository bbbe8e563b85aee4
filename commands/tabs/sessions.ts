import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { counted } from "../counted.ts";
import { sessionsOf } from "./saved_state.ts";

export default defineCommand({
  name: "sessions",
  category: "tabs",
  summary: "List the sessions, each with a cookie jar and tabs of its own",
  description:
    "Any command takes --session <name>, and makes the session when it is not there yet. Those that an agent makes carry " +
    "its name: what it calls work is researcher/work to everybody else.",
  scope: "read",
  effect: "none",
  needs: "daemon",
  output: "plain",
  params: v.strictObject({}),
  result: v.strictObject({
    sessions: v.array(
      v.strictObject({ name: v.string(), tabs: v.array(v.string()), current: v.exactOptional(v.string()) }),
    ),
  }),
  examples: ["browse sessions"],
  run({ sessions, holder }) {
    return {
      sessions: sessionsOf(sessions, holder).map((session) => {
        const current = session.current(holder);
        return {
          name: session.name,
          tabs: session.tabs.map(({ id }) => id),
          ...(current && { current: current.id }),
        };
      }),
    };
  },
  render({ sessions }) {
    if (sessions.length === 0) return "No session is open";
    return sessions
      .map(({ name, tabs, current }) => `${name}: ${counted(tabs.length, "tab")}${current ? `, on ${current}` : ""}`)
      .join("\n");
  },
});
