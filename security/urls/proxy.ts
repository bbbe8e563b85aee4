/** What the browser takes as a proxy server: one rule for the flag, the variable and `restart`. */

export const PROXY_FORMS = "an address such as http://host:3128, socks5://host:1080 or host:3128";

/** The proxy as a URL without a path; `host:port` is one by HTTP. Undefined for what is none. */
export function proxyUrl(text: string): string | undefined {
  const url = URL.parse(/^[^/\s]+:\d+$/.test(text) ? `http://${text}` : text);
  if (!url || !/^(?:https?|socks[45]):$/.test(url.protocol) || url.hostname === "") return undefined;
  if (url.pathname.length > 1 || url.search || url.hash) return undefined;
  return url.href.replace(/\/$/, "");
}
