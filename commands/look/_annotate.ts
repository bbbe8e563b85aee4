/** `snapshot -a`: the snapshot's refs drawn on an image of the page. */

import { type Area, MAX_SIDE, takeScreenshot } from "../../browser/tabs/screenshot.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { boxesOf } from "../../refs/read/boxes.ts";
import { refsOf } from "../../refs/ref_table.ts";
import type { Snapshot } from "../../refs/snapshot/snapshot.ts";
import { drawLabels, type Label } from "./_labeled_image.ts";

export interface Annotated {
  data: Buffer;
  width: number;
  height: number;
  /** Refs with a box on the image. */
  drawn: string[];
  /** Refs that have no box, or none inside the image. */
  unmeasured: string[];
}

interface AnnotateOptions {
  /** The window instead of the whole page. */
  viewport: boolean;
  signal: AbortSignal;
}

/** What can be operated is drawn. Throws what `takeScreenshot` throws. */
export async function annotate(
  tab: Tab,
  { nodes }: Snapshot,
  { viewport, signal }: AnnotateOptions,
): Promise<Annotated> {
  const browser = tab.page.context().browser();
  if (!browser) throw new BrowseError("unsupported", "This browser cannot open a page to draw on");
  const wanted = nodes.filter(({ interactive, clickable }) => interactive || clickable);
  const refs = wanted.flatMap(({ ref }) => (ref === undefined ? [] : [refsOf(tab).find(ref)]));
  const cdp = await tab.cdp();
  const [boxes, { cssVisualViewport: view }] = await Promise.all([
    boxesOf(refs, signal),
    cdp.send("Page.getLayoutMetrics"),
  ]);
  const image = await takeScreenshot(tab, { format: "png", of: viewport ? "viewport" : "page", maxSide: MAX_SIDE });
  const { data, width, height, pixelRatio } = image;
  const origin = viewport ? { x: 0, y: 0 } : { x: view.pageX, y: view.pageY };
  const labels = refs.flatMap(({ id }): (Label & { id: string })[] => {
    const box = boxes.get(id);
    const placed =
      box && within(scaled({ ...box, x: box.x + origin.x, y: box.y + origin.y }, pixelRatio), { width, height });
    return placed ? [{ id, text: id.slice(1), box: placed }] : [];
  });
  const drawn = labels.map(({ id }) => id);
  return {
    data: await drawLabels(browser, { data, width, height, labels }),
    width,
    height,
    drawn,
    unmeasured: refs.map(({ id }) => id).filter((id) => !drawn.includes(id)),
  };
}

function scaled({ x, y, width, height }: Area, scale: number): Area {
  return { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
}

/** The part of the box that is on the image, with its lines inside; undefined when there is none. */
function within({ x, y, width, height }: Area, image: { width: number; height: number }): Area | undefined {
  const left = Math.max(1, x);
  const top = Math.max(1, y);
  const right = Math.min(image.width - 1, x + width);
  const bottom = Math.min(image.height - 1, y + height);
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : undefined;
}
