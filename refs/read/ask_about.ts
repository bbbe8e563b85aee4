/** One question about one element, or about the frame that commands are scoped to. */
import type { Tab } from "../../browser/tabs/tab.ts";
import { staleRef } from "../find/stale.ts";
import { resolve } from "../find/target.ts";
import type { Gone, Operations } from "../page/protocol.ts";
import { ask } from "../reader.ts";

/** Operations that take an element. */
type ElementOperation = "html" | "links" | "attributes" | "style" | "value" | "status";

type Here<O extends ElementOperation> = Exclude<Operations[O]["answer"], Gone>;

interface AskOptions {
  signal: AbortSignal;
}

/** Throws what `resolve` throws, and `stale_ref` when the element goes between the look and the question. */
export async function askAbout<O extends ElementOperation>(
  tab: Tab,
  target: string | undefined,
  operation: O,
  params: Record<string, unknown>,
  { signal }: AskOptions,
): Promise<Here<O>> {
  const ref = target === undefined ? undefined : await resolve(tab, target, { signal });
  const element = ref ? { doc: ref.doc, n: ref.n } : {};
  const question = { ...params, ...element } as Operations[O]["params"];
  const answer = await ask(ref?.frame ?? tab.frame, operation, question, { signal });
  if (ref && "state" in answer && answer.state === "gone") throw staleRef(ref, answer);
  return answer as Here<O>;
}
