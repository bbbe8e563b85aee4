/** What a URL's host is, as far as its text tells. Names that must be looked up are `public` until they are. */
import { type AddressClass, classifyAddress } from "./address.ts";

/** Names of cloud metadata services, lower case, without trailing dots. */
const METADATA_NAMES = new Set([
  "metadata.google.internal",
  "metadata.goog",
  "metadata.azure.internal",
  "instance-data",
  "instance-data.ec2.internal",
]);

/** Hosts of metadata services as Chromium's resolver rules name them: by the text that its URLs have, `*` for any run. */
export const METADATA_PATTERNS: readonly string[] = [
  ...METADATA_NAMES,
  "169.254.*",
  "100.100.100.200",
  "192.0.0.192",
  "168.63.129.16",
  "[fe8*",
  "[fe9*",
  "[fea*",
  "[feb*",
  "[fd00:ec2:*",
  "[fd20:ce:*",
  "[::ffff:a9fe:*",
  "[::ffff:6464:64c8]*",
  "[::ffff:c000:c0]*",
  "[::ffff:a83f:8110]*",
];

/**
 * Classifies the `hostname` of a WHATWG `URL`, which has already turned hex, octal, decimal, short, percent-encoded
 * and fullwidth spellings into one.
 */
export function classifyHost(hostname: string): AddressClass {
  if (hostname.startsWith("[")) return classifyAddress(hostname);
  const name = hostname.endsWith(".") ? withoutTrailingDots(hostname) : hostname;
  const last = name.charCodeAt(name.length - 1);
  // WHATWG leaves only dotted decimal addresses ending in a digit; anything else is a name.
  if (last >= 0x30 && last <= 0x39) {
    const kind = classifyAddress(name);
    if (kind !== "invalid") return kind;
  }
  if (METADATA_NAMES.has(name)) return "metadata";
  return name === "localhost" || name.endsWith(".localhost") ? "loopback" : "public";
}

/** `0xa9fea9fe..` is a name to WHATWG for its two dots, but an address to resolvers that ignore them. */
function withoutTrailingDots(hostname: string): string {
  let end = hostname.length;
  while (hostname[end - 1] === ".") end -= 1;
  const name = hostname.slice(0, end);
  return URL.parse(`http://${name}/`)?.hostname ?? name;
}
