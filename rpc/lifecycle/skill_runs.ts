/** What runs of skills need of the daemon around them: a channel, a token, and an end to both. */
import type { WatchedBrowser } from "../../browser/watched_browser.ts";
import type { RunnerPorts } from "../../skills/run/skill_runner.ts";
import type { Listeners } from "../wire/doors.ts";

/** `listeners` is asked at the first run: there are none before. */
export function runsOfSkills(
  browser: WatchedBrowser,
  listeners: () => Listeners,
  onTrouble: RunnerPorts["onTrouble"],
): Omit<RunnerPorts, "approve" | "outerWall"> {
  return {
    watchdog: browser.watchdog,
    attach: (stream, channel) => listeners().attach(stream, channel),
    issueToken: (name, by, grant) => {
      const issued = listeners().tokens.issueSkill(name, by, grant);
      if (grant.tab !== undefined) browser.giveTab(grant.tab, issued.token);
      return issued;
    },
    endToken: (token) => listeners().tokens.end(token),
    familyOf: (token) => listeners().tokens.familyOf(token),
    closeTabs: async (token) => await browser.closeTabsOf(token),
    url: () => `ws://127.0.0.1:${listeners().port}/rpc`,
    onTrouble,
  };
}
