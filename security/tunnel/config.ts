/** What the user's `config.json` says about tunnels. Without it, none is ever opened. */
import * as v from "valibot";

const Command = v.pipe(
  v.array(v.pipe(v.string(), v.minLength(1, "must not be empty"))),
  v.minLength(1, "must name a program"),
  v.check((argv) => argv.some((word) => word.includes("{port}")), "must have {port} where the port belongs"),
);

const PublicUrl = v.pipe(
  v.string(),
  v.check((text) => isOrigin(text), "must be an http or https address without a path"),
);

export const TunnelConfigSchema = v.pipe(
  v.strictObject({
    /** That this browser may be reached from outside of the machine: nothing opens a tunnel unless it is true. */
    consent: v.boolean(),
    provider: v.picklist(["ngrok", "command", "none"]),
    /** The program that forwards the port, and its arguments. */
    command: v.exactOptional(Command),
    /** Where the program makes us reachable, when that never changes; else it is looked for in what it prints. */
    url: v.exactOptional(PublicUrl),
    /** The host to look for in what it prints, when it names others too: `*.trycloudflare.com`. */
    host: v.exactOptional(
      v.pipe(v.string(), v.regex(/^(\*\.)?[a-z0-9.-]+$/i, "must be a host, or * and what follows")),
    ),
    /** The tunnel closes when no call has come through it for so long. Default 30. */
    idleMinutes: v.exactOptional(v.pipe(v.number(), v.minValue(0.001), v.maxValue(24 * 60))),
  }),
  v.check(
    ({ provider, command }) => (provider === "command") === (command !== undefined),
    'must have "command" for the provider "command", and for no other',
  ),
);

export type TunnelConfig = v.InferOutput<typeof TunnelConfigSchema>;

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
}
