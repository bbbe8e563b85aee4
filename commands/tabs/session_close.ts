import * as v from "valibot";
import { closeSession } from "../../browser/tabs/close_page.ts";
import { counted } from "../../wording.ts";
import { defineCommand } from "../command.ts";
import { lastingOf, NamedSession, noSuchSession } from "./_session_params.ts";

export default defineCommand({
  name: "session.close",
  category: "tabs",
  summary: "Close a session with its tabs, and remove what was kept of it",
  scope: "control",
  effect: "browser",
  needs: "daemon",
  output: "secret",
  fromPage: "nothing",
  params: v.strictObject({ name: NamedSession }),
  cli: { positional: ["name"] },
  result: v.strictObject({
    closed: v.string(),
    tabs: v.pipe(v.number(), v.description("How many were closed with it")),
  }),
  examples: ["browse session new cart", "browse session close cart"],
  async run(context, { name }) {
    const lasting = lastingOf(context);
    const session = context.sessions.find(name);
    const isKept = lasting?.names.has(name) ?? false;
    if (!isKept && !session) throw noSuchSession(context, `There is no session "${name}"`);
    const tabs = session?.tabs.length ?? 0;
    if (session) await closeSession(session);
    if (isKept) lasting?.forget(name);
    return { closed: name, tabs };
  },
  render: ({ closed, tabs }) => `Closed the session "${closed}" and ${counted(tabs, "tab")}`,
});
