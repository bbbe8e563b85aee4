/** What in a batch must wait for what. */
import { findCommand } from "../commands/command.ts";
import type { RpcRequest } from "./protocol.ts";

/**
 * Calls on one tab run in order, and calls that name no tab mean the session's current one. Calls on a session itself
 * (`newtab`) run beside each other, but in order with those on its current tab.
 */
export class BatchLanes {
  /** By tab: the last call. */
  readonly #tabs = new Map<string, Promise<unknown>>();
  /** By session: the last call on its current tab, and the calls on the session since. */
  readonly #sessions = new Map<string, { onTab: Promise<unknown>; onSession: Promise<unknown>[] }>();

  /** What must have ended before the call begins. */
  ahead(request: RpcRequest | undefined): Promise<unknown> | undefined {
    const { tab } = request?.params ?? {};
    if (typeof tab === "string") return this.#tabs.get(tab);
    const lane = this.#sessions.get(sessionOf(request));
    return isOnSession(request) ? lane?.onTab : lane && Promise.all([lane.onTab, ...lane.onSession]);
  }

  add(request: RpcRequest | undefined, answer: Promise<unknown>): void {
    const { tab } = request?.params ?? {};
    if (typeof tab === "string") {
      this.#tabs.set(tab, answer);
      return;
    }
    const session = sessionOf(request);
    const lane = this.#sessions.get(session) ?? { onTab: Promise.resolve(), onSession: [] };
    this.#sessions.set(
      session,
      isOnSession(request) ? { ...lane, onSession: [...lane.onSession, answer] } : { onTab: answer, onSession: [] },
    );
  }
}

function sessionOf(request: RpcRequest | undefined): string {
  const session = request?.params?.session;
  return typeof session === "string" ? session : "";
}

function isOnSession(request: RpcRequest | undefined): boolean {
  return request !== undefined && findCommand(request.method)?.needs === "session";
}
