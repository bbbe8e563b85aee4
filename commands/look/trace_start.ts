import * as v from "valibot";
import { startTrace } from "../../browser/sessions/tracing.ts";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "trace.start",
  category: "look",
  summary: "Start a Playwright trace of the session",
  description:
    "A zip that Playwright's viewer opens (`npx playwright show-trace trace.zip`): pages before and after each action, " +
    "network with headers and bodies, console. It holds whatever the pages held, secrets too. Commands are slower meanwhile.",
  scope: "write",
  effect: "disk",
  needs: "session",
  reach: "tabs",
  output: "plain",
  fromPage: "parts",
  params: v.strictObject({}),
  result: v.strictObject({ session: v.string() }),
  examples: ["browse trace start"],
  async run({ session }) {
    await startTrace(session);
    return { session: session.name };
  },
  render: ({ session }) => `Tracing session ${session}: end with \`browse trace stop\``,
});
