import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { NamedSession, PERSISTS, Persisting, persist } from "./_session_params.ts";

export default defineCommand({
  name: "session.persist",
  category: "tabs",
  summary: "Have a session outlive a stop and a crash",
  description: PERSISTS,
  scope: "control",
  effect: "browser",
  needs: "daemon",
  output: "secret",
  fromPage: "nothing",
  params: v.strictObject({ name: NamedSession }),
  cli: { positional: ["name"] },
  result: v.strictObject({ persisting: Persisting }),
  examples: ["browse session persist shopper"],
  run: async (context, { name }) => await persist(context, await context.sessions.get(name, context.holder)),
  render: ({ persisting }) =>
    `The session "${persisting}" persists: its cookies and storage outlive a stop and a crash`,
});
