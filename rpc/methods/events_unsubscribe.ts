import * as v from "valibot";
import type { UnsubscribeParams } from "../protocol.ts";
import { Name } from "./fields.ts";
import { defineMethod, type Gives, subscriberOf } from "./method.ts";

defineMethod({
  name: "events.unsubscribe",
  summary: "End a stream",
  params: v.strictObject({ subscription: Name }) satisfies Gives<UnsubscribeParams>,
  run: ({ subscription }, { ports, peer }) => ({
    unsubscribed: ports.hub.unsubscribe(subscriberOf(peer), subscription),
  }),
});
