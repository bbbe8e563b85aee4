import * as v from "valibot";
import { savedStateOf } from "../../browser/sessions/saved_state.ts";
import { sessionStateOf } from "../../browser/sessions/session_state.ts";
import { defineCommand } from "../command.ts";
import { assertCookiesAreThere } from "./_lost_cookies.ts";
import { SummarySchema, summaryOf, summaryText } from "./_saved_state.ts";
import { EntrySchema, STATE_TIMEOUT_MS, StateName } from "./_state_params.ts";

export default defineCommand({
  name: "state.save",
  category: "tabs",
  summary: "Save what the session holds: cookies, storage, databases, and the addresses of its tabs",
  description: "Local and session storage and IndexedDB. Only this user can read the file.",
  scope: "control",
  effect: "disk",
  needs: "session",
  // The states are the user's, whatever session they came of.
  reach: "daemon",
  locksSession: true,
  output: "secret",
  fromPage: "nothing",
  timeoutMs: STATE_TIMEOUT_MS,
  params: v.strictObject({
    name: StateName,
    encrypt: v.exactOptional(
      v.pipe(v.boolean(), v.description("With a key from BROWSE_STATE_KEY, else from the system's keychain")),
    ),
  }),
  cli: { positional: ["name"] },
  result: v.strictObject({
    saved: v.strictObject({ ...EntrySchema.entries, ...SummarySchema.entries }),
    missing: v.exactOptional(v.pipe(v.array(v.string()), v.description("What could not be saved"))),
  }),
  examples: ["browse state save shop"],
  async run({ session, sessions, daemon }, { name, encrypt = false }) {
    const saving = { session, name, states: daemon.states };
    const image = await sessionStateOf(session).catch(async (error: unknown) => {
      // Storage that is asked for as the network process dies gets no answer.
      await assertCookiesAreThere(sessions, saving);
      throw error;
    });
    const state = savedStateOf(image);
    await assertCookiesAreThere(sessions, saving);
    const entry = await daemon.states.save(name, state, { encrypt });
    return { saved: { ...entry, ...summaryOf(state) }, ...(image.missing.length > 0 && { missing: image.missing }) };
  },
  render: ({ saved, missing = [] }) =>
    [`Saved "${saved.name}": ${summaryText(saved)}`, ...missing.map((what) => `Not saved: ${what}`)].join("\n"),
});
