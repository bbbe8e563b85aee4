/** Where an element lies on the tab's page, through every frame. */
import type { Area } from "../../browser/tabs/screenshot.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { locatorOf } from "../../refs/reader.ts";
import type { Ref } from "../../refs/ref_table.ts";

/** The element's box in coordinates of the whole page. Throws `not_visible` when it has none. */
export async function areaOnPage(tab: Tab, ref: Ref, { signal }: { signal: AbortSignal }): Promise<Area> {
  const [box, metrics] = await Promise.all([
    locatorOf(ref.frame, ref).boundingBox({ signal, timeout: 0 }),
    tab.cdp().then((cdp) => cdp.send("Page.getLayoutMetrics")),
  ]);
  if (!box || box.width < 1 || box.height < 1) {
    throw new BrowseError("not_visible", `${ref.id} [${ref.role}] "${ref.name}" takes up no space on the page`);
  }
  const { pageX, pageY } = metrics.cssVisualViewport;
  return { ...box, x: box.x + pageX, y: box.y + pageY };
}
