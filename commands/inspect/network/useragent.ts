import * as v from "valibot";
import type { Emulation } from "../../../browser/emulation/emulation.ts";
import { BrowseError } from "../../../errors.ts";
import { defineCommand } from "../../command.ts";

export default defineCommand({
  name: "useragent",
  category: "inspect",
  summary: "Show or set the session's user agent",
  description:
    "It is for all tabs of the session, also later ones. Pages are not loaded again: reload to let servers see it.",
  scope: "admin",
  effect: "none",
  needs: "tab",
  reach: "session",
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({
    userAgent: v.exactOptional(
      v.pipe(
        v.string(),
        v.regex(/^[\x20-\x7e]{1,1000}$/, "must be 1 to 1000 printable ASCII characters"),
        v.description("What to send from now on; shown when absent"),
      ),
    ),
    reset: v.exactOptional(v.pipe(v.boolean(), v.description("Go back to the browser's own"))),
  }),
  cli: { rest: "userAgent" },
  raises: [
    { param: "userAgent", scope: "admin", effect: "browser" },
    { param: "reset", scope: "admin", effect: "browser" },
  ],
  result: v.strictObject({ userAgent: v.string() }),
  examples: [
    "browse useragent",
    "browse useragent 'Mozilla/5.0 (compatible; ExampleBot/1.0)'",
    "browse useragent --reset",
  ],
  async run({ tab, session, signal }, { userAgent, reset }) {
    if (reset && userAgent !== undefined)
      throw new BrowseError("invalid_params", "--reset cannot be combined with a user agent");
    if (reset || userAgent !== undefined) {
      const change = ({ userAgent: _, ...others }: Emulation) => ({
        ...others,
        ...(userAgent !== undefined && { userAgent }),
      });
      await session.emulation.change(change, signal);
    }
    const cdp = await tab.cdp();
    return { userAgent: session.emulation.settings.userAgent ?? (await cdp.send("Browser.getVersion")).userAgent };
  },
  render: ({ userAgent }) => userAgent,
});
