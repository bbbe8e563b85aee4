/** Does the address that a provider gave lead back to us, and to nobody else? */
import { setTimeout } from "node:timers/promises";
import { BrowseError } from "../../errors.ts";

const TRY_MS = 5_000;
/** Names take a while to be known everywhere; the pause between tries doubles up to this. */
const MAX_PAUSE_MS = 2_000;
const FIRST_PAUSE_MS = 100;
const MAX_ANSWER = 4_096;

interface CheckOptions {
  /** The random id that our own `/health` has. */
  probe: string;
  /** When to give up. */
  withinMs: number;
  signal: AbortSignal;
}

/** Resolves once the address answers with the probe. Throws `unsupported` when it has not by then. */
export async function checkReachable(url: string, { probe, withinMs, signal }: CheckOptions): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    const answer = await ask(url, signal);
    signal.throwIfAborted();
    if (answer.probe === probe) return;
    if (performance.now() + pauseMs >= deadline) throw unreachable(url, answer.trouble);
    await setTimeout(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function ask(url: string, signal: AbortSignal): Promise<{ probe?: unknown; trouble: string }> {
  try {
    const response = await fetch(`${url}/health`, {
      redirect: "error",
      // ngrok shows browsers a page of its own first.
      headers: { accept: "application/json", "ngrok-skip-browser-warning": "1" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TRY_MS)]),
    });
    const text = (await response.text()).slice(0, MAX_ANSWER);
    if (!response.ok) return { trouble: `it answers ${response.status}` };
    const health: unknown = JSON.parse(text);
    const { probe } = Object(health) as { probe?: unknown };
    return { probe, trouble: "somebody else answers there" };
  } catch (error) {
    return { trouble: error instanceof SyntaxError ? "somebody else answers there" : "it does not answer" };
  }
}

function unreachable(url: string, trouble: string): BrowseError {
  return new BrowseError("unsupported", `The tunnel's address ${url} does not lead back here: ${trouble}`, {
    hint: 'Check the provider under "tunnel" in ~/.browse/config.json',
    details: { url },
  });
}
