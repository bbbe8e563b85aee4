/** Which URLs may be opened, and by whom. Checked before a navigation, on every network hop, and on DNS results. */
import { statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { BrowseError } from "../../errors.ts";
import { type FilePolicy, realLocation, refusalOf } from "../files/file_location.ts";
import { type AddressClass, classifyAddress } from "./address.ts";
import { classifyHost } from "./host.ts";

export interface UrlPolicy extends FilePolicy {
  /** Which listener the caller came in by: files are for local callers. */
  caller: "local" | "tunnel";
  /** May a tunnel caller open loopback and private addresses? Local callers always may. Default false. */
  privateGranted?: boolean;
}

/**
 * The URL to open, normalized; a file's with its links resolved, so that what was checked is what is opened.
 * Throws `blocked_url` with the reason, or `navigation_failed` for a file that would be allowed but is not there.
 */
export function checkUrl(text: string, policy: UrlPolicy): string {
  const url = URL.parse(text);
  if (url === null) throw blocked(text, "it is not a valid URL");
  switch (url.protocol) {
    case "http:":
    case "https:": {
      const refusal = refusalOfHost(classifyHost(url.hostname), isPrivateAllowed(policy));
      if (refusal !== undefined) throw blocked(text, refusal);
      return url.href;
    }
    case "about:":
      if (url.pathname.toLowerCase() === "blank") return `about:blank${url.search}${url.hash}`;
      throw blocked(text, "of the about: pages only about:blank may be opened");
    case "file:":
      return checkFileUrl(text, url, policy);
    default:
      throw blocked(text, `"${url.protocol}" addresses may not be opened`);
  }
}

/** Schemes, beside data: and blob:, that a page may load parts from. `file:` is left out: its requests need `checkUrl`. */
const HOP_SCHEMES = new Set(["http:", "https:", "ws:", "wss:", "about:"]);

/**
 * The check for the request route, once for each network hop: decides by scheme and host alone, without touching the
 * disk or DNS. Throws `blocked_url`.
 */
export function checkRequestUrl(text: string, options: { privateAllowed?: boolean } = {}): void {
  // They come from the page itself and may be megabytes long: not worth parsing.
  if (/^(?:data|blob):/i.test(text)) return;
  const url = URL.parse(text);
  if (url === null) throw blocked(text, "it is not a valid URL");
  if (!HOP_SCHEMES.has(url.protocol)) throw blocked(text, `"${url.protocol}" addresses may not be loaded`);
  if (url.hostname === "") return;
  const refusal = refusalOfHost(classifyHost(url.hostname), options.privateAllowed ?? true);
  if (refusal !== undefined) throw blocked(text, refusal);
}

/** The check for what a name was looked up to. Throws `blocked_url`; what is no address at all is refused too. */
export function checkResolvedAddress(address: string, options: { privateAllowed?: boolean } = {}): void {
  const refusal = refusalOfHost(classifyAddress(address), options.privateAllowed ?? true);
  if (refusal !== undefined) throw blocked(address, refusal);
}

function isPrivateAllowed(policy: UrlPolicy): boolean {
  return policy.caller === "local" || policy.privateGranted === true;
}

/** Why no browser of ours loads the address, whoever asks for it; undefined of any other. */
export function refusalForAll(text: string): string | undefined {
  return classifyHost(URL.parse(text)?.hostname ?? "") === "metadata" ? refusalOfHost("metadata", true) : undefined;
}

function refusalOfHost(kind: AddressClass, privateAllowed: boolean): string | undefined {
  if (kind === "metadata") return "it is a cloud metadata or link-local address";
  if (kind === "invalid") return "its host is not a valid address";
  if (kind === "public" || privateAllowed) return undefined;
  return `it is a ${kind} address, which this token may not reach`;
}

function checkFileUrl(text: string, url: URL, policy: UrlPolicy): string {
  if (policy.caller !== "local") throw blocked(text, "files may be opened by local callers only");
  if (url.hostname !== "") throw blocked(text, `files on another machine ("${url.hostname}") may not be opened`);
  if (policy.cwd === undefined && policy.roots?.length === 0)
    throw blocked(text, "files may be opened by the user only");
  const location = realLocation(pathOf(text, url));
  if ("refused" in location) throw blocked(text, location.refused);
  const refusal = refusalOf(location.path, policy, { artifacts: false });
  if (refusal !== undefined) throw blocked(text, refusal);
  if (!location.exists) {
    throw new BrowseError("navigation_failed", `Cannot open "${text}": there is no file "${location.path}"`, {
      hint: "Check the path; relative ones start at the current folder",
    });
  }
  const found = statSync(location.path);
  if (!found.isFile()) throw blocked(text, "it is not a regular file");
  // By another name it may be a file of ours, or of a folder that is closed.
  if (found.nlink > 1) throw blocked(text, "the file has another name as well (a hard link)");
  return `${pathToFileURL(location.path).href}${url.search}${url.hash}`;
}

/** Refuses encoded separators, which not everyone reads the same way, and null bytes. */
function pathOf(text: string, url: URL): string {
  if (/%2f|%5c|%00/i.test(url.pathname)) throw blocked(text, "its path has an encoded slash or a null byte");
  try {
    return fileURLToPath(url);
  } catch (error) {
    throw blocked(text, "its path is malformed", error);
  }
}

function blocked(text: string, reason: string, cause?: unknown): BrowseError {
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return new BrowseError("blocked_url", `Cannot open "${shown}": ${reason}`, { cause, details: { reason } });
}
