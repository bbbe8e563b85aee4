/** From what a command was given to the one element it means, or to the reason why there is none. */

import type { Frame } from "playwright";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { isSameName } from "../page/act/same_name.ts";
import type { QueryAnswer } from "../page/protocol.ts";
import { ask } from "../reader.ts";
import { labelOf, quoted, type Ref, refsOf } from "../ref_table.ts";
import { isNoted, noteActedOn } from "./acted_on.ts";
import { askRef } from "./ask_ref.ts";
import { matchElsewhere } from "./elsewhere.ts";
import { malformed, parseSelector, type Selector } from "./selector.ts";
import { detachedFrameRef, renamedRef, staleRef } from "./stale.ts";

interface TargetOptions {
  signal: AbortSignal;
}

/** How many elements an ambiguous selector's answer shows. */
const MAX_CANDIDATES = 5;

/**
 * The element a ref or selector means, with its ref, in one round trip. A selector is looked up in the frame that
 * commands are scoped to; when several match and exactly one of them can be seen, it means that one.
 * Throws `unknown_ref`, `stale_ref`, `not_found`, `ambiguous`, `invalid_params`.
 */
export async function resolve(tab: Tab, target: string, { signal }: TargetOptions): Promise<Ref> {
  if (target.startsWith("@")) return await resolveRef(tab, target, signal);
  const frame = tab.frame;
  const selector = parseSelector(target);
  const answer = await lookUp(frame, target, selector, { signal, locate: isNoted(tab, signal) });
  const candidates = answer.visible > 0 ? answer.visible : answer.count;
  const found = answer.found.slice(0, candidates);
  const refs = found.map((each) => refsOf(tab).giveDescribed(frame, answer.doc, each, target));
  const [only] = refs;
  if (!only) throw await notFound(tab, target, signal);
  if (candidates > 1) throw ambiguous(target, candidates, refs, found);
  noteActedOn(tab, signal, only, answer.found[0]?.locators ?? {});
  return only;
}

/** The ref of the main document's first element that matches; undefined when there is none, or it is not CSS. */
export async function refOfFirst(tab: Tab, css: string, signal: AbortSignal): Promise<string | undefined> {
  const frame = tab.page.mainFrame();
  const { doc, found } = await ask(frame, "query", { by: "css", value: css, max: 1 }, { signal });
  const [first] = found;
  return first && refsOf(tab).giveDescribed(frame, doc, first, css).id;
}

/** How many elements match, seen or not. A ref matches one, as long as it lives. */
export async function countMatches(tab: Tab, target: string, { signal }: TargetOptions): Promise<number> {
  if (target.startsWith("@")) return (await resolveRef(tab, target, signal)) ? 1 : 0;
  return (await lookUp(tab.frame, target, parseSelector(target), { signal })).count;
}

/** How many elements match, and how many of them can be seen. */
export async function countSeen(
  tab: Tab,
  target: string,
  { signal }: TargetOptions,
): Promise<Pick<QueryAnswer, "count" | "visible">> {
  return await lookUp(tab.frame, target, parseSelector(target), { signal });
}

async function resolveRef(tab: Tab, id: string, signal: AbortSignal): Promise<Ref> {
  const ref = refsOf(tab).find(id);
  if (ref.frame.isDetached()) throw detachedFrameRef(ref);
  const { doc, n, role, name } = ref;
  const locate = isNoted(tab, signal);
  const answer = await askRef(ref, "describe", { doc, n, role, name, locate }, { signal }).catch((error: unknown) => {
    if (ref.frame.isDetached() && !tab.page.isClosed()) throw detachedFrameRef(ref);
    throw error;
  });
  if (answer.state === "gone") throw staleRef(ref, answer);
  if (answer.role !== role || !isSameName(name, answer.name)) throw renamedRef(ref, answer);
  if (answer.text !== undefined) ref.text = answer.text;
  noteActedOn(tab, signal, ref, answer.locators ?? {});
  return ref;
}

async function lookUp(
  frame: Frame,
  target: string,
  selector: Selector,
  { signal, locate = false }: TargetOptions & { locate?: boolean },
): Promise<QueryAnswer> {
  const answer = await ask(frame, "query", { ...selector, max: MAX_CANDIDATES, locate }, { signal });
  if (answer.error !== undefined) throw malformed(target, "it is not valid CSS");
  return answer;
}

function ambiguous(target: string, count: number, refs: Ref[], found: QueryAnswer["found"]): BrowseError {
  const rows = found.map(({ row }) => row);
  const lines = refs.map(
    (ref, index) => `  ${labelOf(ref)}${rows[index] === undefined ? "" : ` in ${quoted(rows[index])}`}`,
  );
  if (count > refs.length) lines.push(`  … and ${count - refs.length} more`);
  return new BrowseError("ambiguous", `"${target}" matches ${count} elements:\n${lines.join("\n")}`, {
    details: {
      count,
      candidates: refs.map(({ id, role, name }, index) => ({
        ref: id,
        role,
        name,
        ...(rows[index] !== undefined && { within: rows[index] }),
      })),
    },
  });
}

/** Says where else it matches, or how else it may have been meant. */
async function notFound(tab: Tab, target: string, signal: AbortSignal): Promise<BrowseError> {
  const message = `Nothing matches "${target}"`;
  const elsewhere = await matchElsewhere(tab, target, signal);
  if (elsewhere) {
    const { ref, hint } = elsewhere;
    return new BrowseError("not_found", message, { hint, details: { elsewhere: ref.id } });
  }
  if (/^[ec]\d+$/.test(target))
    return new BrowseError("not_found", message, { hint: `If you mean the ref, write @${target}` });
  const hint = await textHint(tab, target, signal);
  return new BrowseError("not_found", message, hint === undefined ? {} : { hint });
}

/** Words that are a CSS selector too, by their form. */
const WORDS = /^[a-z][\w-]*(?: [\w-]+)*$/i;

/** For who wrote what an element says, and not that it is its text. */
async function textHint(tab: Tab, target: string, signal: AbortSignal): Promise<string | undefined> {
  if (!WORDS.test(target)) return undefined;
  const answer = await ask(tab.frame, "query", { by: "text", value: target, max: 1 }, { signal });
  const [found] = answer.found;
  if (!found) return undefined;
  const as = `Write "text=${target}" for what says so`;
  if (answer.count > 1) return `${as}: ${answer.count} elements do`;
  return `${as}: ${labelOf(refsOf(tab).giveDescribed(tab.frame, answer.doc, found, target))}`;
}
