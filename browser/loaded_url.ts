/** Addresses of documents that came from a caller, not from a server: see `navigation/loaded_html.ts`. */

/** Names under `localhost` are this machine's own (RFC 6761): no proxy or name server is asked for them. */
const HOST = /^http:\/\/loaded-[0-9a-f]{12}\.localhost\//;

/** Is this the address of a loaded document, of this daemon or an earlier one? */
export function isLoadedUrl(url: string): boolean {
  return HOST.test(url);
}
