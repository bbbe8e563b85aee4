import * as v from "valibot";
import { beforeAll, describe, expect, test } from "vitest";
import { type Command, defineCommand, findCommand } from "../../../commands/command.ts";
import { isSecret } from "../../../commands/params.ts";
import { BrowseError } from "../../../errors.ts";
import type { JournalEntry } from "../../../rpc/events/journal.ts";
import { Metrics } from "../../../rpc/events/metrics.ts";
import type { Caller, CallOptions } from "../../../rpc/gate/call.ts";
import { CallRecorder } from "../../../rpc/gate/call_record.ts";
import { rootToken } from "../../../security/tokens/token.ts";

const caller: Caller = { token: rootToken(), via: "local", client: "me/1" };
const options: CallOptions = { signal: new AbortController().signal, session: "work" };

beforeAll(() => {
  defineCommand({
    name: "confide",
    category: "interact",
    summary: "Say a secret",
    scope: "write",
    effect: "page",
    needs: "tab",
    output: "plain",
    fromPage: "nothing",
    params: v.strictObject({ to: v.string(), secret: v.pipe(v.string(), isSecret()) }),
    result: v.strictObject({}),
    examples: [],
    run: () => ({}),
    render: () => "",
  });
});

function recorder() {
  const entries: JournalEntry[] = [];
  const told: { topic: string; data: Record<string, unknown> }[] = [];
  const record = new CallRecorder({
    record: (entry) => entries.push(entry),
    publish: (topic, data) => told.push({ topic, data }),
  });
  return { record, entries, told };
}

describe("The record of a call", () => {
  test("has what it did, without what was typed into a dialog or stands in an address", () => {
    const { record, entries, told } = recorder();
    const command = findCommand("confide") as Command;
    const params = { to: "her" };
    const { end } = record.started({ command, shownParams: params, params, caller, options });
    const dialogs = [
      { id: 1, type: "prompt", message: "?", outcome: "accepted", answer: "hunter2", time: "" },
    ] as never;
    const effect = { navigated: "http://x/?token=tok-secret-4711", dialogs, before: { dialogs } };
    const elements = [{ ref: "@e1", role: "button", name: "Go", locators: ["#go"] }];
    end({ session: "work", tab: "t1", effect, elements }, "ok", performance.now());
    expect(entries).toEqual([
      expect.objectContaining({ command: "confide", outcome: "ok", tab: "t1", session: "work", elements }),
    ]);
    expect(told.map(({ data }) => [data.phase, data.call])).toEqual([
      ["started", 1],
      ["ended", 1],
    ]);
    expect(JSON.stringify([entries, told])).not.toMatch(/hunter2|4711/);
    expect(entries[0]?.effect).toMatchObject({
      dialogs: [{ answer: "[redacted]" }],
      before: { dialogs: [{ answer: "[redacted]" }] },
    });
  });

  test("that was refused has its params, but none that the command does not know", () => {
    const { record, entries } = recorder();
    const params = { to: "her", secret: "hunter2", secert: "hunter3" };
    record.refused({ caller, name: "confide", params, options }, new BrowseError("forbidden", "No"), performance.now());
    record.refused({ caller, name: "hunter4", params, options }, new BrowseError("unknown_command", "No"), 0);
    expect(entries.map(({ command, params, outcome }) => ({ command, params, outcome }))).toEqual([
      { command: "confide", params: { to: "her", secret: "[redacted]", secert: "[redacted]" }, outcome: "forbidden" },
      { command: "unknown", params: {}, outcome: "unknown_command" },
    ]);
    expect(JSON.stringify(entries)).not.toContain("hunter");
  });

  test("is not as long as what a call may bring", () => {
    const { record, entries } = recorder();
    const params = { to: "x".repeat(100_000), secret: "" };
    record.refused({ caller, name: "confide", params, options }, new BrowseError("forbidden", "No"), 0);
    expect(JSON.stringify(entries).length).toBeLessThan(5_000);
  });
});

test("the figures of calls have outcomes by command and the quantiles of the newest", () => {
  const metrics = new Metrics();
  for (let ms = 1; ms <= 1_000; ms++) metrics.note({ command: "text", outcome: ms % 10 ? "ok" : "timeout", ms });
  metrics.note({ command: "url", outcome: "ok", ms: 1 });
  expect(metrics.commands).toEqual([
    { command: "text", outcomes: { ok: 900, timeout: 100 }, p50: 744, p95: 975, p99: 995, max: 1_000 },
    { command: "url", outcomes: { ok: 1 }, p50: 1, p95: 1, p99: 1, max: 1 },
  ]);
});
