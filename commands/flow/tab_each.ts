import * as v from "valibot";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { defineCommand } from "../command.ts";
import type { PreparedCall, SessionContext } from "../context.ts";
import { isSecret } from "../params.ts";
import { exitCodeOf, preparedIn, runStep, StepSchema } from "./_step.ts";

const TabStepSchema = v.strictObject({ tab: v.string(), url: v.string(), ...StepSchema.entries });

export default defineCommand({
  name: "tab-each",
  category: "flow",
  summary: "Run one command in every tab of the session",
  description:
    "It is authorized for every tab before it runs in the first, runs in all of them at once, and leaves the current tab " +
    "current. The answer is one line of JSON a tab.",
  scope: "meta",
  effect: "page",
  needs: "session",
  reach: "own",
  output: "page",
  fromPage: "steps",
  timeoutMs: 120_000,
  params: v.strictObject({
    command: v.pipe(
      v.array(v.string()),
      v.minLength(1, "must name a command"),
      v.description("The command with its flags and arguments"),
      isSecret(),
    ),
  }),
  cli: { rest: "command", raw: true },
  result: v.strictObject({ tabs: v.array(TabStepSchema), failed: v.number() }),
  examples: ["browse tab-each title", "browse tab-each count a"],
  async run(context, { command }) {
    const { session, owns } = context;
    assertNoFlag(command[0]);
    const own = session.tabs.filter(owns);
    if (own.length === 0) {
      throw new BrowseError("tab_gone", "No tab is open", { hint: "Open one with `browse newtab`" });
    }
    const calls = own.map((tab) => ({ tab, call: preparedFor(context, tab, command) }));
    const tabs = await Promise.all(
      calls.map(async ({ tab, call }) => {
        const step = await runStep(call);
        return { tab: tab.id, url: tab.url, ...step };
      }),
    );
    return { tabs, failed: tabs.filter(({ outcome }) => outcome !== "ok").length };
  },
  exitCode: ({ tabs }) => exitCodeOf(tabs),
  render: ({ tabs }) => tabs.map((step) => JSON.stringify(step)).join("\n"),
});

/** All that follows the name is the other command's, so a flag there is nobody's. */
function assertNoFlag(first: string | undefined): void {
  if (!first?.startsWith("-")) return;
  throw new BrowseError("invalid_params", `Unknown flag ${JSON.stringify(first)}`, {
    hint: '"tab-each" accepts --session and other flags of every command before its name: browse --session work tab-each title',
    details: { flag: first },
  });
}

function preparedFor(context: SessionContext, tab: Tab, command: readonly string[]): PreparedCall {
  const call = preparedIn(context, "tab-each", ["--tab", tab.id, ...command]);
  if (call.target.session !== undefined) {
    throw new BrowseError("invalid_params", "--session stands before tab-each, not in its command");
  }
  if (call.out !== undefined) {
    throw new BrowseError("invalid_params", "--out stands before tab-each, not in its command", {
      hint: "One file takes the answers of all tabs: browse --out titles.txt tab-each title",
    });
  }
  if (call.command.needs === "tab") return call;
  throw new BrowseError(
    "invalid_params",
    `"${call.command.spelling}" does not work on a tab, so it cannot run in each`,
  );
}
