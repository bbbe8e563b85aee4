import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { durationText } from "../../wording.ts";
import { defineCommand } from "../command.ts";
import { parseDuration } from "../duration.ts";
import { AuthorityEntries, authorityText } from "./_authority_shape.ts";
import { localInstructions, tunnelInstructions } from "./_instructions.ts";

const MAX_TTL_MS = 24 * 3_600_000;
const MIN_TTL_MS = 1_000;

const List = (text: string) =>
  v.exactOptional(v.pipe(v.string(), v.minLength(1, "must not be empty"), v.description(text)));

export default defineCommand({
  name: "pair",
  category: "security",
  summary: "Let an agent use this browser: make a key for it, with instructions",
  description:
    "The agent trades the key, which works once within 5 minutes, for a token that holds for a day at most. It reads and " +
    "writes in tabs that it opens itself, unless you say otherwise. Pairing a name again with less ends what it had at " +
    "once. Its files are its own folder in .browse/artifacts, and those that you lend with --files. Only with --tunnel is " +
    "it let in from elsewhere; see `browse help tunnel`.",
  aliases: ["pair-agent"],
  scope: "control",
  effect: "process",
  needs: "daemon",
  reach: "daemon",
  output: "plain",
  fromPage: "nothing",
  timeoutMs: 60_000,
  params: v.strictObject({
    name: v.exactOptional(v.pipe(v.string(), v.description("What the journal calls it"))),
    tunnel: v.exactOptional(
      v.pipe(v.boolean(), v.description("Open the tunnel if need be, and let the agent in by it")),
    ),
    scopes: List("What it may call: read,write,meta unless you say otherwise; admin and control only by name"),
    domains: List("The hosts it may open: example.com,*.example.com"),
    tabs: v.exactOptional(v.pipe(v.picklist(["own", "all"]), v.description("own unless you say otherwise"))),
    share: List("Open tabs of others that it may use: t3,t5. They lose their history: `back` leads to no page before"),
    files: List("Folders that it may read and write, here and not through the tunnel: shots,data"),
    ttl: List("How long the token holds, at most and by default 24h"),
    private: v.exactOptional(
      v.pipe(v.boolean(), v.description("It may open addresses of this machine and its network through the tunnel")),
    ),
    rate: v.exactOptional(v.pipe(v.number(), v.description("Calls per second (default 10)"))),
  }),
  cli: { positional: ["name"], presets: { "pair-agent": { tunnel: true } } },
  result: v.strictObject({
    ...AuthorityEntries,
    key: v.string(),
    keyExpiresAt: v.string(),
    ttlMs: v.number(),
    url: v.pipe(v.string(), v.description("Where the key is to be used")),
    isNarrowed: v.pipe(v.boolean(), v.description("The name had a wider or longer grant, which has ended")),
  }),
  examples: ["browse pair researcher", "browse pair shopper --domains shop.example --ttl 1h"],
  async run(
    { daemon, holder, cwd, signal },
    { name, tunnel, scopes, domains, tabs, share, files, ttl, rate, ...rest },
  ) {
    if (tunnel && files !== undefined) {
      throw new BrowseError("invalid_params", "Files cannot be lent through the tunnel", {
        hint: "Leave out --files, or --tunnel for an agent on this machine",
      });
    }
    const request = {
      ...(name !== undefined && { name }),
      ...(scopes !== undefined && { scopes: scopes.split(",") }),
      ...(domains !== undefined && { domains: domains.split(",") }),
      ...(tabs !== undefined && { tabs }),
      ...(tunnel && { isTunnelled: true }),
      ...(share !== undefined && { share: share.split(",") }),
      ...(files !== undefined && { files: files.split(",") }),
      ...(ttl !== undefined && { ttlMs: parseDuration("--ttl", ttl, { min: MIN_TTL_MS, max: MAX_TTL_MS }) }),
      ...(rate !== undefined && { perSecond: rate }),
      ...(rest.private !== undefined && { privateGranted: rest.private }),
    };
    return await daemon.remote.pair(request, { by: holder, cwd, signal });
  },
  render(pairing) {
    const { name, keyExpiresAt, ttlMs, isNarrowed, isTunnelled } = pairing;
    return [
      ...(isNarrowed ? [`# "${name}" had a wider or longer grant, which has ended.`] : []),
      `# For the agent "${name}": ${authorityText(pairing)}; for ${durationText(ttlMs)}.`,
      `# The key works once, until ${keyExpiresAt}. These lines work as they stand, in any shell.`,
      isTunnelled ? tunnelInstructions(pairing) : localInstructions(pairing),
    ].join("\n");
  },
});
