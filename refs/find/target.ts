/** From what a command was given to the one element it means, or to the reason why there is none. */

import type { Frame } from "playwright";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { cutUrl } from "../../security/secrets/redact.ts";
import { isSameName } from "../page/act/same_name.ts";
import type { QueryAnswer } from "../page/protocol.ts";
import { ask } from "../reader.ts";
import { labelOf, type Ref, refsOf } from "../ref_table.ts";
import { isNoted, noteActedOn } from "./acted_on.ts";
import { askRef } from "./ask_ref.ts";
import { malformed, parseSelector, type Selector } from "./selector.ts";
import { detachedFrameRef, renamedRef, staleRef } from "./stale.ts";

interface TargetOptions {
  signal: AbortSignal;
}

/** How many elements an ambiguous selector's answer shows. */
const MAX_CANDIDATES = 5;
/** How long another frame may take to say whether the selector matches there. */
const ELSEWHERE_MS = 1000;

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
  const refs = answer.found
    .slice(0, candidates)
    .map((found) => refsOf(tab).giveDescribed(frame, answer.doc, found, target));
  const [only] = refs;
  if (!only) throw await notFound(tab, target, selector, signal);
  if (candidates > 1) throw ambiguous(target, candidates, refs);
  noteActedOn(tab, signal, only, answer.found[0]?.locators ?? {});
  return only;
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

function ambiguous(target: string, count: number, refs: Ref[]): BrowseError {
  const lines = refs.map((ref) => `  ${labelOf(ref)}`);
  if (count > refs.length) lines.push(`  … and ${count - refs.length} more`);
  return new BrowseError("ambiguous", `"${target}" matches ${count} elements:\n${lines.join("\n")}`, {
    details: { count, candidates: refs.map(({ id, role, name }) => ({ ref: id, role, name })) },
  });
}

/** Looks in the other frames, so that the answer can say where it is. */
async function notFound(tab: Tab, target: string, selector: Selector, signal: AbortSignal): Promise<BrowseError> {
  const message = `Nothing matches "${target}"`;
  const elsewhere = tab.page.frames().filter((frame) => frame !== tab.frame && !frame.isDetached());
  const answers = await Promise.all(
    elsewhere.map((frame) =>
      ask(frame, "query", { ...selector, max: 1 }, { signal, timeoutMs: ELSEWHERE_MS }).then(
        (answer) => ({ frame, answer }),
        // A frame that leaves or hangs meanwhile has nothing to offer.
        () => undefined,
      ),
    ),
  );
  signal.throwIfAborted();
  for (const { frame, answer } of answers.filter((entry) => entry !== undefined)) {
    const [found] = answer.found;
    if (!found) continue;
    const ref = refsOf(tab).giveDescribed(frame, answer.doc, found, target);
    const hint = `In the frame ${cutUrl(frame.url()) || "about:blank"} it matches ${labelOf(ref)}: use ${ref.id}, or \`browse frame\` first`;
    return new BrowseError("not_found", message, { hint, details: { elsewhere: ref.id } });
  }
  const looksLikeRef = /^[ec]\d+$/.test(target);
  return new BrowseError("not_found", message, looksLikeRef ? { hint: `If you mean the ref, write @${target}` } : {});
}
