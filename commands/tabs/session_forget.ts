import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { lastingOf, NamedSession, noSuchSession } from "./_session_params.ts";

export default defineCommand({
  name: "session.forget",
  category: "tabs",
  summary: "Have a session persist no more, and remove what was kept of it",
  description: "The session itself stays open until it is closed or the daemon ends.",
  scope: "control",
  effect: "browser",
  needs: "daemon",
  output: "secret",
  fromPage: "nothing",
  params: v.strictObject({ name: NamedSession }),
  cli: { positional: ["name"] },
  result: v.strictObject({
    forgotten: v.pipe(v.string(), v.description("Whose cookies and storage are written down no more")),
  }),
  examples: ["browse session persist draft", "browse session forget draft"],
  run(context, { name }) {
    const lasting = lastingOf(context);
    if (!lasting?.names.has(name)) throw noSuchSession(context, `No session "${name}" persists`);
    lasting.forget(name);
    return { forgotten: name };
  },
  render: ({ forgotten }) => `The session "${forgotten}" persists no more, and what was kept of it is removed`,
});
