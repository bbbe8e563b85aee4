import * as v from "valibot";
import { defineCommand } from "../../command.ts";

export default defineCommand({
  name: "dialog-policy",
  category: "interact",
  summary: "Show or set what happens to dialogs by default",
  description:
    "For all tabs of the session. A page that asks whether to leave (beforeunload) is always left, whatever the policy. " +
    "`dialog-accept` and `dialog-dismiss` come first, for the next dialog.",
  scope: "write",
  effect: "browser",
  needs: "session",
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({
    policy: v.exactOptional(
      v.pipe(
        v.picklist(["accept", "dismiss", "ask"]),
        v.description("ask leaves the dialog open until it is answered"),
      ),
    ),
  }),
  cli: { positional: ["policy"] },
  result: v.strictObject({ policy: v.picklist(["accept", "dismiss", "ask"]) }),
  examples: ["browse dialog-policy", "browse dialog-policy dismiss", "browse dialog-policy accept"],
  run({ session }, { policy }) {
    if (policy !== undefined) session.dialogPolicy = policy;
    return { policy: session.dialogPolicy };
  },
  render: ({ policy }) => WORDS[policy],
});

const WORDS = {
  accept: "Dialogs are accepted",
  dismiss: "Dialogs are dismissed",
  ask: "Dialogs stay open until `dialog-accept` or `dialog-dismiss`",
} as const;
