/**
 * Our own script in the isolated world of a document. The driver's public way there puts 350 kB of its own beside it, makes
 * three objects and a stack trace of every call, and checks it twice.
 */
import type { Frame, Page } from "playwright";
import { insideOf } from "./inside.ts";

interface InnerFrame {
  utilityContext?(): Promise<InnerWorld>;
  /** Of the page's own scripts. */
  mainContext?(): Promise<InnerWorld>;
}

interface InnerWorld {
  delegate?: InnerDelegate;
}

interface InnerDelegate {
  _client?: InnerClient;
  _contextId?: number;
}

interface InnerClient {
  send(
    method: "Runtime.callFunctionOn" | "Runtime.evaluate" | "Runtime.releaseObject",
    params: object,
  ): Promise<{ result: { value?: unknown; objectId?: string }; exceptionDetails?: unknown }>;
}

/** Can scripts of ours be put there at all? */
export function hasWorlds(frame: Frame): boolean {
  return insideOf<InnerFrame>(frame)?.utilityContext !== undefined;
}

/** Names of the objects in a world that our script has made there, by the world, which each document has its own of. */
const made = new WeakMap<InnerWorld, Promise<string | undefined>>();

export interface WorldCall {
  /** What is evaluated once in each document, and gives the object; the same text for all of them, which V8 then compiles once. */
  source: string;
  /** Called with that object as `this`: a function in source form. */
  declaration: string;
  values: readonly string[];
}

/**
 * What the function returns. Undefined where that cannot be done or fails, for whatever reason: the public way knows them
 * all. Nothing is called once the signal has aborted: a document may be long in coming, and who asked may not want it any more.
 */
export async function callInWorld(
  frame: Frame,
  signal: AbortSignal,
  { source, declaration, values }: WorldCall,
): Promise<unknown> {
  try {
    const world = await insideOf<InnerFrame>(frame)?.utilityContext?.();
    const objectId = world && (await objectIn(world, source));
    if (objectId === undefined || signal.aborted) return undefined;
    const answer = await world?.delegate?._client?.send("Runtime.callFunctionOn", {
      functionDeclaration: declaration,
      objectId,
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

async function objectIn(world: InnerWorld, source: string): Promise<string | undefined> {
  const object = made.get(world) ?? evaluateIn(world, source);
  made.set(world, object);
  return await object;
}

async function evaluateIn(world: InnerWorld, expression: string): Promise<string | undefined> {
  const { _client: client, _contextId: contextId } = world.delegate ?? {};
  if (!client || contextId === undefined) return undefined;
  const answer = await client.send("Runtime.evaluate", { expression, contextId });
  return answer.exceptionDetails ? undefined : answer.result.objectId;
}

/** What an expression gives in that world, as JSON has it: undefined where nobody can be asked. */
export async function valueInWorld(frame: Frame, expression: string): Promise<unknown> {
  const world = await insideOf<InnerFrame>(frame)?.utilityContext?.();
  const { _client: client, _contextId: contextId } = world?.delegate ?? {};
  const asked = client?.send("Runtime.evaluate", { expression, contextId, returnByValue: true });
  return (await asked?.catch(() => undefined))?.result.value;
}

/** Resolves when the document has answered, or cannot: after all that it had said before. */
export async function untilAnswered(frame: Frame): Promise<void> {
  const world = await insideOf<InnerFrame>(frame)?.utilityContext?.();
  if (world) await evaluateIn(world, "0").catch(() => undefined);
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
 * by script has begun to ask for what it will show. At once where nobody can be asked, as below.
 */
export async function untilTurns(frame: Frame): Promise<void> {
  await untilIn(frame, "new Promise((done) => setTimeout(() => setTimeout(done)))");
}

/** Resolves when no task of the document is waiting any more, nor any that those have led to. */
export async function untilTasksDone(frame: Frame): Promise<void> {
  await untilIn(frame, `scheduler.postTask(() => undefined, { priority: "background" })`);
}

/** The same after the document's next frame has been made. */
export async function untilFrameMade(frame: Frame): Promise<void> {
  const then = `scheduler.postTask(done, { priority: "background" })`;
  await untilIn(frame, `new Promise((done) => requestAnimationFrame(() => ${then}))`);
}

async function untilIn(frame: Frame, expression: string): Promise<void> {
  const world = await insideOf<InnerFrame>(frame)?.utilityContext?.();
  const { _client: client, _contextId: contextId } = world?.delegate ?? {};
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
