/**
 * Calls to the driver's own script in the isolated world of a document. The driver's public way there makes three
 * objects and a stack trace of every call, checks it twice, and takes as long again as the way to the page and back.
 */
import type { Frame } from "playwright";
import { insideOf } from "./driver_inside.ts";

interface InnerFrame {
  utilityContext?(): Promise<InnerWorld>;
}

interface InnerWorld {
  /** The script, once for each document; puts it there when it is not yet. */
  injectedScript?(): Promise<{ _objectId?: string }>;
  delegate?: { _client?: InnerClient };
}

interface InnerClient {
  send(
    method: "Runtime.callFunctionOn",
    params: object,
  ): Promise<{ result: { value?: unknown }; exceptionDetails?: unknown }>;
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
