import * as v from "valibot";
import { filterMeant } from "../gate/visibility.ts";
import type { HistoryParams } from "../protocol.ts";
import { countUpTo, Filter, Since, Topics } from "./fields.ts";
import { defineMethod, type Gives, sightOf } from "./method.ts";

const MAX_HISTORY = 10_000;

defineMethod({
  name: "events.history",
  summary: "Read what is still kept of topics",
  local: "read",
  params: v.strictObject({
    topics: Topics,
    filter: v.exactOptional(Filter),
    since: v.exactOptional(Since),
    limit: v.exactOptional(countUpTo(MAX_HISTORY)),
  }) satisfies Gives<HistoryParams>,
  run: (params, context) =>
    context.ports.hub.history(filterMeant(context.peer.caller, params), sightOf(context, params.topics)),
});
