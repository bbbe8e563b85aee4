/** Members that any command takes beside its own params. */
import * as v from "valibot";
import { SessionName } from "../../security/tokens/session_name.ts";
import { SnapshotAfter } from "../line/snapshot_after.ts";
import type { GlobalParams } from "../protocol.ts";
import { countUpTo } from "./fields.ts";
import type { Gives } from "./method.ts";

const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1_000;

export const Globals = v.strictObject({
  tab: v.exactOptional(v.pipe(v.string(), v.regex(/^t\d+$/, "must be a tab id such as t3"))),
  session: v.exactOptional(SessionName),
  timeoutMs: v.exactOptional(countUpTo(MAX_TIMEOUT_MS)),
  maxBytes: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  noSettle: v.exactOptional(v.boolean()),
  noChanges: v.exactOptional(v.boolean()),
  unsafe: v.exactOptional(v.boolean()),
  snapshot: v.exactOptional(SnapshotAfter),
}) satisfies Gives<GlobalParams>;

/** Without those that only actions mind. */
export const GlobalsOfAll = v.omit(Globals, ["noSettle", "noChanges", "snapshot"]);

/** Of what leads to another tab. */
export const GlobalsOfTabs = v.omit(Globals, ["noSettle", "noChanges"]);
