/** ngrok by its own library, which is installed only where somebody wants it. It runs inside the daemon and ends with it. */
import { BrowseError } from "../../errors.ts";
import { errorCode } from "../files/error_code.ts";
import { inNewDaemon } from "../process/new_setting.ts";
import type { TunnelConfig } from "./config.ts";
import type { TunnelProvider } from "./provider.ts";

/** What we use of `@ngrok/ngrok`. */
export interface Ngrok {
  forward(options: { addr: number; authtoken_from_env: true; domain?: string }): Promise<NgrokListener>;
}

interface NgrokListener {
  url(): string | null;
  close(): Promise<void>;
}

type Load = () => Promise<Ngrok>;

export function ngrokProvider(
  { url }: Pick<TunnelConfig, "url">,
  load: Load = async () => await import("@ngrok/ngrok"),
): TunnelProvider {
  return {
    open: async (port, { signal }) => {
      const ngrok = await load().catch(notInstalled);
      if (!process.env.NGROK_AUTHTOKEN) {
        throw new BrowseError("unsupported", "ngrok needs an account, and NGROK_AUTHTOKEN is not set", {
          hint: inNewDaemon("Set NGROK_AUTHTOKEN to your token"),
        });
      }
      const domain = url === undefined ? {} : { domain: new URL(url).host };
      const opening = ngrok.forward({ addr: port, authtoken_from_env: true, ...domain });
      const listener = await untilAborted(opening, signal).catch(refused);
      const address = listener.url();
      const close = async () => await listener.close();
      if (address) return { url: new URL(address).origin, ended: new Promise(() => {}), close };
      await close();
      throw new BrowseError("unsupported", "ngrok opened a tunnel without an address");
    },
  };
}

/** A listener that comes too late is closed. */
async function untilAborted(opening: Promise<NgrokListener>, signal: AbortSignal): Promise<NgrokListener> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAborted = () => reject(signal.reason);
  if (signal.aborted) onAborted();
  signal.addEventListener("abort", onAborted, { once: true });
  try {
    return await Promise.race([opening, promise]);
  } catch (error) {
    if (signal.aborted) void opening.then((late) => late.close()).catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener("abort", onAborted);
  }
}

function notInstalled(cause: unknown): never {
  const isAbsent = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(errorCode(cause));
  throw new BrowseError("unsupported", `ngrok's library ${isAbsent ? "is not installed" : "does not load here"}`, {
    hint: 'Run `npm install @ngrok/ngrok`, or use a program: {"provider": "command", "command": ["cloudflared", …]}',
    cause,
  });
}

function refused(cause: unknown): never {
  if (cause instanceof BrowseError) throw cause;
  const why = cause instanceof Error ? (cause.message.split("\n", 1)[0] ?? "") : "";
  throw new BrowseError("unsupported", `ngrok did not open a tunnel${why ? `: ${why.slice(0, 200)}` : ""}`, {
    hint: "Check NGROK_AUTHTOKEN and the network",
    cause,
  });
}
