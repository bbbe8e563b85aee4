import * as v from "valibot";
import { defineMethod } from "./method.ts";

defineMethod({
  name: "rpc.discover",
  summary: "Give this document",
  remote: true,
  params: v.strictObject({}),
  run: (_params, { ports, peer }) => ports.openRpc(peer.caller.via),
});
