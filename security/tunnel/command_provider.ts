/** Any program that forwards a port: `cloudflared`, `ssh -R`, … It says in its output where we are reachable. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { BrowseError } from "../../errors.ts";
import { identityOf, killGroup, waitUntilGone } from "../process/process_identity.ts";
import type { TunnelConfig } from "./config.ts";
import { findUrl } from "./find_url.ts";
import type { Forwarding, OpenOptions, TunnelProvider } from "./provider.ts";

/** How long the program has to end when it is told to. */
const END_MS = 1_500;
/** Of its output, what is kept to be searched and, if it fails, shown. */
const MAX_OUTPUT = 16_384;
const MAX_SHOWN = 300;

type Forwarder = ChildProcessByStdio<null, Readable, Readable>;

export function commandProvider({ command = [], url, host }: TunnelConfig): TunnelProvider {
  return {
    open: async (port, options) => {
      options.signal.throwIfAborted();
      const child = await start(command, port, options);
      const ended = new Promise<string>((resolve) => {
        child.once("exit", (code, signal) => resolve(`"${command[0]}" ended with ${signal ?? code}`));
      });
      const close = () => end(child, ended);
      try {
        const found = await address(child, ended, { url, host, signal: options.signal });
        return { url: found, ended, close } satisfies Forwarding;
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

async function start(command: readonly string[], port: number, { onProcess }: OpenOptions): Promise<Forwarder> {
  const [program = "", ...args] = command.map((word) => word.replaceAll("{port}", String(port)));
  // A group of its own, so that what it starts ends with it.
  const child = spawn(program, args, {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
    env: withoutSecrets(process.env),
  });
  await once(child, "spawn").catch((cause: unknown) => {
    throw new BrowseError("unsupported", `Cannot start "${program}"`, {
      hint: 'Check "tunnel.command" in ~/.browse/config.json, and that the program is installed',
      cause,
    });
  });
  const identity = child.pid === undefined ? undefined : identityOf(child.pid);
  if (identity) onProcess(identity);
  return child;
}

/** The address, given or found in the output; what is printed later is read and dropped, so that it blocks nothing. */
async function address(
  child: Forwarder,
  ended: Promise<string>,
  { url, host, signal }: { url?: string | undefined; host?: string | undefined; signal: AbortSignal },
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = "";
  const search = () => {
    const found = url ?? findUrl(output, host);
    if (found !== undefined) resolve(found);
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = `${output}${text}`.slice(-MAX_OUTPUT);
      search();
    });
  }
  search();
  const onAborted = () => reject(signal.reason);
  if (signal.aborted) onAborted();
  signal.addEventListener("abort", onAborted, { once: true });
  void ended.then((why) => reject(failed(why, output)));
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", onAborted);
  }
}

async function end(child: Forwarder, ended: Promise<string>): Promise<void> {
  const identity = child.pid === undefined ? undefined : identityOf(child.pid);
  if (!identity) return;
  killGroup(identity, "SIGTERM");
  if (!(await waitUntilGone(identity, END_MS))) killGroup(identity, "SIGKILL");
  await ended;
}

function failed(why: string, output: string): BrowseError {
  const last = output.trim().split("\n").at(-1)?.slice(0, MAX_SHOWN) ?? "";
  return new BrowseError("unsupported", `${why} before the tunnel was open${last ? `: ${last}` : ""}`, {
    hint: 'Run the command of "tunnel.command" by hand to see what is wrong',
  });
}

/** The program may need any of the user's own settings, but none of ours. */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("BROWSE_")));
}
