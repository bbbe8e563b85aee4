import * as v from "valibot";
import { savedStateOf } from "../../browser/sessions/saved_state.ts";
import { imageOf } from "../../browser/sessions/session_state.ts";
import { BrowseError } from "../../errors.ts";
import { counted } from "../../wording.ts";
import { defineCommand } from "../command.ts";
import {
  LoadedSchema,
  loadedText,
  loadState,
  readState,
  SummarySchema,
  summaryOf,
  summaryText,
} from "./_saved_state.ts";

const EntrySchema = v.strictObject({
  name: v.string(),
  savedAt: v.pipe(v.string(), v.description("ISO 8601; empty when the file does not say")),
  encrypted: v.boolean(),
  bytes: v.number(),
});

const Params = v.strictObject({
  action: v.picklist(["save", "load", "list", "show", "rm"]),
  name: v.exactOptional(v.pipe(v.string(), v.minLength(1, "must not be empty"), v.maxLength(64))),
  encrypt: v.exactOptional(
    v.pipe(v.boolean(), v.description("With a key from BROWSE_STATE_KEY, else from the system's keychain")),
  ),
});

/** The ones that need no browser. */
const ON_DISK = new Set(["list", "show", "rm"]);

export default defineCommand({
  name: "state",
  category: "tabs",
  summary: "Save, load, list, show or remove what a session holds",
  description:
    "A state has the session's cookies, local and session storage, IndexedDB and the addresses of its tabs. Loading " +
    "replaces everything the session holds, or changes nothing when it fails. Only this user can read the files.",
  scope: "control",
  effect: "disk",
  needs: "session",
  reach: "tabs",
  browserless: ({ action }) => ON_DISK.has(action),
  locksSession: true,
  output: "secret",
  timeoutMs: 120_000,
  params: Params,
  cli: { positional: ["action", "name"] },
  raises: [
    { param: "action", equals: "load", scope: "control", effect: "browser" },
    { param: "action", equals: "list", scope: "control", effect: "none" },
    { param: "action", equals: "show", scope: "control", effect: "none" },
  ],
  result: v.strictObject({
    saved: v.exactOptional(v.strictObject({ ...EntrySchema.entries, ...SummarySchema.entries })),
    missing: v.exactOptional(v.pipe(v.array(v.string()), v.description("What could not be saved"))),
    loaded: v.exactOptional(v.strictObject({ name: v.string(), ...LoadedSchema.entries })),
    states: v.exactOptional(v.array(EntrySchema)),
    shown: v.exactOptional(
      v.strictObject({ name: v.string(), savedAt: v.string(), encrypted: v.boolean(), ...SummarySchema.entries }),
    ),
    removed: v.exactOptional(v.string()),
  }),
  examples: [
    "browse state save shop",
    "browse state list",
    "browse state show shop",
    "browse state load shop --session copy",
    "browse state rm shop",
  ],
  async run(context, { action, name, encrypt = false }) {
    const { session, daemon } = context;
    if (encrypt && action !== "save") throw new BrowseError("invalid_params", "--encrypt is for `state save`");
    if (action === "list") return { states: daemon.states.list() };
    const named = required(action, name);
    if (action === "save") {
      const image = await imageOf(session);
      const state = savedStateOf(image);
      const entry = await daemon.states.save(named, state, { encrypt });
      return { saved: { ...entry, ...summaryOf(state) }, ...(image.missing.length > 0 && { missing: image.missing }) };
    }
    if (action === "load") return { loaded: { name: named, ...(await loadState(context, session, named)) } };
    if (action === "show") {
      const { state, ...stored } = await readState(context, named);
      return { shown: { name: named, ...stored, ...summaryOf(state) } };
    }
    daemon.states.remove(named);
    return { removed: named };
  },
  render({ saved, missing = [], loaded, states, shown, removed }) {
    if (saved)
      return [`Saved "${saved.name}": ${summaryText(saved)}`, ...missing.map((what) => `Not saved: ${what}`)].join(
        "\n",
      );
    if (loaded) return `Loaded "${loaded.name}": ${loadedText(loaded)}`;
    if (shown)
      return `"${shown.name}", saved ${shown.savedAt}${shown.encrypted ? ", encrypted" : ""}: ${summaryText(shown)}`;
    if (removed !== undefined) return `Removed "${removed}"`;
    if (!states || states.length === 0) return "No states are saved";
    return states.map(entryText).join("\n");
  },
});

function required(action: string, name: string | undefined): string {
  if (name !== undefined) return name;
  throw new BrowseError("invalid_params", `"state ${action}" takes a name`, { hint: `browse state ${action} <name>` });
}

function entryText({ name, savedAt, encrypted, bytes }: v.InferOutput<typeof EntrySchema>): string {
  return `${name} ${savedAt || "unreadable"} ${counted(bytes, "byte")}${encrypted ? " encrypted" : ""}`;
}
