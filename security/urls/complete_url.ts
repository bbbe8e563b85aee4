/** What a person typed, as a URL: the scheme and the folder that were left out are filled in. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { BrowseError } from "../../errors.ts";
import { classifyHost } from "./host.ts";

/** Schemes that a `name:digits` text means, rather than a host and a port. */
const SCHEMES_WITHOUT_SLASHES = new Set([
  "javascript",
  "data",
  "about",
  "blob",
  "mailto",
  "tel",
  "view-source",
  "file",
]);

/** No domain at the top has such a name. */
const FILE_NAME = /^[\w.-]+\.(?:html?|xhtml|svg|pdf|txt|csv|json|xml|png|jpe?g|gif|webp)$/i;

/** Two slashes of either kind; whoever parses URLs leaves tabs and line ends out. */
const UNC = /^[\\/][\t\r\n]*[\\/]/;

interface CompleteOptions {
  cwd: string;
  /** May whoever asks learn which files there are in that folder? */
  namesFiles?: boolean;
}

/**
 * A bare host becomes `https://`, one on loopback `http://`; `file:` with a relative or a home path (`file://./x`,
 * `file:~/x`) becomes absolute. Everything else is left to `checkUrl`. Throws `invalid_params` for what cannot be meant
 * as a URL, and `blocked_url` for a UNC path.
 */
export function completeUrl(text: string, options: CompleteOptions): string {
  const trimmed = trim(text);
  if (trimmed === "") throw new BrowseError("invalid_params", "The URL is empty");
  // Of the name of a machine in the network no host in the web is to be made.
  if (UNC.test(trimmed)) {
    throw new BrowseError("blocked_url", `Cannot open "${trimmed}": it is a UNC path, which names another machine`, {
      hint: "For a web page, write https:// before its host",
    });
  }
  if (isPath(trimmed)) {
    throw new BrowseError("invalid_params", `"${trimmed}" is a path, not a URL`, {
      hint: `For a file, write "file:${trimmed}"; for a page of the site, its whole address`,
    });
  }
  if (/^file:/i.test(trimmed)) return completeFileUrl(trimmed, options.cwd);
  if (hasScheme(trimmed)) return trimmed;
  if (options.namesFiles && FILE_NAME.test(trimmed) && existsSync(resolve(options.cwd, trimmed))) {
    throw new BrowseError("invalid_params", `"${trimmed}" is a file here, and no host ends so`, {
      hint: `For the file, write "file:${trimmed}"; for a host, https:// before it`,
    });
  }
  return withScheme(trimmed);
}

/** Is a file meant, by its path or as a URL? */
export function namesFile(text: string): boolean {
  const trimmed = trim(text);
  return isPath(trimmed) || /^file:/i.test(trimmed);
}

function trim(text: string): string {
  return text.replace(/^[\s\u0000-\u001f\ufeff]+|[\s\u0000-\u001f\ufeff]+$/g, "");
}

function isPath(trimmed: string): boolean {
  return /^(?:\.{0,2}\/(?!\/)|~\/|\.{1,2}$)/.test(trimmed);
}

/** `localhost:3000` and `example.com:8080/x` have a port, not a scheme. */
function hasScheme(text: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1];
  if (scheme === undefined) return false;
  const hasPort = /^:\d{1,5}(?:[/?#]|$)/.test(text.slice(scheme.length));
  return !hasPort || SCHEMES_WITHOUT_SLASHES.has(scheme.toLowerCase());
}

function withScheme(text: string): string {
  const url = URL.parse(`http://${text}`);
  return url !== null && classifyHost(url.hostname) === "loopback" ? `http://${text}` : `https://${text}`;
}

/** The relative and home forms of `file:`, which the URL standard would read as a host or as the root. */
function completeFileUrl(text: string, cwd: string): string {
  const [, path = "", suffix = ""] = /^file:([^?#]*)(.*)$/is.exec(text) ?? [];
  const relative = /^(?:\/\/)?((?:~|\.{1,2})(?:\/.*)?)$/s.exec(path)?.[1] ?? (/^[^/\\]/.test(path) ? path : undefined);
  if (relative === undefined || /^[a-z]:/i.test(relative)) return text;
  if (/%2f|%5c|%00/i.test(relative)) {
    throw new BrowseError("blocked_url", `Cannot open "${text}": its path has an encoded slash or a null byte`);
  }
  const decoded = decodedPath(relative, text);
  const absolute = /^~(?:\/|$)/.test(decoded) ? resolve(homedir(), `.${decoded.slice(1)}`) : resolve(cwd, decoded);
  return `${pathToFileURL(absolute).href}${suffix}`;
}

function decodedPath(path: string, text: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    throw new BrowseError("invalid_params", `"${text}" has a malformed percent encoding`, { cause: error });
  }
}
