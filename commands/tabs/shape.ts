/** How answers describe a tab. */
import * as v from "valibot";

export const TabSchema = v.strictObject({
  id: v.string(),
  url: v.string(),
  current: v.pipe(v.boolean(), v.description("The tab that commands mean when they name none")),
});

export function tabText({ id, url, current }: v.InferOutput<typeof TabSchema>): string {
  return `${current ? "*" : " "} ${id} ${url}`;
}
