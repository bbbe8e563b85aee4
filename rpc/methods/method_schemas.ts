/** What the protocol's own methods take. */
import { isAbsolute } from "node:path";
import * as v from "valibot";
import { SessionName } from "../../security/tokens/session_name.ts";
import { SnapshotAfter } from "../line/snapshot_after.ts";
import type {
  CancelParams,
  CliExecParams,
  CompleteParams,
  GlobalParams,
  HandoverParams,
  HelloParams,
  HistoryParams,
  SubscribeParams,
  UnsubscribeParams,
} from "../protocol.ts";

export type MethodSchema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

/** Checked to give what the protocol's types say. */
type Gives<Output> = MethodSchema & v.GenericSchema<unknown, Output>;

const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1_000;
const MAX_HISTORY = 10_000;
const MAX_QUEUE = 100_000;

const Name = v.pipe(v.string(), v.minLength(1, "must not be empty"), v.maxLength(128, "is too long"));
const Text = v.pipe(v.string(), v.maxLength(2_000, "is too long"));
const Id = v.union([Name, v.pipe(v.number(), v.safeInteger())]);
const Folder = v.pipe(v.string(), v.check(isAbsolute, "must be an absolute path"));
const Seq = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Since = v.union([Seq, v.record(v.string(), Seq)]);
const Topics = v.pipe(v.array(v.string()), v.maxLength(64, "has too many items"));

const Filter = v.strictObject({
  tab: v.exactOptional(Name),
  session: v.exactOptional(Name),
  level: v.exactOptional(Name),
  url: v.exactOptional(Text),
  type: v.exactOptional(Name),
  command: v.exactOptional(Name),
  status: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
});

export const Globals = v.strictObject({
  tab: v.exactOptional(v.pipe(v.string(), v.regex(/^t\d+$/, "must be a tab id such as t3"))),
  session: v.exactOptional(SessionName),
  timeoutMs: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MAX_TIMEOUT_MS))),
  maxBytes: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  noSettle: v.exactOptional(v.boolean()),
  noChanges: v.exactOptional(v.boolean()),
  snapshot: v.exactOptional(SnapshotAfter),
}) satisfies Gives<GlobalParams>;

/** Without those that only actions mind. */
export const GlobalsOfAll = v.omit(Globals, ["noSettle", "noChanges", "snapshot"]);

/** Of what leads to another tab. */
export const GlobalsOfTabs = v.omit(Globals, ["noSettle", "noChanges"]);

export const Hello = v.strictObject({
  client: Name,
  version: Name,
  session: v.exactOptional(SessionName),
  cwd: v.exactOptional(Folder),
}) satisfies Gives<HelloParams>;

export const CliExec = v.strictObject({
  argv: v.pipe(v.array(v.string()), v.maxLength(10_000, "has too many words")),
  cwd: Folder,
  stdin: v.exactOptional(v.string()),
  tty: v.exactOptional(v.boolean()),
  columns: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
  session: v.exactOptional(SessionName),
  version: Name,
}) satisfies Gives<CliExecParams>;

export const Complete = v.strictObject({
  line: v.pipe(v.string(), v.maxLength(10_000, "is too long")),
}) satisfies Gives<CompleteParams>;

export const Cancel = v.strictObject({ id: Id }) satisfies Gives<CancelParams>;

export const Subscribe = v.strictObject({
  topics: Topics,
  filter: v.exactOptional(Filter),
  since: v.exactOptional(Since),
  buffer: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MAX_QUEUE))),
}) satisfies Gives<SubscribeParams>;

export const Unsubscribe = v.strictObject({ subscription: Name }) satisfies Gives<UnsubscribeParams>;

export const History = v.strictObject({
  topics: Topics,
  filter: v.exactOptional(Filter),
  since: v.exactOptional(Since),
  limit: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MAX_HISTORY))),
}) satisfies Gives<HistoryParams>;

export const Handover = v.strictObject({ version: Name }) satisfies Gives<HandoverParams>;
