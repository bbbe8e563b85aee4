/** The peers that can be measured beside us, each where the environment names its command. */
import { writeFileSync } from "node:fs";
import { chromiumExecutable } from "../../browser/install/executable.ts";
import { agentBrowser } from "./agent_browser.ts";
import { chromeDevtools } from "./chrome_devtools.ts";
import { gstack } from "./gstack.ts";
import { Peer, type PeerSyntax } from "./peer.ts";
import { playwrightCli } from "./playwright_cli.ts";

export { Peer };

const PEERS: readonly PeerSyntax[] = [gstack, agentBrowser, playwrightCli, chromeDevtools];

/** Names of the peers that are not given, with the variable that would give them. */
export function absentPeers(): { name: string; variable: string }[] {
  return PEERS.filter(({ variable }) => !process.env[variable]);
}

/** Starts each peer that the environment names, with the same Chromium, on the page at `url`; `made` will end them. */
export async function startPeers(url: string, made: AsyncDisposableStack): Promise<Peer[]> {
  const { path } = await chromiumExecutable(process.env.BROWSE_CHROMIUM);
  const peers: Peer[] = [];
  for (const syntax of PEERS) {
    const prefix = process.env[syntax.variable];
    if (!prefix) continue;
    const peer = made.use(new Peer(syntax, prefix, path));
    peers.push(peer);
    for (const [name, text] of Object.entries(syntax.files?.(path) ?? {})) writeFileSync(peer.path(name), text);
    for (const argv of syntax.start(url, path)) await peer.run(argv);
  }
  return peers;
}
