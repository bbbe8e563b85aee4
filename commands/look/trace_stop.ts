import * as v from "valibot";
import { endTrace, forgetTrace } from "../../browser/sessions/tracing.ts";
import { artifactPath } from "../artifact.ts";
import { defineCommand } from "../command.ts";
import { FileName, Force, writesFile } from "../params.ts";

export default defineCommand({
  name: "trace.stop",
  category: "look",
  summary: "Stop the session's trace, and write it",
  description:
    "Without a path it goes to .browse/artifacts. What cannot be written there, as on a full disk, is not lost; a trace is " +
    "for which the disk of .browse itself has no room.",
  scope: "write",
  effect: "disk",
  needs: "session",
  reach: "tabs",
  output: "plain",
  fromPage: "parts",
  timeoutMs: 120_000,
  params: v.strictObject({
    path: v.exactOptional(
      v.pipe(
        FileName,
        v.description("Where to write it: .zip"),
        writesFile({ extensions: [".zip"], isAnswer: true, holdsSecrets: true }),
      ),
    ),
    force: Force,
  }),
  cli: { positional: ["path"] },
  result: v.strictObject({
    session: v.string(),
    path: v.string(),
    bytes: v.number(),
    ended: v.exactOptional(v.pipe(v.string(), v.description("Why it ended before stop, when it did"))),
  }),
  examples: ["browse trace start", "browse trace stop trace.zip"],
  async run(context, { path = artifactPath(context, "trace", ".zip") }) {
    const { session, save } = context;
    const { data, ended } = await endTrace(session);
    const bytes = await save(path, data);
    await forgetTrace(session);
    return { session: session.name, path, bytes, ...(ended !== undefined && { ended }) };
  },
  render({ path, bytes, ended }) {
    const early = ended === undefined ? "" : `; it ended ${ended}`;
    return `Wrote ${path} (${bytes} bytes)${early}; open it with \`npx playwright show-trace ${path}\``;
  },
});
