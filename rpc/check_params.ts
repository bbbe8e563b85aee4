/** Params that a command declares as files or addresses, completed and held against the policies. */
import { normalize } from "node:path";
import type { Command } from "../commands/command.ts";
import { completeUrl, namesFile } from "../security/complete_url.ts";
import { assertDomain, loadRules } from "../security/load_rules.ts";
import type { MadeFiles } from "../security/made_files.ts";
import { blockedPath, resolveRead, resolveWrite, type WritePolicy } from "../security/path_policy.ts";
import { checkUrl } from "../security/url_policy.ts";
import { type Caller, folderOf, holderOf } from "./call.ts";
import { BrowseError } from "./errors.ts";
import { syntaxOf } from "./syntax.ts";

export interface PolicyPorts {
  /** Where a caller that names no folder of its own stands. */
  projectDir: string;
  stateDir: string;
  /** The user's own state folder. */
  homeStateDir: string;
  made: MadeFiles;
}

type Params = Record<string, unknown>;

interface CheckedCall {
  command: Command;
  params: Params;
  caller: Caller;
}

/** The params with each declared path resolved to the real one. Throws `blocked_path`. */
export function checkPaths(command: Command, params: Params, caller: Caller, ports: PolicyPorts): Params {
  const checked = { ...params };
  for (const { param, access, extensions, suffixes } of command.paths ?? []) {
    const named = params[param];
    const isList = Array.isArray(named);
    if (!isList && typeof named !== "string") continue;
    const policy = { ...pathPolicy(caller, ports), ...(extensions ? { extensions } : {}) };
    const writing = { ...policy, made: ports.made, force: params.force === true };
    const resolve = (path: string) => {
      if (access === "read") return resolveRead(path, policy);
      return suffixes ? resolvePrefix(path, suffixes, writing) : resolveWrite(path, writing);
    };
    checked[param] = isList ? named.map((path) => resolve(String(path))) : resolve(String(named));
  }
  return checked;
}

/** The real beginning that all these files have. */
function resolvePrefix(prefix: string, suffixes: readonly string[], policy: WritePolicy): string {
  const beginnings = suffixes.map((suffix) => {
    const path = resolveWrite(`${prefix}${suffix}`, policy);
    const ending = normalize(suffix);
    if (!path.endsWith(ending)) throw blockedPath("write", `${prefix}${suffix}`, "it is a link");
    return path.slice(0, -ending.length);
  });
  return beginnings[0] ?? prefix;
}

/** Where this caller's calls may write: remote agents name no files, what they are given goes to the artifacts. */
export function writePolicy(caller: Caller, ports: PolicyPorts, force: boolean): WritePolicy & { made: MadeFiles } {
  const { stateDir, homeStateDir, made } = ports;
  const roots = caller.via === "tunnel" ? { roots: [] } : pathPolicy(caller, ports);
  return { stateDir, homeStateDir, ...roots, made, force };
}

/**
 * The file of `--out`, resolved. Throws `blocked_path`, `invalid_params` for commands that write a file of their own, and
 * `forbidden` for callers that may not write.
 */
export function checkOut(out: string, { command, params, caller }: CheckedCall, ports: PolicyPorts): string {
  if (!caller.token.scopes.has("write")) throw new BrowseError("forbidden", '--out needs the scope "write"');
  assertAnswersInText(command, params);
  return resolveWrite(out, { ...pathPolicy(caller, ports), made: ports.made });
}

function assertAnswersInText(command: Command, params: Params): void {
  const own = command.paths?.find(({ isAnswer = false }) =>
    typeof isAnswer === "boolean" ? isAnswer : params[isAnswer.unless] !== true,
  );
  if (!own) return;
  const label = (param: string) => syntaxOf(command).params.get(param)?.label ?? param;
  const otherwise = typeof own.isAnswer === "object" ? `, or use ${label(own.isAnswer.unless)} with --out` : "";
  throw new BrowseError("invalid_params", `"${command.name}" writes a file of its own, which --out does not name`, {
    hint: `Name it with ${label(own.param)}${otherwise}`,
    details: { flag: "--out", param: own.param },
  });
}

function pathPolicy(caller: Caller, { projectDir, stateDir, homeStateDir }: PolicyPorts) {
  if (caller.via === "tunnel") throw new BrowseError("blocked_path", "Remote agents may not name files");
  return { cwd: folderOf(caller, projectDir), stateDir, homeStateDir };
}

/** The params with each declared address completed. Throws `blocked_url`. */
export function checkUrls(command: Command, params: Params, caller: Caller, ports: PolicyPorts): Params {
  const checked = { ...params };
  for (const param of command.urls ?? []) {
    const url = params[param];
    if (typeof url === "string") checked[param] = checkAddress(url, caller, ports);
  }
  return checked;
}

/** An address completed as this caller means it. Throws `blocked_url`. */
export function checkAddress(url: string, caller: Caller, ports: PolicyPorts): string {
  const { projectDir, stateDir, homeStateDir } = ports;
  const cwd = folderOf(caller, projectDir);
  // Before it is completed: what a path means here is nothing that they should learn.
  if (caller.via === "tunnel" && namesFile(url)) {
    throw new BrowseError("blocked_url", "Remote agents may not name files", { hint: "Use an http or https address" });
  }
  const { domains, privateAllowed } = loadRules(holderOf(caller));
  const policy = { caller: caller.via, cwd, stateDir, homeStateDir, privateGranted: privateAllowed };
  const checked = checkUrl(completeUrl(url, { cwd }), policy);
  assertDomain(checked, domains);
  return checked;
}
