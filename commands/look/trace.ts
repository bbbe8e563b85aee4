import * as v from "valibot";
import { endTrace, forgetTrace, startTrace } from "../../browser/sessions/tracing.ts";
import { BrowseError } from "../../errors.ts";
import { artifactPath } from "../artifact.ts";
import { defineCommand, type SessionContext } from "../command.ts";
import { FileName, Force, writesFile } from "../params.ts";

export default defineCommand({
  name: "trace",
  category: "look",
  summary: "Record a Playwright trace of the session: `start`, then `stop <path>`",
  description:
    "A zip that Playwright's viewer opens (`npx playwright show-trace trace.zip`): pages before and after each action, " +
    "network with headers and bodies, console. It holds whatever the pages held, secrets too. Commands are slower meanwhile.",
  scope: "write",
  effect: "disk",
  needs: "session",
  reach: "tabs",
  output: "plain",
  timeoutMs: 120_000,
  params: v.strictObject({
    action: v.picklist(["start", "stop"]),
    path: v.exactOptional(
      v.pipe(
        FileName,
        v.description("With stop, where to write it: .zip"),
        writesFile({ extensions: [".zip"], isAnswer: true, holdsSecrets: true }),
      ),
    ),
    force: Force,
  }),
  cli: { positional: ["action", "path"] },
  result: v.strictObject({
    session: v.string(),
    path: v.exactOptional(v.pipe(v.string(), v.description("Absent for start"))),
    bytes: v.exactOptional(v.number()),
    ended: v.exactOptional(v.pipe(v.string(), v.description("Why it ended before stop, when it did"))),
  }),
  examples: ["browse trace start", "browse trace stop trace.zip"],
  async run(context, { action, path }) {
    if (action === "stop") return await stop(context, path);
    if (path !== undefined) {
      throw new BrowseError("invalid_params", "The path goes with `trace stop`", {
        hint: `Run \`browse trace start\`, then \`browse trace stop ${path}\``,
      });
    }
    await startTrace(context.session);
    return { session: context.session.name };
  },
  render({ session, path, bytes, ended }) {
    if (path === undefined) return `Tracing session ${session}: end with \`browse trace stop\``;
    const early = ended === undefined ? "" : `; it ended ${ended}`;
    return `Wrote ${path} (${bytes} bytes)${early}; open it with \`npx playwright show-trace ${path}\``;
  },
});

/** The trace is kept until it is written: a full disk does not lose it. */
async function stop(context: SessionContext, path = artifactPath(context, "trace", ".zip")) {
  const { session, save } = context;
  const { data, ended } = await endTrace(session);
  const bytes = await save(path, data);
  await forgetTrace(session);
  return { session: session.name, path, bytes, ...(ended !== undefined && { ended }) };
}
