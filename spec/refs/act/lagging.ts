import type { CDPSession } from "playwright";

/** The session as a busy browser has it: all comes `ms` late and in order, but for the word that input was handled. */
export function lagging(cdp: CDPSession, ms: number): CDPSession {
  const lag = () => new Promise((resolve) => setTimeout(resolve, ms));
  return {
    on: (event: "Page.windowOpen", listener: (params: object) => void) =>
      cdp.on(event, (params) => void lag().then(() => listener(params))),
    send: async (method: "Page.enable", params?: object) => {
      const answer = await cdp.send(method, params as undefined);
      if (!method.startsWith("Input.")) await lag();
      return answer;
    },
    detach: async () => await cdp.detach(),
  } as unknown as CDPSession;
}
