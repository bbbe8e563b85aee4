/** Where a selector that matches nothing in the frame that commands are scoped to does match: in another frame of the tab. */
import type { Frame } from "playwright";
import type { Tab } from "../../browser/tabs/tab.ts";
import { cutUrl } from "../../security/secrets/redact.ts";
import { ask } from "../reader.ts";
import { labelOf, type Ref, refsOf } from "../ref_table.ts";
import { parseSelector } from "./selector.ts";

/** How long another frame may take to say whether the selector matches there. */
const ELSEWHERE_MS = 1000;

export interface Elsewhere {
  ref: Ref;
  /** Where it is, and how to get at it. */
  hint: string;
}

/** The first element that matches in another frame; undefined when none does, and for refs, which know their frame. */
export async function matchElsewhere(tab: Tab, target: string, signal: AbortSignal): Promise<Elsewhere | undefined> {
  if (target.startsWith("@")) return undefined;
  const selector = parseSelector(target);
  const others = tab.page.frames().filter((frame) => frame !== tab.frame && !frame.isDetached());
  const answers = await Promise.all(
    others.map((frame) =>
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
    return { ref, hint: hintOf(tab, frame, ref) };
  }
  return undefined;
}

function hintOf(tab: Tab, frame: Frame, ref: Ref): string {
  const isMain = frame === tab.page.mainFrame();
  const where = isMain ? "the main frame" : `the frame ${cutUrl(frame.url()) || "about:blank"}`;
  const way = isMain ? "main" : wayInto(tab, frame);
  return `In ${where} it matches ${labelOf(ref)}: use ${ref.id}${way ? `, or \`browse frame ${way}\` first` : ""}`;
}

/** How `frame` is told of it, where one word of a shell does that and means no other. */
function wayInto(tab: Tab, frame: Frame): string | undefined {
  const [name, url] = [frame.name(), frame.url()];
  const others = tab.page.frames().filter((other) => other !== frame && other !== tab.page.mainFrame());
  if (isPlain(name) && !others.some((other) => other.name() === name)) return `--name ${name}`;
  return isPlain(url) && !others.some((other) => other.url().includes(url)) ? `--url ${url}` : undefined;
}

function isPlain(word: string): boolean {
  return /^[\w:/.%~+-]{1,200}$/.test(word);
}
