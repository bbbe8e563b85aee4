/** The answer of every command that moves a tab. */
import * as v from "valibot";
import type { Arrival } from "../browser/navigation.ts";

export const ArrivalSchema = v.strictObject({
  url: v.string(),
  status: v.exactOptional(v.pipe(v.number(), v.description("HTTP status; absent where there is none"))),
  redirects: v.exactOptional(
    v.pipe(v.array(v.string()), v.description("Addresses passed through, the requested one first")),
  ),
});

export const WaitParam = v.exactOptional(
  v.pipe(v.picklist(["load", "dom", "idle", "commit"]), v.description("How far to wait: default dom")),
);

export function arrivalText({ url, status, redirects }: Arrival): string {
  const via = redirects ? ` via ${redirects.join(" → ")}` : "";
  return `Navigated to ${url}${status === undefined ? "" : ` (${status})`}${via}`;
}
