import * as v from "valibot";
import { reload } from "../../browser/navigation/navigation.ts";
import { NavigationSchema, navigationText, WaitParam } from "../arrival.ts";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "reload",
  category: "navigate",
  summary: "Reload the tab's page",
  description:
    "The answer to a form that was sent is loaded again with --resend only, which sends the form again. " +
    "A tab that has crashed comes back, with its history; what lived in its page is lost.",
  scope: "write",
  effect: "navigation",
  needs: "tab",
  remote: true,
  output: "plain",
  fromPage: "parts",
  revivesTab: true,
  timeoutMs: 15_000,
  params: v.strictObject({
    hard: v.exactOptional(v.pipe(v.boolean(), v.description("Bypass the browser's cache"))),
    resend: v.exactOptional(v.pipe(v.boolean(), v.description("Send the form that this page is the answer to again"))),
    wait: WaitParam,
  }),
  result: NavigationSchema,
  examples: ["browse reload", "browse reload --hard"],
  async run({ tab, signal, waitsFor }, { hard = false, resend = false, wait = "dom" }) {
    return await reload(tab, { hard, resend, wait, signal, waitsFor });
  },
  render: navigationText,
});
