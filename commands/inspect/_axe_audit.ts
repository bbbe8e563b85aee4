/**
 * Accessibility rules, tested by axe-core in a world of its own in each frame: the page neither sees it nor is touched by
 * it, and no policy of the page keeps it out.
 */
import type axe from "axe-core";
import type { CDPSession } from "playwright";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { callOn, type DebugNode, debugNode } from "../../refs/find/debug_node.ts";
import { framesUnder } from "../../refs/frames/frames.ts";
import { inWorlds, type World } from "../../refs/frames/worlds.ts";
import type { Ref } from "../../refs/ref_table.ts";

export interface AuditOptions {
  /** One element and what is in it; every frame of the page when absent. */
  ref?: Ref | undefined;
  /** Rules that have any of these; all but the experimental ones when absent. */
  tags?: readonly string[] | undefined;
}

export interface AuditedRule {
  id: string;
  impact: string | null;
  help: string;
  helpUrl: string;
  tags: string[];
  elements: AuditedElement[];
}

export interface AuditedElement {
  ref?: string;
  /** Through shadow roots with ` >>> `. */
  selector: string;
  /** The iframes around it, from the outside in, by their selectors. */
  frames?: string[];
  html: string;
  /** What to change. */
  summary: string;
}

export interface Audit {
  violations: AuditedRule[];
  /** What only a person can judge. */
  incomplete: AuditedRule[];
  /** Ids of rules that found nothing wrong. */
  passes: string[];
}

const WORLD = "browse-axe";

/** Longer HTML is cut: the selector finds the rest. Characters. */
const MAX_HTML = 300;

/** Throws `invalid_params` for a tag that no rule has, and `stale_ref`. */
export async function audit(tab: Tab, { ref, tags }: AuditOptions): Promise<Audit> {
  const { default: axe } = await import("axe-core");
  assertKnown(tags ?? [], new Set(axe.getRules().flatMap((rule) => rule.tags)));
  return await inWorlds(tab, framesUnder(tab.page.mainFrame()), async (worlds) => {
    const run = new Run(worlds, axe.source, tags);
    return await run.audit(ref ? await debugNode(worlds, ref) : await mainDocument(tab, worlds));
  });
}

function assertKnown(tags: readonly string[], known: ReadonlySet<string>): void {
  const unknown = tags.find((tag) => !known.has(tag));
  if (unknown === undefined) return;
  const standards = [...known].filter((tag) => /^(?:wcag2\d*a+|best-practice|section508|EN-301-549|ACT)$/.test(tag));
  throw new BrowseError("invalid_params", `No accessibility rule has the tag "${unknown}"`, {
    hint: `Tags are ${standards.sort().join(", ")}, and cat.color and the like for subjects`,
  });
}

type Root = Pick<DebugNode, "cdp" | "frameId"> & { backendNodeId?: number };

async function mainDocument(tab: Tab, worlds: readonly World[]): Promise<Root> {
  const { frameTree } = await (await tab.cdp()).send("Page.getFrameTree");
  const main = worlds.find(({ frameId }) => frameId === frameTree.frame.id);
  if (main) return main;
  throw new BrowseError("detached", "The page navigated away before it could be tested");
}

class Run {
  readonly #worlds: readonly World[];
  readonly #source: string;
  readonly #options: axe.RunOptions;

