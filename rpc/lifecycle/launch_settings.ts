/** How the browser is launched, and what happens when a later call asks for it to be otherwise. */
import type { RestartOptions } from "../../commands/context.ts";
import { BrowseError } from "../../errors.ts";
import type { Previous } from "./state_file.ts";

/** Read at launch; may change until then. */
export interface LaunchSettings {
  headed: boolean;
  proxy?: string | undefined;
}

export function modeOf({ headed }: LaunchSettings): "headed" | "headless" {
  return headed ? "headed" : "headless";
}

/**
 * How a new daemon launches its browser. After a restart, as that was asked for; after an end that nobody asked for, as
 * before, but for what the environment says now: pages that were loaded through a proxy are not to go around it.
 */
export function launchAfter(previous: Previous | undefined, { headed, proxy }: LaunchSettings): LaunchSettings {
  const before = previous?.launch;
  if (!before) return { headed, proxy };
  if (previous.ended === "restart") return { ...before };
  return { headed: headed || before.headed, proxy: proxy ?? before.proxy };
}

/** As a restart asks for it, the rest as it is. */
export function launchFor({ headed, proxy }: RestartOptions, now: LaunchSettings): LaunchSettings {
  return { headed: headed ?? now.headed, proxy: proxy === "none" ? undefined : (proxy ?? now.proxy) };
}

/**
 * Takes over what a call asks for while no browser runs, and says whether that was something else; refuses to act on
 * another browser than the one asked for.
 */
export function checkLaunch(
  settings: LaunchSettings,
  browser: "none" | "starting" | "running" | "gone",
  wanted: { headed?: boolean; proxy?: string },
): boolean {
  const headed = wanted.headed ?? settings.headed;
  const proxy = wanted.proxy ?? settings.proxy;
  if (headed === settings.headed && proxy === settings.proxy) return false;
  if (browser === "none") {
    settings.headed = headed;
    settings.proxy = proxy;
    return true;
  }
  const flags = [
    headed === settings.headed ? [] : [`--headed=${headed}`],
    proxy === settings.proxy ? [] : ["--proxy", proxy],
  ];
  throw new BrowseError("unsupported", "The browser already runs with other settings", {
    hint: `Run \`browse restart ${flags.flat().join(" ")}\`: tabs are loaded again, with their logins`,
  });
}

export interface HandoverAnswer {
  restarting: boolean;
  reason: string;
  /** What the person may run instead, when it is not restarting. */
  command?: string;
}

interface HandoverQuestion {
  daemon: string;
  client: string;
  headed: boolean;
  /** Other calls are running. */
  isBusy: boolean;
}

/** May a daemon of another version make room for the client's own? Only if nobody would notice but by its state. */
export function handover({ daemon, client, headed, isBusy }: HandoverQuestion): HandoverAnswer {
  const reason = `The daemon is version ${daemon}, the client ${client}`;
  if (!headed && !isBusy) return { restarting: true, reason };
  return { restarting: false, reason, command: "browse restart" };
}
