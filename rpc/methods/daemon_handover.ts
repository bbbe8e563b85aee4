import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import type { HandoverParams } from "../protocol.ts";
import { Name } from "./fields.ts";
import { defineMethod, type Gives } from "./method.ts";

defineMethod({
  name: "daemon.handover",
  summary: "Make room for a daemon of the client's version, unless something would be lost",
  local: "control",
  retrySafe: false,
  params: v.strictObject({ version: Name }) satisfies Gives<HandoverParams>,
  run({ version }, { ports, peer: { caller } }) {
    // As of `restart`: what ends the daemon ends the tabs of all.
    if (caller.token.tabs === "all") return ports.handover(version);
    throw new BrowseError("not_owner", "This method would close tabs of other clients", { hint: "Ask a person" });
  },
});
