/** How the tunnel is shown. */
import * as v from "valibot";

export const TunnelSchema = v.strictObject({
  isOpen: v.boolean(),
  url: v.exactOptional(v.pipe(v.string(), v.description("Where it is reachable from outside"))),
  provider: v.exactOptional(v.picklist(["ngrok", "command", "none"])),
  port: v.exactOptional(v.pipe(v.number(), v.description("Of the listener on this machine that it leads to"))),
  openedAt: v.exactOptional(v.string()),
  idleMs: v.exactOptional(v.pipe(v.number(), v.description("It closes after so long without a call"))),
  closed: v.exactOptional(v.pipe(v.string(), v.description("Why the last one closed"))),
});

export function tunnelText({ isOpen, url, provider, port, closed }: v.InferOutput<typeof TunnelSchema>): string {
  if (isOpen) return `The tunnel is open: ${url} leads to port ${port} (${provider})`;
  return `No tunnel is open${closed === undefined ? "" : `. The last one closed: ${closed}`}`;
}
