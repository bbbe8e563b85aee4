import * as v from "valibot";
import { counted } from "../../wording.ts";
import { defineCommand } from "../command.ts";
import { sessionsOf } from "./_saved_state.ts";

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
  fromPage: "nothing",
  params: v.strictObject({}),
  result: v.strictObject({
    sessions: v.array(
      v.strictObject({
        name: v.string(),
        tabs: v.array(v.string()),
        current: v.exactOptional(v.string()),
        persists: v.exactOptional(
          v.pipe(v.boolean(), v.description("Its cookies and storage outlive a stop and a crash")),
        ),
      }),
    ),
    notOpen: v.exactOptional(
      v.pipe(v.array(v.string()), v.description("Those that persist, to be opened by their name")),
    ),
  }),
  examples: ["browse sessions"],
  run({ sessions, holder }) {
    const lasting = new Set(holder.tabs === "all" ? sessions.lasting?.names : []);
    const open = sessionsOf(sessions, holder).map((session) => {
      const current = session.current(holder);
      return {
        name: session.name,
        tabs: session.tabs.map(({ id }) => id),
        ...(current && { current: current.id }),
        ...(lasting.delete(session.name) && { persists: true }),
      };
    });
    return { sessions: open, ...(lasting.size > 0 && { notOpen: [...lasting].sort() }) };
  },
  render({ sessions, notOpen = [] }) {
    const lines = sessions.map(
      ({ name, tabs, current, persists }) =>
        `${name}: ${counted(tabs.length, "tab")}${current ? `, on ${current}` : ""}${persists ? ", persists" : ""}`,
    );
    const others = notOpen.map((name) => `${name}: not open, persists`);
    return [...(lines.length > 0 ? lines : ["No session is open"]), ...others].join("\n");
  },
});
