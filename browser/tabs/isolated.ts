/** Scripts of ours in a page's main frame, in a world of their own: what the page has overridden is not seen there. */

import { abortable } from "../../abort.ts";
import type { Tab } from "./tab.ts";

/** The browser keeps one world of a name for each document. */
const WORLD = "browse";

/**
 * Runs `script` with an argument that is JSON, and waits for what it gives. It travels as text: it uses nothing from
 * around it. Throws what ended the call, and the driver's error when the page goes away meanwhile.
 */
export async function runIsolated<Argument, Value>(
  tab: Tab,
  script: (argument: Argument) => Value | Promise<Value>,
  argument: Argument,
  signal: AbortSignal,
): Promise<Value> {
  const cdp = await tab.cdp();
  const { frameTree } = await cdp.send("Page.getFrameTree");
  const { executionContextId } = await cdp.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
    worldName: WORLD,
  });
  const running = cdp.send("Runtime.evaluate", {
    contextId: executionContextId,
    expression: `(${script})(${JSON.stringify(argument)})`,
    awaitPromise: true,
    returnByValue: true,
  });
  const { result, exceptionDetails } = await abortable(running, signal);
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as Value;
}
