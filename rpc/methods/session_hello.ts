import * as v from "valibot";
import { SessionName } from "../../security/tokens/session_name.ts";
import { TOPICS } from "../events/hub.ts";
import { mayFollow } from "../gate/visibility.ts";
import { type HelloParams, type HelloResult, PROTOCOL_VERSION } from "../protocol.ts";
import { Folder, Name } from "./fields.ts";
import { defineMethod, type Gives, isLocalWith } from "./method.ts";

defineMethod({
  name: "session.hello",
  summary: "Introduce the client and choose the session of its calls",
  remote: true,
  params: v.strictObject({
    client: Name,
    version: Name,
    session: v.exactOptional(SessionName),
    cwd: v.exactOptional(Folder),
    canary: v.exactOptional(
      v.pipe(
        v.boolean(),
        v.description("Answer a value that nothing is meant to send: where it is about to be, the call is blocked"),
      ),
    ),
  }) satisfies Gives<HelloParams>,
  run({ client, version, session, cwd, canary = false }, { ports, peer }): HelloResult {
    peer.caller = { ...peer.caller, client: `${client}/${version}` };
    const { caller } = peer;
    // Remote agents may not name files of this machine.
    if (cwd !== undefined && caller.via === "local") caller.cwd = cwd;
    if (session !== undefined) peer.session = session;
    return {
      protocol: PROTOCOL_VERSION,
      version: ports.version,
      session: peer.session ?? "default",
      scopes: [...caller.token.scopes],
      topics: isLocalWith(caller, "read") ? TOPICS.filter((topic) => mayFollow(caller, topic)) : [],
      ...(canary && { canary: ports.canaryFor(caller.token) }),
    };
  },
});
