import * as v from "valibot";
import { loadFault } from "../../browser/driver/network_errors.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { baselineSnapshot, type ComparedSnapshot, compareWithLast } from "../../refs/snapshot/compare.ts";
import { renderSnapshot } from "../../refs/snapshot/render.ts";
import { renderComparison } from "../../refs/snapshot/render_diff.ts";
import type { Snapshot, SnapshotOptions } from "../../refs/snapshot/snapshot.ts";
import { cutUrl, redactUrl } from "../../security/secrets/redact.ts";
import { artifactPath } from "../artifact.ts";
import { defineCommand } from "../command.ts";
import type { TabContext } from "../context.ts";
import { Force, Target, writesFile } from "../params.ts";
import { type OnHidden, tellHidden } from "../tell_hidden.ts";
import { annotate } from "./_annotate.ts";
import { type AnnotatedShape, SnapshotSchema } from "./_snapshot_shape.ts";

const Flag = (description: string) => v.exactOptional(v.pipe(v.boolean(), v.description(description)));

const Params = v.strictObject({
  interactive: Flag("What can be operated, also without a role, and what tells it apart"),
  compact: Flag("Leave out structure without a name"),
  depth: v.exactOptional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000), v.description("Deepest level shown")),
  ),
  selector: v.exactOptional(v.pipe(Target, v.description("Only what is inside this element"))),
  viewport: Flag("Only what is in view"),
  modal: Flag("Only the topmost open dialog"),
  clickable: Flag("Only what can be clicked without a role: pointer cursor, tabindex, listeners"),
  noClickable: Flag("With -i: without that"),
  diff: Flag("What changed since the tab's last snapshot"),
  annotate: Flag("An image of the page with a box and the ref on each thing that can be operated"),
  output: v.exactOptional(
    v.pipe(v.string(), v.description("Where to write the image of -a: .png"), writesFile({ extensions: [".png"] })),
  ),
  max: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(100_000),
      v.description("Maximum number of lines (default 2000, with -i 5000)"),
    ),
  ),
  force: Force,
});

type SnapshotParams = v.InferOutput<typeof Params>;

export default defineCommand({
  name: "snapshot",
  category: "look",
  summary: "Show the page as a tree of elements with refs",
  description:
    "One line a node: ref, role, name, value and states; two spaces a level. Frames and shadow roots are included. " +
    "With -i a link's address is left out where its name tells it apart and it stays on the site. " +
    "Refs stay good while their element lives. With -D one line says that nothing changed, else lines that came (+), " +
    "went (-) or are another (~); a page that was left is shown anew.",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "whole",
  params: Params,
  cli: {
    short: {
      interactive: "i",
      compact: "c",
      depth: "d",
      selector: "s",
      viewport: "v",
      clickable: "C",
      diff: "D",
      annotate: "a",
      output: "o",
    },
  },
  raises: [
    { param: "output", scope: "write", effect: "disk" },
    { param: "annotate", equals: true, scope: "write", effect: "disk" },
  ],
  result: SnapshotSchema,
  examples: [
    "browse snapshot -i",
    "browse snapshot -ic -d 4",
    "browse snapshot -s main",
    "browse snapshot -iv",
    "browse snapshot -C",
    "browse snapshot -iD",
    "browse snapshot -ia -o page.png",
    "browse snapshot --modal",
  ],
  async run(context, params) {
    if (params.output !== undefined && !params.annotate) {
      throw new BrowseError("invalid_params", '"--output" is where the image of "--annotate" goes: add -a', {
        details: { flag: "--output" },
      });
    }
    const options = optionsOf(params, context.signal);
    tellOfErrorPage(context);
    const read = (onHidden: OnHidden) => look(context.tab, params.diff === true, { ...options, onHidden });
    const { now, shown } = await tellHidden(context, read);
    const { url, total } = now;
    context.tab.report("refs", { event: "snapshot", url: redactUrl(url), shown: now.shown, total });
    return params.annotate ? { ...shown, annotated: await saveImage(context, params, now) } : shown;
  },
  render(result, flags) {
    const isComparison = "comparison" in result;
    const { interactive, compact, viewport } = flags;
    const shown = { ...(interactive && { interactive }), ...(compact && { compact }), ...(viewport && { viewport }) };
    const options = { brief: interactive === true, flags: { ...shown, ...clickableOf(flags) } };
    const text = isComparison ? renderComparison(result as ComparedSnapshot, options) : renderSnapshot(result, options);
    return result.annotated ? `${annotatedText(result.annotated)}\n${text}` : text;
  },
});

/** It has no title, and nothing in it for anybody. */
function tellOfErrorPage({ tab, log }: TabContext): void {
  const { unshown } = tab.pendingNavigation;
  if (!unshown) return;
  const why = `${cutUrl(unshown.url)} could not be loaded: ${loadFault(unshown)}`;
  log("warning", `The browser shows a page of its own, as ${why}`);
}

async function look(tab: Tab, diff: boolean, options: SnapshotOptions): Promise<{ now: Snapshot; shown: Shown }> {
  if (diff) {
    const { now, compared } = await compareWithLast(tab, options);
    return { now, shown: compared };
  }
  const now = await baselineSnapshot(tab, options);
  return { now, shown: now };
}

type Shown = Snapshot & Partial<ComparedSnapshot>;

function optionsOf(params: SnapshotParams, signal: AbortSignal): SnapshotOptions {
  const { interactive, compact, viewport, modal, depth, selector, max } = params;
  return {
    signal,
    ...(interactive && { interactive }),
    ...(compact && { compact }),
    ...(viewport && { viewport }),
    ...(modal && { modal }),
    ...clickableOf(params),
    ...(depth === undefined ? {} : { depth }),
    ...(selector === undefined ? {} : { selector }),
    ...(max === undefined ? {} : { maxNodes: max }),
  };
}

/** Who looks once with -i sees all that can be acted on. */
function clickableOf({ interactive, clickable, noClickable }: SnapshotParams): Pick<SnapshotOptions, "clickable"> {
  if (interactive) return noClickable ? {} : { clickable: true };
  return clickable ? { clickable: "only" } : {};
}

async function saveImage(
  context: TabContext,
  { output, viewport }: SnapshotParams,
  shown: Snapshot,
): Promise<AnnotatedShape> {
  const { tab, signal, save } = context;
  const { data, ...annotated } = await annotate(tab, shown, { viewport: viewport === true, signal });
  const path = output ?? artifactPath(context, "annotated", ".png");
  return { path, bytes: await save(path, data), ...annotated };
}

function annotatedText({ path, width, height, drawn, unmeasured }: AnnotatedShape): string {
  const left = unmeasured.length > 0 ? `; not on it: ${unmeasured.join(" ")}` : "";
  return `Wrote ${path} (${width}x${height}, ${drawn.length} refs${left})`;
}
