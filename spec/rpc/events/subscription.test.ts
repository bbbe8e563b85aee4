import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EventHub } from "../../../rpc/events/hub.ts";
import type { Subscriber } from "../../../rpc/events/subscription.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setImmediate", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A hub, and the numbers of the events in each message that its one reader gets. */
function followedHub(): { hub: EventHub; subscriber: Subscriber; id: string; messages: number[][] } {
  const hub = new EventHub();
  const messages: number[][] = [];
  const subscriber = {
    bufferedBytes: 0,
    sendEvent: (frame: string) => messages.push([JSON.parse(frame)].flat().map(({ params }) => params.seq)),
    onceTaken: () => {},
  };
  const { subscription } = hub.subscribe(subscriber, { topics: ["page"] });
  hub.start(subscription);
  // Long after anything was sent.
  vi.advanceTimersByTime(1_000);
  return { hub, subscriber, id: subscription, messages };
}

test("the first event leaves at once, and those of the next 10 ms together", () => {
  const { hub, messages } = followedHub();
  hub.publish("page", {});
  vi.advanceTimersByTime(0);
  expect(messages).toEqual([[1]]);
  for (let ms = 0; ms < 9; ms++) {
    hub.publish("page", {});
    vi.advanceTimersByTime(1);
  }
  expect(messages).toEqual([[1]]);
  vi.advanceTimersByTime(1);
  expect(messages).toEqual([[1], [2, 3, 4, 5, 6, 7, 8, 9, 10]]);
});

test("an event after a quiet while does not wait", () => {
  const { hub, messages } = followedHub();
  for (let seq = 1; seq <= 2; seq++) {
    hub.publish("page", {});
    vi.advanceTimersByTime(0);
    expect(messages).toHaveLength(seq);
    vi.advanceTimersByTime(10);
  }
});

test("what waits is sent before the subscription ends", () => {
  const { hub, subscriber, id, messages } = followedHub();
  hub.publish("page", {});
  vi.advanceTimersByTime(0);
  hub.publish("page", {});
  hub.unsubscribe(subscriber, id);
  expect(messages).toEqual([[1], [2]]);
});
