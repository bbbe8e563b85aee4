import * as v from "valibot";
import type { CancelParams } from "../protocol.ts";
import { Name } from "./fields.ts";
import { defineMethod, type Gives } from "./method.ts";

defineMethod({
  name: "call.cancel",
  summary: "Abort a running call of this client",
  remote: true,
  // Who cancels wants less done.
  isCounted: false,
  params: v.strictObject({ id: v.union([Name, v.pipe(v.number(), v.safeInteger())]) }) satisfies Gives<CancelParams>,
  run: ({ id }, { ports, peer }) => ({ cancelled: ports.cancel(peer.clientKey, id) }),
});
