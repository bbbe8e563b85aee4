/** The answer of every command that moves a tab. */
import * as v from "valibot";
import type { NavigationResult } from "../browser/navigation/navigation.ts";

export const NavigationSchema = v.strictObject({
  url: v.string(),
  status: v.exactOptional(v.pipe(v.number(), v.description("HTTP status; absent where there is none"))),
  redirects: v.exactOptional(
    v.pipe(v.array(v.string()), v.description("Addresses passed through, the requested one first")),
  ),
  isCached: v.exactOptional(
    v.pipe(v.literal(true), v.description("No server was asked: the browser showed what it had kept")),
  ),
  shows: v.exactOptional(
    v.pipe(
      v.picklist(["nothing", "before"]),
      v.description("What the tab shows of an answer without a page: nothing, or the page before (of downloads too)"),
    ),
  ),
  inFrame: v.exactOptional(
    v.pipe(v.literal(true), v.description("The step was one of a frame, which the effect names: the page stays")),
  ),
});

export const WaitParam = v.exactOptional(
  v.pipe(v.picklist(["load", "dom", "idle", "commit"]), v.description("What to wait for (default dom)")),
);

export function stepText(direction: "back" | "forward", result: NavigationResult): string {
  return result.inFrame ? `Went ${direction} in a frame; the page stays at ${result.url}` : navigationText(result);
}

export function navigationText({ url, status, redirects, isCached, shows }: NavigationResult): string {
  if (shows === "before") {
    const answer = status === undefined ? "sent a file to download" : `answered ${status}, without content`;
    return `The server ${answer}: the tab stays at ${url}`;
  }
  const via = redirects ? ` via ${redirects.join(" → ")}` : "";
  const missing = shows === "nothing" ? ": the server sent no page with it" : "";
  const answered = [status, isCached && "from the browser's cache"].filter(Boolean).join(", ");
  return `Navigated to ${url}${answered === "" ? "" : ` (${answered})`}${via}${missing}`;
}
