import * as v from "valibot";
import { SessionName } from "../../security/tokens/session_name.ts";
import type { Advice } from "../../skills/notes/advice.ts";
import { TOPICS } from "../events/hub.ts";
import { ToldHosts } from "../gate/told_hosts.ts";
import { mayFollow } from "../gate/visibility.ts";
import { type HelloParams, type HelloResult, PROTOCOL_VERSION } from "../protocol.ts";
import type { Peer } from "../wire/requests.ts";
import { Folder, Name } from "./fields.ts";
import { defineMethod, type Gives, isLocalWith, type MethodPorts } from "./method.ts";

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
    advice: v.exactOptional(
      v.pipe(
        v.boolean(),
        v.description("Tell what is known of each host where a call leads, once, as `advice` beside its result"),
      ),
    ),
  }) satisfies Gives<HelloParams>,
  async run({ client, version, session, cwd, canary = false, advice = false }, { ports, peer }): Promise<HelloResult> {
    // A skill is called what it is, whatever it says.
    const isSkill = peer.caller.token.kind === "skill";
    peer.caller = { ...peer.caller, ...(!isSkill && { client: `${client}/${version}` }) };
    const { caller } = peer;
    // Remote agents may not name files of this machine.
    if (cwd !== undefined && caller.via === "local") caller.cwd = cwd;
    if (session !== undefined) peer.session = session;
    const known = advice ? await adviceFor(ports, peer) : undefined;
    return {
      protocol: PROTOCOL_VERSION,
      version: ports.version,
      session: peer.session ?? "default",
      scopes: [...caller.token.scopes],
      topics: isLocalWith(caller, "read") ? TOPICS.filter((topic) => mayFollow(caller, topic)) : [],
      ...(canary && { canary: ports.canaryFor(caller.token) }),
      ...(known && { advice: known }),
    };
  },
});

/** From now on of this connection, which starts anew when it says hello again. */
async function adviceFor({ adviceFor: tell }: MethodPorts, peer: Peer): Promise<Advice | undefined> {
  if (!tell || !isLocalWith(peer.caller, "read")) return undefined;
  peer.told = new ToldHosts();
  return await tell(peer.caller, peer.session, peer.told);
}
