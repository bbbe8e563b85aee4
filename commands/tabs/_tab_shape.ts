/** How answers describe a tab. */
import * as v from "valibot";
import type { Tab } from "../../browser/tabs/tab.ts";
import { cutUrl } from "../../security/secrets/redact.ts";

export const TabSchema = v.strictObject({
  id: v.string(),
  url: v.string(),
  failed: v.exactOptional(
    v.pipe(
      v.string(),
      v.description("The address that could not be loaded, where the browser shows its own error page"),
    ),
  ),
  current: v.pipe(v.boolean(), v.description("The tab that commands mean when they name none")),
  crashed: v.exactOptional(v.pipe(v.boolean(), v.description("True of a tab that `reload` or `goto` brings back"))),
});

export type TabShape = v.InferOutput<typeof TabSchema>;

/** What whoever may use the tab is told of it. */
export function tabShape(tab: Tab): Omit<TabShape, "current"> {
  const failed = tab.pendingNavigation.unshown?.url;
  return {
    id: tab.id,
    url: tab.url,
    ...(failed !== undefined && { failed: cutUrl(failed) }),
    ...(tab.hasCrashed && { crashed: true }),
  };
}

/** `http://…`, with what is wrong with it. */
export function placeText({ url, failed, crashed }: Pick<TabShape, "url" | "failed" | "crashed">): string {
  return `${url}${failed === undefined ? "" : ` (instead of ${failed})`}${crashed ? " (crashed)" : ""}`;
}
