/**
 * Calls to the driver's own script in the isolated world of a document. The driver's public way there makes three
 * objects and a stack trace of every call, checks it twice, and takes as long again as the way to the page and back.
 */
import type { Frame, Page } from "playwright";
import { insideOf } from "./inside.ts";

interface InnerFrame {
  utilityContext?(): Promise<InnerWorld>;
  /** Of the page's own scripts. */
  mainContext?(): Promise<InnerWorld>;
}

interface InnerWorld {
  /** The script, once for each document; puts it there when it is not yet. */
  injectedScript?(): Promise<{ _objectId?: string }>;
  delegate?: InnerDelegate;
}

interface InnerDelegate {
  _client?: InnerClient;
  _contextId?: number;
  rawEvaluateHandle?(context: unknown, expression: string): unknown;
}

interface InnerClient {
  send(
    method: "Runtime.callFunctionOn" | "Runtime.evaluate" | "Runtime.releaseObject",
    params: object,
  ): Promise<{ result: { value?: unknown; objectId?: string }; exceptionDetails?: unknown }>;
}

/**
 * What `declaration`, a function in source form that is called with the driver's script as `this`, returns. Undefined
 * where that cannot be done or fails, for whatever reason: the public way knows them all. Nothing is called once the
 * signal has aborted: a document may be long in coming, and who asked may not want it any more.
 */
export async function callInWorld(
  frame: Frame,
  signal: AbortSignal,
  declaration: string,
  ...values: string[]
): Promise<unknown> {
  try {
    const world = await insideOf<InnerFrame>(frame)?.utilityContext?.();
    shareScript(world?.delegate);
    const script = await world?.injectedScript?.();
    if (!script?._objectId || signal.aborted) return undefined;
    const answer = await world?.delegate?._client?.send("Runtime.callFunctionOn", {
      functionDeclaration: declaration,
      objectId: script._objectId,
      arguments: values.map((value) => ({ value })),
      returnByValue: true,
      // As the driver calls: what a field's change sets off may open a window.
      userGesture: true,
    });
    return answer?.exceptionDetails ? undefined : answer?.result.value;
  } catch {
    return undefined;
  }
}

/** How the driver names the world that its script runs in, the same in all frames (playwright-core 1.65, `crPage.ts`). */
const UTILITY_WORLD = /^__playwright_utility_world/;

/**
 * The name of that world, by which the debugger can mean it. On a session of its own, since one that hears of worlds also
 * hears all that the page says.
 */
export async function worldName(page: Page): Promise<string | undefined> {
  const cdp = await page.context().newCDPSession(page);
  let found: string | undefined;
  cdp.on("Runtime.executionContextCreated", ({ context: { name } }) => {
    if (UTILITY_WORLD.test(name)) found = name;
  });
  try {
    await cdp.send("Runtime.enable");
  } finally {
    await cdp.detach().catch(() => undefined);
  }
  return found;
}

/**
 * Resolves when the document has had two turns for tasks, after those that were waiting: by then a page that builds itself
 * by script has begun to ask for what it will show. At once where nobody can be asked.
 */
export async function untilTurns(frame: Frame): Promise<void> {
  const world = await insideOf<InnerFrame>(frame)?.utilityContext?.();
  const { _client: client, _contextId: contextId } = world?.delegate ?? {};
  const expression = "new Promise((done) => setTimeout(() => setTimeout(done)))";
  await client?.send("Runtime.evaluate", { expression, contextId, awaitPromise: true }).catch(() => undefined);
}

/** Runs it among the page's own scripts, with what the debugger has for its console. False where that cannot be done. */
export async function runInPage(frame: Frame, expression: string): Promise<boolean> {
  try {
    const world = await insideOf<InnerFrame>(frame)?.mainContext?.();
    const { _client: client, _contextId: contextId } = world?.delegate ?? {};
    if (!client || contextId === undefined) return false;
    const how = { contextId, includeCommandLineAPI: true, returnByValue: true };
    return !(await client.send("Runtime.evaluate", { expression, ...how })).exceptionDetails;
  } catch {
    return false;
  }
}

/** An object in the world of a page's own scripts, which they cannot reach. */
export interface PageObject {
  /** What the function in source form returns that is called with the object as `this`; undefined where it cannot be. */
  call(declaration: string): Promise<unknown>;
  release(): void;
}

/** The object that the expression gives, evaluated among the page's own scripts; undefined where it cannot be. */
export async function makeInPage(frame: Frame, expression: string): Promise<PageObject | undefined> {
  try {
    const world = await insideOf<InnerFrame>(frame)?.mainContext?.();
    const { _client: client, _contextId: contextId } = world?.delegate ?? {};
    if (!client || contextId === undefined) return undefined;
    const { result, exceptionDetails } = await client.send("Runtime.evaluate", { expression, contextId });
    const { objectId } = result;
    if (exceptionDetails || objectId === undefined) return undefined;
    return {
      async call(functionDeclaration) {
        const call = { functionDeclaration, objectId, returnByValue: true };
        const answer = await client.send("Runtime.callFunctionOn", call).catch(() => undefined);
        return answer?.exceptionDetails ? undefined : answer?.result.value;
      },
      release() {
        // With its document it has gone.
        client.send("Runtime.releaseObject", { objectId }).catch(() => undefined);
      },
    };
  } catch {
    return undefined;
  }
}

/** How the driver numbers the frame, in the options that its script is put into a world with. */
const FRAME_NUMBER = /"frameSeq":(\d+)(?=,"testIdAttributeName")/;
/** Where a world that only the driver and we can see has that number. */
const NUMBER_HERE = "__frameNumber";

const sharing = new WeakSet<object>();

/**
 * Has the driver's script be the same text for every frame, with the number put beside it: a process then compiles it
 * once. Else each of a page's frames costs it some 20 ms (docs/design/streams.md).
 */
function shareScript(delegate: InnerDelegate | undefined): void {
  const prototype: InnerDelegate | null = delegate ? Object.getPrototypeOf(delegate) : null;
  const original = prototype?.rawEvaluateHandle;
  if (!prototype || !original || sharing.has(prototype)) return;
  sharing.add(prototype);
  prototype.rawEvaluateHandle = function (this: InnerDelegate, context, expression) {
    const number = expression.includes('"isUtilityWorld":true') ? FRAME_NUMBER.exec(expression)?.[1] : undefined;
    if (number === undefined || this._contextId === undefined || !this._client) {
      return original.call(this, context, expression);
    }
    const { _client: client, _contextId: contextId } = this;
    // In order, so it is there when the script is run. A world that has gone fails the script too.
    client.send("Runtime.evaluate", { expression: `${NUMBER_HERE} = ${number}`, contextId }).catch(() => undefined);
    return original.call(this, context, expression.replace(FRAME_NUMBER, `"frameSeq":${NUMBER_HERE}`));
  };
}
