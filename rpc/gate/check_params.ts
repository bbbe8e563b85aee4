/** Params that a command declares as files or addresses, completed and held against the policies. */
import { normalize } from "node:path";
import type { Command } from "../../commands/command.ts";
import { BrowseError } from "../../errors.ts";
import { type FilePolicy, isState } from "../../security/files/file_location.ts";
import type { Made, MadeFiles } from "../../security/files/made_files.ts";
import { blockedPath, resolveRead, resolveWrite, type WritePolicy } from "../../security/files/path_policy.ts";
import { ownFolderOf } from "../../security/tokens/artifacts.ts";
import { completeUrl, namesFile } from "../../security/urls/complete_url.ts";
import { addressesOf, hostNamed } from "../../security/urls/host_name.ts";
import { assertDomain, isInDomains, loadRules } from "../../security/urls/load_rules.ts";
import { checkUrl } from "../../security/urls/url_policy.ts";
import { syntaxOf } from "../line/syntax.ts";
import { type Caller, type CallerFolders, folderOf, holderOf } from "./call.ts";

const NOT_TEXT = /\.(?:png|jpe?g|gif|webp|avif|ico|pdf|zip|gz|webm|mp4|mp3)$/i;

export interface PolicyPorts extends CallerFolders {
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

/** The params with each declared path resolved to the real one. Throws `blocked_path` and `forbidden`. */
export function checkPaths(command: Command, params: Params, caller: Caller, ports: PolicyPorts): Params {
  const checked = { ...params };
  assertForce(command, params, caller);
  for (const { param, access, extensions, suffixes } of command.paths) {
    const named = params[param];
    const isList = Array.isArray(named);
    if (!isList && typeof named !== "string") continue;
    const policy = { ...pathPolicy(caller, ports), ...(extensions ? { extensions } : {}) };
    const writing = { ...policy, ...writable(command, params, caller, ports) };
    const resolve = (path: string) => {
      if (access === "read") return resolveRead(path, policy);
      return suffixes ? resolvePrefix(path, suffixes, writing) : resolveWrite(path, writing);
    };
    checked[param] = isList ? named.map((path) => resolve(String(path))) : resolve(String(named));
  }
  return checked;
}

/** Which files of others may be overwritten is the user's to say. */
function assertForce({ spelling, paths }: Command, { force }: Params, { token }: Caller): void {
  if (force !== true || token.kind === "root" || !paths.some(({ access }) => access === "write")) return;
  throw new BrowseError("forbidden", `"${spelling}" may not overwrite files of others for this token`, {
    hint: "Leave --force out, and name a new file: what your own calls made may be overwritten without it",
    details: { param: "force" },
  });
}

/** What the caller's call may overwrite: its own, and whatever the user forces. */
function writable(command: Command, { force }: Params, { token }: Caller, { made }: PolicyPorts) {
  if (token.kind !== "root") return { made: made.by(token.id) };
  return { made, ...(syntaxOf(command).params.has("force") && { force: force === true }) };
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

/** Where this call may write: remote agents name no files, what they are given goes to their artifacts. */
export function writePolicy(
  { command, params, caller }: CheckedCall,
  ports: PolicyPorts,
): WritePolicy & { made: Made } {
  const { cwd: _, ...nowhere } = filePolicy(caller, ports);
  const policy = caller.via === "tunnel" ? { ...nowhere, roots: [] } : pathPolicy(caller, ports);
  return { ...policy, ...writable(command, params, caller, ports) };
}

/** Is the file that the call writes there for this user's eyes alone? So is all that nobody has found a place for yet. */
export function isPrivateFile(path: string, { command, params }: CheckedCall, ports: PolicyPorts): boolean {
  const secret = command.paths.filter(({ holdsSecrets }) => holdsSecrets === true);
  return isState(path, ports) || secret.some(({ param }) => params[param] === path);
}

/**
 * The file of `--out`, resolved. Throws `blocked_path`, `invalid_params` for commands that write a file of their own, and
 * `forbidden` for callers that may not write.
 */
export function checkOut(out: string, { command, params, caller }: CheckedCall, ports: PolicyPorts): string {
  if (!caller.token.scopes.has("write")) throw new BrowseError("forbidden", '--out needs the scope "write"');
  assertAnswersInText(command, params);
  assertTextFile(out);
  const { made } = writable(command, params, caller, ports);
  return resolveWrite(out, { ...pathPolicy(caller, ports), made });
}

/** What `--out` takes is text, which nothing would open under such a name. */
function assertTextFile(out: string): void {
  if (!NOT_TEXT.test(out)) return;
  throw new BrowseError("invalid_params", `--out takes the answer's text, which is not what "${out}" says it is`, {
    hint: "Choose a name such as answer.txt or answer.json; an image or PDF is written where its own command names it",
    details: { flag: "--out" },
  });
}

function assertAnswersInText(command: Command, params: Params): void {
  const own = command.paths.find(({ isAnswer = false }) =>
    typeof isAnswer === "boolean" ? isAnswer : params[isAnswer.unless] !== true,
  );
  if (!own) return;
  const label = (param: string) => syntaxOf(command).params.get(param)?.label ?? param;
  const otherwise = typeof own.isAnswer === "object" ? `, or use ${label(own.isAnswer.unless)} with --out` : "";
  throw new BrowseError("invalid_params", `"${command.spelling}" writes a file of its own, which --out does not name`, {
    hint: `Name it with ${label(own.param)}${otherwise}`,
    details: { flag: "--out", param: own.param },
  });
}

function pathPolicy(caller: Caller, ports: PolicyPorts): FilePolicy {
  if (caller.via === "tunnel") throw new BrowseError("blocked_path", "Remote agents may not name files");
  return filePolicy(caller, ports);
}

/** The user has the folder where they stand, the temporary ones and all artifacts; everybody else what it was lent. */
function filePolicy(caller: Caller, ports: PolicyPorts): FilePolicy {
  const { stateDir, homeStateDir } = ports;
  const lentTo = ownFolderOf(caller.token);
  const lent = lentTo === undefined ? {} : { lentTo, roots: caller.token.fileRoots ?? [] };
  return { cwd: folderOf(caller, ports), stateDir, homeStateDir, ...lent };
}

/** The params with each declared address completed. Throws `blocked_url`. */
export function checkUrls(command: Command, params: Params, caller: Caller, ports: PolicyPorts): Params {
  const checked = { ...params };
  for (const param of command.urls) {
    const url = params[param];
    if (typeof url === "string") checked[param] = checkAddress(url, caller, ports);
  }
  return checked;
}

/** The params with each declared host as it is known here. Throws `invalid_params`, and `forbidden` for one outside of the caller's domains. */
export function checkHosts({ hosts }: Command, params: Params, { token: { domains } }: Caller): Params {
  const checked = { ...params };
  for (const param of hosts) {
    const named = params[param];
    if (typeof named !== "string") continue;
    const host = hostNamed(named);
    checked[param] = host;
    if (addressesOf(host).some((url) => isInDomains(url, domains))) continue;
    throw new BrowseError("forbidden", `The host "${host}" is outside the domains of this token`, {
      hint: `This token is limited to ${domains?.patterns.join(", ")}`,
      details: { param },
    });
  }
  return checked;
}

/** An address completed as this caller means it. Throws `blocked_url`. */
export function checkAddress(url: string, caller: Caller, ports: PolicyPorts): string {
  const cwd = folderOf(caller, ports);
  // Before it is completed: what a path means here is nothing that they should learn.
  if (caller.via === "tunnel" && namesFile(url)) {
    throw new BrowseError("blocked_url", "Remote agents may not name files", { hint: "Use an http or https address" });
  }
  const { domains, privateAllowed } = loadRules(holderOf(caller));
  const policy = { ...filePolicy(caller, ports), caller: caller.via, privateGranted: privateAllowed };
  const checked = checkUrl(completeUrl(url, { cwd, namesFiles: caller.via !== "tunnel" }), policy);
  assertDomain(checked, domains);
  return checked;
}
