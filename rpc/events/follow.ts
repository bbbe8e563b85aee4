/** A terminal that follows events: a subscription whose reader gets lines instead of notifications. */
import type { FollowEnd, FollowParams } from "../gate/call.ts";
import { wellFormedJson } from "../line/terminal.ts";
import type { RequestId } from "../protocol.ts";
import type { RenderEvent } from "./event_text.ts";
import type { CanSee, EventHub } from "./hub.ts";
import { PublishedEvent } from "./published_event.ts";
import type { Encode, Subscriber } from "./subscription.ts";

export interface FollowOptions extends FollowParams {
  /** Id of the call whose output the lines are. */
  call: RequestId;
  signal: AbortSignal;
  canSee: CanSee;
  owner?: string;
  render: RenderEvent;
}

/** Resolves when the time is over or the daemon ends; rejects with the reason of the signal. Throws what `subscribe` throws. */
export async function follow(hub: EventHub, reader: Subscriber, options: FollowOptions): Promise<FollowEnd> {
  const { call, signal, canSee, owner, render, topics, filter, since, durationMs, newest, onOlder } = options;
  const encode: Encode = (_, told) => {
    const text = told.map((one) => `${render(one instanceof PublishedEvent ? one.event : one)}\n`).join("");
    return wellFormedJson({ jsonrpc: "2.0", method: "output", params: { id: call, stream: "stdout", text } });
  };
  const { subscription } = hub.subscribe(
    reader,
    { topics, ...(filter && { filter }), ...(since !== undefined && { since }) },
    {
      canSee,
      encode,
      ...(owner !== undefined && { owner }),
      ...(newest !== undefined && { newest }),
      ...(onOlder && { onOlder }),
    },
  );
  try {
    hub.start(subscription);
    await untilAny([signal, hub.ending, ...(durationMs === undefined ? [] : [AbortSignal.timeout(durationMs)])]);
  } finally {
    hub.unsubscribe(reader, subscription);
  }
  signal.throwIfAborted();
  return hub.ending.aborted ? "the daemon has ended" : "time is over";
}

async function untilAny(signals: AbortSignal[]): Promise<void> {
  const any = AbortSignal.any(signals);
  if (any.aborted) return;
  await new Promise<void>((resolve) => any.addEventListener("abort", () => resolve(), { once: true }));
}
