import * as v from "valibot";
import { goTo } from "../../browser/navigation/navigation.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import type { Unmet } from "../../browser/unmet.ts";
import { BrowseError } from "../../errors.ts";
import { NavigationSchema, navigationText } from "../arrival.ts";
import { defineCommand } from "../command.ts";
import { EffectSchema } from "../effect.ts";
import { Address } from "../params.ts";

export default defineCommand({
  name: "newtab",
  category: "tabs",
  summary: "Open a tab, make it current, and load an address in it",
  scope: "write",
  effect: "browser",
  needs: "session",
  reach: "own",
  opensTab: true,
  showsTab: true,
  remote: true,
  output: "plain",
  fromPage: "parts",
  params: v.strictObject({
    url: v.exactOptional(Address),
  }),
  cli: { positional: ["url"] },
  result: v.strictObject({ id: v.string(), ...NavigationSchema.entries, effect: v.exactOptional(EffectSchema) }),
  examples: ["browse newtab", "browse newtab http://shop.example/about"],
  async run({ session, holder, signal, navigateNewTab, waitsFor }, { url }) {
    const tab = await session.newTab(holder);
    if (url === undefined) return { id: tab.id, url: tab.url };
    const told = (tell: () => Unmet) => waitsFor(() => unmetIn(tab, tell()));
    const load = async () => await goTo(tab, url, { wait: "dom", signal, waitsFor: told });
    try {
      return { id: tab.id, ...(await navigateNewTab(tab, load)) };
    } catch (error) {
      throw failedIn(tab, error);
    }
  },
  render: ({ id, ...arrival }) =>
    `Opened ${id}${arrival.url === "about:blank" && !arrival.shows ? "" : `: ${navigationText(arrival)}`}`,
});

function unmetIn({ id }: Tab, { what, now, hint }: Unmet): Unmet {
  return { what, now: `${now}; ${id} is open`, ...(hint !== undefined && { hint }) };
}

/** Whoever is told of the load alone would open one more. */
function failedIn({ id, page }: Tab, error: unknown): unknown {
  if (!(error instanceof BrowseError) || page.isClosed()) return error;
  const { kind, message, hint, details, cause } = error;
  return new BrowseError(kind, `${message}; ${id} is open`, { hint, details: { ...details, tab: id }, cause });
}