  constructor(worlds: readonly World[], source: string, tags: readonly string[] | undefined) {
    this.#worlds = worlds;
    this.#source = source;
    this.#options = {
      // It would fetch the page's style sheets from other hosts.
      preload: false,
      resultTypes: ["violations", "incomplete"],
      ...(tags && { runOnly: { type: "tag", values: [...tags] } }),
    };
  }

  async audit(root: Root): Promise<Audit> {
    const partials = await this.#test(root, null);
    const place = await this.#object(root.cdp, await this.#load(root), undefined);
    return await callOn(place, finish, partials, this.#options, MAX_HTML);
  }

  /** The frame's own part, then those of the frames in it, in the order in which axe-core wants them back. */
  async #test(root: Root, context: axe.FrameContextObject | null): Promise<(string | null)[]> {
    const contextId = await this.#load(root);
    const object = await this.#object(root.cdp, contextId, root.backendNodeId);
    const { partial, frames } = await callOn(object, test, context, this.#options);
    const parts: (string | null)[] = [partial];
    for (const [index, frame] of frames.entries()) {
      const child = await this.#childOf(root.cdp, contextId, index);
      // A frame that left meanwhile, or cannot be reached, is told as not tested.
      const tested = child && (await this.#test(child, frame).catch(() => undefined));
      parts.push(...(tested ?? [null]));
    }
    return parts;
  }

  async #childOf(cdp: CDPSession, contextId: number, index: number): Promise<Root | undefined> {
    const { result } = await cdp.send("Runtime.evaluate", { contextId, expression: `browseFrames[${index}]` });
    if (!result.objectId) return undefined;
    const { node } = await cdp.send("DOM.describeNode", { objectId: result.objectId });
    return this.#worlds.find(({ frameId }) => frameId === node.frameId);
  }

  /** The element, or the document, in axe-core's world. */
  async #object(
    cdp: CDPSession,
    contextId: number,
    backendNodeId: number | undefined,
  ): Promise<{ cdp: CDPSession; objectId: string }> {
    if (backendNodeId === undefined) {
      const { result } = await cdp.send("Runtime.evaluate", { contextId, expression: "document" });
      return { cdp, objectId: result.objectId ?? "" };
    }
    const { object } = await cdp.send("DOM.resolveNode", { backendNodeId, executionContextId: contextId });
    return { cdp, objectId: object.objectId ?? "" };
  }

  /** The frame's world that has axe-core, made when its document is first tested. */
  async #load({ cdp, frameId }: Root): Promise<number> {
    const { executionContextId: contextId } = await cdp.send("Page.createIsolatedWorld", { frameId, worldName: WORLD });
    const { result } = await cdp.send("Runtime.evaluate", { contextId, expression: "typeof axe", returnByValue: true });
    if (result.value === "object") return contextId;
    // We carry what frames have to tell each other; the page could hear messages.
    const silence = "axe.frameMessenger({ open: () => () => {}, post: () => false });";
    await cdp.send("Runtime.evaluate", { contextId, expression: `${this.#source};${silence}` });
    return contextId;
  }
}

/** In axe-core's world. */
interface AxeWorld {
  axe: typeof axe;
  browseFrames: (Element | null)[];
}

/** Runs in axe-core's world, as text: tests one frame, and tells which frames are in it. */
async function test(this: Node, context: axe.FrameContextObject | null, options: axe.RunOptions) {
  const world = globalThis as unknown as AxeWorld;
  const spec = context ?? { include: [this] };
  const frames = world.axe.utils.getFrameContexts(spec as axe.ElementContext, options);
  world.browseFrames = frames.map(({ frameSelector }) => world.axe.utils.shadowSelect(frameSelector));
  const partial = await world.axe.runPartial(spec as axe.ElementContext, options);
  return { partial: JSON.stringify(partial), frames: frames.map(({ frameContext }) => frameContext) };
}

/** Runs in axe-core's world, as text: what the parts come to. */
async function finish(
  this: Node,
  partials: (string | null)[],
  options: axe.RunOptions,
  maxHtml: number,
): Promise<Audit> {
  const world = globalThis as unknown as AxeWorld;
  const parsed = partials.map((partial) => (partial === null ? null : JSON.parse(partial)));
  const { violations, incomplete, passes } = await world.axe.finishRun(parsed, options);
  const impacts = ["critical", "serious", "moderate", "minor"];
  // What people typed is no part of how a page is made, and may be a password.
  const withoutValues = (html: string): string =>
    html
      .replace(/(<input\b(?![^>]* type="(?:button|submit|reset)")[^>]*? value=)"[^"]*"/g, '$1"•••"')
      .replace(/(<textarea\b[^>]*>)[^<]+/g, "$1•••");
  const cut = (html: string): string => (html.length > maxHtml ? `${html.slice(0, maxHtml)}…` : html);
  const rank = (rule: { impact: string | null }) => (impacts.indexOf(rule.impact ?? "") + 5) % 5;
  const rulesOf = (results: typeof violations): AuditedRule[] =>
    results
      .map(({ id, impact = null, help, helpUrl, tags, nodes }) => ({
        id,
        impact,
        help,
        helpUrl: helpUrl.split("?")[0] ?? helpUrl,
        tags,
        elements: nodes.map(({ target, html, failureSummary = "" }) => {
          const path = target.map((part) => (typeof part === "string" ? part : part.join(" >>> ")));
          return {
            selector: path.at(-1) ?? "",
            ...(path.length > 1 && { frames: path.slice(0, -1) }),
            html: cut(withoutValues(html)),
            summary: failureSummary.replace(/\s*\n\s*/g, " "),
          };
        }),
      }))
      .sort((one, other) => rank(one) - rank(other) || one.id.localeCompare(other.id));
  const failed = new Set(violations.map(({ id }) => id));
  return {
    violations: rulesOf(violations),
    incomplete: rulesOf(incomplete),
    passes: passes.map(({ id }) => id).filter((id) => !failed.has(id)),
  };
}
