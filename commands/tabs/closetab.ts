import * as v from "valibot";
import type { Session } from "../../browser/sessions/session.ts";
import { noSuchTab } from "../../browser/tabs/no_such_tab.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { hasOpened } from "../../security/tokens/ownership.ts";
import type { Token } from "../../security/tokens/token.ts";
import { defineCommand } from "../command.ts";
import { TabId } from "../params.ts";

export default defineCommand({
  name: "closetab",
  category: "tabs",
  summary: "Close the current tab, the named one, or all others",
  description:
    "It never waits for the page: one that hangs, or will not be left, is ended with what runs in it within two seconds.",
  aliases: ["close"],
  scope: "write",
  effect: "browser",
  needs: "session",
  reach: "own",
  remote: true,
  output: "plain",
  fromPage: "parts",
  params: v.strictObject({
    id: v.exactOptional(TabId),
    others: v.exactOptional(
      v.pipe(
        v.boolean(),
        v.description(
          "Close every tab in the session that you opened but this one, which becomes current; none that an agent opened",
        ),
      ),
    ),
  }),
  cli: { positional: ["id"] },
  result: v.strictObject({
    closed: v.exactOptional(v.string()),
    others: v.exactOptional(v.pipe(v.array(v.string()), v.description("Those that were closed, with --others"))),
    current: v.exactOptional(
      v.pipe(v.string(), v.description("The tab that is current now; absent when none of yours is left")),
    ),
    left: v.exactOptional(v.pipe(v.array(v.string()), v.description("Tabs of others, where none of yours is left"))),
  }),
  examples: ["browse closetab", "browse closetab t1 --others"],
  async run({ session, holder }, { id, others }) {
    const tab = id === undefined ? session.current(holder) : session.find(id);
    if (!tab && id !== undefined) throw noSuchTab(id, session.tabs);
    if (!tab) throw new BrowseError("tab_gone", "No tab is open", { hint: "Open one with `browse newtab`" });
    if (!others) await session.close(tab);
    const closed = others ? await closeOthers(session, tab, holder) : [];
    const current = session.current(holder);
    const left = session.tabs.map(({ id: left }) => left).filter((left) => left !== current?.id);
    return {
      ...(others ? { others: closed } : { closed: tab.id }),
      ...(current ? { current: current.id } : left.length > 0 && { left }),
    };
  },
  render: ({ closed, others = [], current, left }) => {
    const now = current
      ? `now on ${current}`
      : `no tab ${left ? `of yours is left, but ${left.join(", ")} of others` : "is left"}`;
    return `Closed ${closed ?? (others.join(", ") || "nothing")}, ${now}`;
  },
});

/** Their ids. The tab that stays becomes current. */
async function closeOthers(session: Session, kept: Tab, holder: Token): Promise<string[]> {
  const others = session.tabs.filter((tab) => tab !== kept && hasOpened(holder, tab));
  session.select(kept, holder);
  await Promise.all(others.map(async (tab) => await session.close(tab)));
  return others.map(({ id }) => id);
}
