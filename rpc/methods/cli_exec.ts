import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { SESSION_NAME_WORDS, SessionName } from "../../security/tokens/session_name.ts";
import { follow } from "../events/follow.ts";
import { filterMeant } from "../gate/visibility.ts";
import type { CliExecParams } from "../protocol.ts";
import { Folder, Name } from "./fields.ts";
import { defineMethod, endingOf, type Gives, notifyOf, ownerOf, sightOf, subscriberOf } from "./method.ts";

defineMethod({
  name: "cli.exec",
  summary: "Run one command line as the CLI does",
  // Dispatch counts its command.
  isCounted: false,
  retrySafe: false,
  params: v.strictObject({
    argv: v.pipe(v.array(v.string()), v.maxLength(10_000, "has too many words")),
    cwd: Folder,
    stdin: v.exactOptional(v.string()),
    tty: v.exactOptional(v.boolean()),
    columns: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
    session: v.exactOptional(v.string()),
    version: Name,
  }) satisfies Gives<CliExecParams>,
  async run(params, context) {
    const { ports, peer, call } = context;
    assertSession(params.session);
    return await ports.cliExec(params, {
      caller: { ...peer.caller, cwd: params.cwd, client: `browse-cli/${params.version}` },
      session: params.session ?? peer.session,
      signal: call.signal,
      notify: notifyOf(call),
      endWithCaller: endingOf(call),
      ask: (question) => call.ask(question),
      output: (stream, text) => call.tell("output", { stream, text }),
      follow: async (followed, render) =>
        await follow(ports.hub, subscriberOf(peer), {
          ...filterMeant(peer.caller, followed),
          call: call.id,
          signal: call.signal,
          canSee: sightOf(context, followed.topics),
          ...ownerOf(peer),
          render,
        }),
    });
  },
});

/** The client takes it from its environment as it is. */
function assertSession(session: string | undefined): void {
  if (session === undefined || v.is(SessionName, session)) return;
  const message = `BROWSE_SESSION must be ${SESSION_NAME_WORDS}, not ${JSON.stringify(session)}`;
  throw new BrowseError("invalid_params", message, { hint: "Set it to such a name, or unset it" });
}
