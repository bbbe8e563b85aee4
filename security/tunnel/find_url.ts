/** Up to white space and to what encloses an address in running text or in a log line. */
const ADDRESS = /\bhttps?:\/\/[^\s"'<>|()[\]{},;]+/gi;

/** The first web address in a program's output, as its origin: on that host (`*.example.com`: below it) when one is given. */
export function findUrl(output: string, host?: string): string | undefined {
  const ends = output.lastIndexOf("\n") + 1;
  // What is not a whole line yet may hold half an address.
  for (const [text] of output.slice(0, ends).matchAll(ADDRESS)) {
    const url = URL.parse(text);
    if (url && (host === undefined || isOn(url.hostname, host.toLowerCase()))) return url.origin;
  }
  return undefined;
}

function isOn(hostname: string, host: string): boolean {
  return host.startsWith("*.") ? hostname.endsWith(host.slice(1)) : hostname === host;
}
