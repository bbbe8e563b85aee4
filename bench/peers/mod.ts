/** The peers that can be measured beside us, each where it is installed or the environment names its command. */
import { chromiumExecutable } from "../../browser/install/executable.ts";
import { runProcess } from "../run_process.ts";
import { agentBrowser } from "./agent_browser.ts";
import { chromeDevtools } from "./chrome_devtools.ts";
import { gstack } from "./gstack.ts";
import { Peer, type PeerKind } from "./peer.ts";
import { playwrightCli } from "./playwright_cli.ts";
import { findProgram, INSTALLED, type Program } from "./program.ts";

export { Peer };

const KINDS: readonly PeerKind[] = [gstack, agentBrowser, playwrightCli, chromeDevtools];

export interface FoundPeer {
  name: string;
  program: Program;
  version: string;
  /** A new one, for the caller to start and end. */
  make(): Peer;
}

/** Brings those that npm has, without their scripts, which only make links. */
export async function installPeers(): Promise<void> {
  await runProcess(["npm", "install", "--ignore-scripts", "--no-package-lock"], { cwd: INSTALLED });
}

/** Throws an `Error` when one that is named is not the program that people run. */
export async function findPeers(): Promise<FoundPeer[]> {
  const { path: chromium } = await chromiumExecutable(process.env.BROWSE_CHROMIUM);
  const found = KINDS.map(async (kind) => {
    const program = findProgram(kind);
    if (!program) return [];
    const version = await versionOf(program);
    return [{ name: kind.name, program, version, make: () => new Peer({ kind, program, chromium }) }];
  });
  return (await Promise.all(found)).flat();
}

/** What to do about those that were not found, by name. */
export function absentPeers(found: readonly FoundPeer[]): string[] {
  return KINDS.filter(({ name }) => !found.some((peer) => peer.name === name)).map(({ name, variable, file }) => {
    const or = file ? "bring it with --install, or " : "";
    return `Skipped ${name}: ${or}set ${variable} to its command.`;
  });
}

async function versionOf({ prefix }: Program): Promise<string> {
  const said = await runProcess([...prefix, "--version"], { cwd: process.cwd() }).catch(() => "");
  return /\d+\.\d+\.\d+/.exec(said)?.[0] ?? "of unknown version";
}
