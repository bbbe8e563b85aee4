/** How answers describe a tab. */
import * as v from "valibot";

export const TabSchema = v.strictObject({
  id: v.string(),
  url: v.string(),
  current: v.pipe(v.boolean(), v.description("The tab that commands mean when they name none")),
  crashed: v.exactOptional(v.pipe(v.boolean(), v.description("True of a tab that can only be closed"))),
});

export function tabText({ id, url, current, crashed }: v.InferOutput<typeof TabSchema>): string {
  return `${current ? "*" : " "} ${id} ${url}${crashed ? " (crashed)" : ""}`;
}
