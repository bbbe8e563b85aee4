import * as v from "valibot";
import type { DialogRecord } from "../../browser/effect_report.ts";
import type { Session } from "../../browser/sessions/session.ts";
import { leftOpen } from "../../browser/tabs/left_open.ts";
import { noSuchTab } from "../../browser/tabs/no_such_tab.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { hasOpened } from "../../security/tokens/ownership.ts";
import type { Token } from "../../security/tokens/token.ts";
import { defineCommand } from "../command.ts";
import { DialogSchema } from "../effect.ts";
import { brokenOffText, dialogText, goesOnText, lostText } from "../effect_text.ts";
import { TabId } from "../params.ts";

export default defineCommand({
  name: "closetab",
  category: "tabs",
  summary: "Close the current tab, the named one, or all others",
  description:
    "It never waits for the page: one that hangs, or will not be left, is ended with what runs in it within two seconds. " +
    "The answer names what it breaks off, and downloads, which go on.",
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
    brokenOff: v.exactOptional(
      v.pipe(
        v.array(v.strictObject({ method: v.string(), url: v.string() })),
        v.description("Requests that send something and had no answer. What they asked for may have been carried out"),
      ),
    ),
    downloads: v.exactOptional(
      v.pipe(
        v.array(v.strictObject({ name: v.string(), url: v.string() })),
        v.description("Files that were not complete, and that go on without their tab"),
      ),
    ),
    downloadsLost: v.exactOptional(
      v.pipe(
        v.array(v.string()),
        v.description("Addresses of files that were asked for and of which nothing had come"),
      ),
    ),
    dialogs: v.exactOptional(
      v.pipe(v.array(DialogSchema), v.description("What the page asked when it was left, or waited for an answer to")),
    ),
    left: v.exactOptional(v.pipe(v.array(v.string()), v.description("Tabs of others, where none of yours is left"))),
  }),
  examples: ["browse closetab", "browse closetab t1 --others"],
  async run({ session, holder, mayKnow }, { id, others }) {
    const tab = id === undefined ? session.current(holder) : session.find(id);
    if (!tab && id !== undefined) throw noSuchTab(id, session.tabs);
    if (!tab) throw new BrowseError("tab_gone", "No tab is open", { hint: "Open one with `browse newtab`" });
    const closing = others ? othersOf(session, tab, holder) : [tab];
    if (others) session.select(tab, holder);
    const ends = closing.map((each) => leftOpen(each, mayKnow));
    await Promise.all(closing.map(async (each) => await session.close(each, { tells: true })));
    const open = ends.map((end) => end());
    const brokenOff = open.flatMap((each) => each.brokenOff);
    const downloads = open.flatMap((each) => each.downloads);
    const downloadsLost = open.flatMap((each) => each.downloadsLost);
    const dialogs = open.flatMap((each) => each.dialogs);
    const current = session.current(holder);
    const left = session.tabs.map(({ id: left }) => left).filter((left) => left !== current?.id);
    return {
      ...(others ? { others: closing.map(({ id: closed }) => closed) } : { closed: tab.id }),
      ...(brokenOff.length > 0 && { brokenOff }),
      ...(downloads.length > 0 && { downloads }),
      ...(downloadsLost.length > 0 && { downloadsLost }),
      ...(dialogs.length > 0 && { dialogs }),
      ...(current ? { current: current.id } : left.length > 0 && { left }),
    };
  },
  render: ({
    closed,
    others = [],
    current,
    left,
    brokenOff = [],
    downloads = [],
    downloadsLost = [],
    dialogs = [],
  }) => {
    const now = current
      ? `now on ${current}`
      : `no tab ${left ? `of yours is left, but ${left.join(", ")} of others` : "is left"}`;
    return [
      `Closed ${closed ?? (others.join(", ") || "nothing")}, ${now}`,
      ...dialogs.map(dialogLeft),
      ...brokenOff.map(brokenOffText),
      ...downloads.map(goesOnText),
      ...downloadsLost.map(lostText),
    ].join("\n");
  },
});

/** The tab is closed in any case. */
function dialogLeft(dialog: DialogRecord): string {
  const { type, message, outcome } = dialog;
  if (outcome === "open") return `its dialog went with it, unanswered: ${type} ${JSON.stringify(message)}`;
  return outcome === "dismissed" ? `${dialogText(dialog)}, and the tab closed all the same` : dialogText(dialog);
}

function othersOf(session: Session, kept: Tab, holder: Token): Tab[] {
  return session.tabs.filter((tab) => tab !== kept && hasOpened(holder, tab));
}
