import * as v from "valibot";
import { goTo } from "../../browser/navigation/navigation.ts";
import { NavigationSchema, navigationText, WaitParam } from "../arrival.ts";
import { defineCommand } from "../command.ts";
import { Address } from "../params.ts";

export default defineCommand({
  name: "goto",
  category: "navigate",
  summary: "Load an address in the tab",
  description:
    "A bare host gets https://, a loopback host http://. A status such as 404 is reported, not an error. " +
    "Dialogs that open while the page loads are answered by the dialog policy and reported. " +
    "A tab that has crashed comes back.",
  aliases: ["open"],
  scope: "write",
  effect: "navigation",
  leavesPage: true,
  needs: "tab",
  remote: true,
  output: "plain",
  fromPage: "parts",
  revivesTab: true,
  timeoutMs: 15_000,
  params: v.strictObject({
    url: Address,
    wait: WaitParam,
  }),
  cli: { positional: ["url"] },
  result: NavigationSchema,
  examples: ["browse goto http://shop.example/", "browse goto http://shop.example/about --wait load"],
  async run({ tab, signal, waitsFor }, { url, wait = "dom" }) {
    return await goTo(tab, url, { wait, signal, waitsFor });
  },
  render: navigationText,
});
