import { describe, expect, test } from "vitest";
import { eventJson, eventLine } from "../../../rpc/events/event_text.ts";

const time = "2030-01-31T12:03:04.123Z";
const line = (topic: string, data: Record<string, unknown>, color = false) =>
  eventLine({ seq: 1, topic, time, data }, { color });

describe("An event for people", () => {
  test.each<[string, Record<string, unknown>, string]>([
    ["console", { tab: "t1", level: "error", text: "No", location: "a.js:1:2" }, "t1   console  error No (a.js:1:2)"],
    [
      "network",
      { tab: "t1", event: "request", id: 3, method: "GET", url: "http://x/", type: "image" },
      "t1   network  #3 → GET http://x/ image",
    ],
    [
      "network",
      {
        tab: "t1",
        event: "finished",
        id: 3,
        status: 200,
        method: "GET",
        url: "http://x/",
        type: "image",
        bytes: 5,
        durationMs: 7,
      },
      "t1   network  #3 200 GET http://x/ image 5 B 7 ms",
    ],
    [
      "dialog",
      { tab: "t12", type: "confirm", message: "Sure?", outcome: "accepted" },
      't12  dialog   confirm "Sure?" accepted',
    ],
    [
      "activity",
      { phase: "started", command: "goto", client: "me/1", params: { url: "x" } },
      '-    activity goto {"url":"x"} by me/1',
    ],
    [
      "activity",
      { session: "work", phase: "ended", command: "goto", outcome: "ok", ms: 3 },
      "work activity goto ok 3 ms",
    ],
    ["page", { tab: "t1", session: "s", event: "load", url: "http://x/" }, "t1   page     load url=http://x/"],
  ])("of the topic %s", (topic, data, expected) => {
    expect(line(topic, data)).toMatch(/^\d\d:\d\d:04\.123 /);
    expect(line(topic, data).slice("12:03:04.123 ".length)).toBe(expected);
  });

  test("cannot drive their terminal, nor look like another one", () => {
    const said = line("console", { level: "log", text: "\x1b[2J\rone\ntwo" });
    expect(said).not.toMatch(/[\x1b\r]/);
    expect(said.split("\n")).toEqual([expect.stringContaining("one"), "  two"]);
  });

  test("is cut where it is long, with how long it was", () => {
    const said = line("console", { level: "log", text: "x".repeat(20_000) });
    expect(said).toMatch(/ log x{1996}… \(20004 characters: --json has them all\)$/);
  });

  test("has color only where it is asked for, and failures have another", () => {
    const good = line("network", { status: 200, url: "x" }, true);
    const bad = line("network", { status: 404, url: "x" }, true);
    expect(good).toContain("\x1b[34m");
    expect(good).not.toContain("\x1b[31m");
    expect(bad).toContain("\x1b[31m");
    expect(line("network", { status: 404, url: "x" })).not.toContain("\x1b");
  });

  test("says how many are lost where some are", () => {
    const gap = { topic: "console", dropped: 2, from: 3, to: 4 };
    expect(eventLine(gap, { color: false })).toBe("--- 2 console events are lost (3 to 4)");
    expect(JSON.parse(eventJson(gap))).toEqual({ gap });
  });
});

test("an event for programs is one line of JSON, whatever the page said", () => {
  const event = { seq: 1, topic: "console", time, data: { text: "a\nb\x1b\ud800" } };
  const text = eventJson(event);
  expect(text).not.toMatch(/[\n\x1b]/);
  expect(JSON.parse(text)).toEqual({ ...event, data: { text: "a\nb\x1b\ufffd" } });
});
