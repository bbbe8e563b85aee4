import * as v from "valibot";
import { titleOf } from "../../browser/capture/page_title.ts";
import { comingTabs } from "../../browser/tabs/coming_tabs.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { cutText } from "../../security/content/cut_text.ts";
import { cutUrl } from "../../security/secrets/redact.ts";
import type { Token } from "../../security/tokens/token.ts";
import { defineCommand } from "../command.ts";
import { placeText, TabSchema, type TabShape, tabShape } from "./_tab_shape.ts";

/** As much as a list shows. Characters. */
const MAX_TITLE = 100;

interface OwnTab {
  title?: string;
  loading?: string;
  opening?: string[];
  agent?: string;
}

export default defineCommand({
  name: "tabs",
  category: "tabs",
  summary: "List the session's tabs",
  scope: "read",
  effect: "none",
  needs: "session",
  reach: "own",
  remote: true,
  output: "page",
  fromPage: "parts",
  params: v.strictObject({}),
  result: v.strictObject({
    tabs: v.array(
      v.strictObject({
        ...TabSchema.entries,
        url: v.exactOptional(
          v.pipe(
            v.string(),
            v.description(
              "Absent for a tab of somebody else, and for one that shows what the caller's token may not see",
            ),
          ),
        ),
        title: v.exactOptional(v.string()),
        loading: v.exactOptional(
          v.pipe(
            v.string(),
            v.description(
              "The address that it is on its way to, whose server has not answered; `stop-loading` breaks it off",
            ),
          ),
        ),
        opening: v.exactOptional(
          v.pipe(
            v.array(v.string()),
            v.description(
              "Addresses of tabs that its page has asked for, whose servers have not answered; `stop-loading` closes them",
            ),
          ),
        ),
        agent: v.exactOptional(v.pipe(v.string(), v.description("Name of the paired agent whose tab it is"))),
      }),
    ),
  }),
  examples: ["browse tabs"],
  async run({ session, holder, owns, mayKnow }) {
    const current = session.current(holder);
    const tabs = session.tabs.map(async (tab) => ({
      ...(owns(tab) ? await ownTab(tab, holder, mayKnow) : { id: tab.id, ...(tab.hasCrashed && { crashed: true }) }),
      current: tab === current,
    }));
    return { tabs: await Promise.all(tabs) };
  },
  render({ tabs }) {
    return tabs.length === 0
      ? "No tabs are open"
      : tabs
          .map(({ id, current, url = "not yours to see", title, loading, opening, agent, ...place }) => {
            const called = title === undefined ? "" : ` ${JSON.stringify(title)}`;
            const by = agent === undefined ? "" : ` (of the agent ${JSON.stringify(agent)})`;
            const going = loading === undefined ? "" : ` (loading ${loading}, not there yet)`;
            const asked = opening ? ` (opening ${opening.join(", ")}, not there yet)` : "";
            return `${current ? "*" : " "} ${id}${called} ${placeText({ ...place, url })}${going}${asked}${by}`;
          })
          .join("\n");
  },
});

async function ownTab(
  tab: Tab,
  asking: Token | undefined,
  mayKnow: (url: string) => boolean,
): Promise<Omit<TabShape, "current"> & OwnTab> {
  const title = await titleOf(tab);
  const opening = comingTabs(tab).filter(mayKnow);
  const next = tab.pendingNavigation.url;
  const loading = next !== undefined && mayKnow(next) ? cutUrl(next) : undefined;
  // Agents see no tabs of other agents.
  const isForUser = asking === undefined || asking.kind === "root";
  const agent = isForUser && tab.holder?.kind !== "root" ? tab.holder?.name : undefined;
  return {
    ...tabShape(tab),
    ...(title !== undefined && { title: cutText(title, MAX_TITLE) }),
    ...(loading !== undefined && { loading }),
    ...(opening.length > 0 && { opening }),
    ...(agent !== undefined && { agent }),
  };
}
