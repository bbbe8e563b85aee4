import * as v from "valibot";
import { filterMeant } from "../gate/visibility.ts";
import type { SubscribeParams } from "../protocol.ts";
import { countUpTo, Filter, Since, Topics } from "./fields.ts";
import { defineMethod, type Gives, ownerOf, sightOf, subscriberOf } from "./method.ts";

const MAX_QUEUE = 100_000;

defineMethod({
  name: "events.subscribe",
  summary: "Stream topics, after a replay of what is still kept",
  local: "read",
  params: v.strictObject({
    topics: Topics,
    filter: v.exactOptional(Filter),
    since: v.exactOptional(Since),
    buffer: v.exactOptional(countUpTo(MAX_QUEUE)),
  }) satisfies Gives<SubscribeParams>,
  run(params, context) {
    const { ports, peer, call } = context;
    const canSee = sightOf(context, params.topics);
    const result = ports.hub.subscribe(subscriberOf(peer), filterMeant(peer.caller, params), {
      canSee,
      ...ownerOf(peer),
    });
    // The client must have the subscription's id before its first event.
    void call.answer.then(() => setImmediate(() => ports.hub.start(result.subscription)));
    return result;
  },
});
