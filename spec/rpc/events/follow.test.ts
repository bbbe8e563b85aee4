import { describe, expect, test } from "vitest";
import { eventJson } from "../../../rpc/events/event_text.ts";
import { type FollowOptions, follow } from "../../../rpc/events/follow.ts";
import { EventHub } from "../../../rpc/events/hub.ts";

/** A terminal that follows `page`, and the numbers it has printed. */
function following(hub: EventHub, options: Partial<FollowOptions> = {}) {
  const printed: number[] = [];
  const reader = {
    bufferedBytes: 0,
    onceTaken: () => {},
    sendEvent: (frame: string) => {
      const { method, params } = JSON.parse(frame) as { method: string; params: { id: string; text: string } };
      expect([method, params.id]).toEqual(["output", "call"]);
      for (const line of params.text.trimEnd().split("\n")) printed.push(JSON.parse(line).seq);
    },
  };
  const ended = follow(hub, reader, {
    topics: ["page"],
    call: "call",
    signal: new AbortController().signal,
    canSee: () => true,
    render: eventJson,
    ...options,
  });
  return { printed, ended };
}

describe("A terminal that follows", () => {
  test("prints everything up to the end of the daemon, and is told that it ended", async () => {
    const hub = new EventHub();
    hub.publish("page", {});
    const { printed, ended } = following(hub, { since: 0 });
    hub.publish("page", {});
    hub.publish("console", {});
    hub.publish("page", {});
    hub.close();
    expect(await ended).toBe("the daemon has ended");
    expect(printed).toEqual([1, 2, 3]);
    expect(hub.subscriptionCount).toBe(0);
  });

  test("stops when its time is over", async () => {
    expect(await following(new EventHub(), { durationMs: 1 }).ended).toBe("time is over");
  });

  test("stops when its call is cancelled, and leaves no subscription", async () => {
    const hub = new EventHub();
    const controller = new AbortController();
    const { ended } = following(hub, { signal: controller.signal });
    controller.abort(new Error("Enough"));
    await expect(ended).rejects.toThrow("Enough");
    expect(hub.subscriptionCount).toBe(0);
  });
});
