/** What an IP address is, whatever way it is written: the part of the URL policy that knows numbers. */
import { isIPv4, isIPv6 } from "node:net";

/**
 * `metadata` cloud metadata services and all of link-local, where they live; `loopback` this machine; `private`
 * anything else that is not routed on the internet; `public` the rest; `invalid` not an address.
 */
export type AddressClass = "metadata" | "loopback" | "private" | "public" | "invalid";

/** First address, prefix length, class. The first row that holds the address decides. Source: IANA special registries. */
const IPV4_RANGES: readonly (readonly [string, number, AddressClass])[] = [
  ["169.254.0.0", 16, "metadata"], // link-local: AWS, Azure, GCP, ECS tasks
  ["100.100.100.200", 32, "metadata"], // Alibaba Cloud
  ["192.0.0.192", 32, "metadata"], // Oracle Cloud
  ["168.63.129.16", 32, "metadata"], // Azure wire server
  ["127.0.0.0", 8, "loopback"],
  ["0.0.0.0", 8, "loopback"], // "this host": connecting to it reaches loopback
  ["10.0.0.0", 8, "private"],
  ["100.64.0.0", 10, "private"],
  ["172.16.0.0", 12, "private"],
  ["192.0.0.0", 24, "private"],
  ["192.168.0.0", 16, "private"],
  ["198.18.0.0", 15, "private"],
  ["224.0.0.0", 4, "private"], // multicast
  ["240.0.0.0", 4, "private"], // reserved, broadcast
];

const IPV4_TABLE = IPV4_RANGES.map(([first, bits, kind]) => ({
  first: ipv4Number(first),
  size: 2 ** (32 - bits),
  kind,
}));

/** Well-known IPv6 metadata addresses, as their eight groups. */
const IPV6_METADATA: readonly (readonly number[])[] = [
  [0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x254], // AWS
  [0xfd20, 0x00ce, 0, 0, 0, 0, 0, 0x254], // GCP
];

/** Classifies a literal address. IPv6 may be in brackets and may carry a zone id. */
export function classifyAddress(address: string): AddressClass {
  if (isIPv4(address)) return classifyIpv4(ipv4Number(address));
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/s, "");
  return isIPv6(bare) ? classifyIpv6(ipv6Groups(bare)) : "invalid";
}

function classifyIpv4(number: number): AddressClass {
  for (const { first, size, kind } of IPV4_TABLE) {
    if (number >= first && number < first + size) return kind;
  }
  return "public";
}

function classifyIpv6(groups: readonly number[]): AddressClass {
  const first = groups[0] ?? 0;
  if (IPV6_METADATA.some((known) => known.every((group, index) => group === groups[index]))) return "metadata";
  if ((first & 0xffc0) === 0xfe80) return "metadata";
  if (groups.slice(0, 7).every((group) => group === 0) && (groups[7] ?? 0) <= 1) return "loopback";
  const embedded = embeddedIpv4(groups);
  if (embedded !== undefined) return classifyIpv4(embedded);
  // Unique local, site-local (deprecated), multicast.
  if ((first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfec0 || first >= 0xff00) return "private";
  return "public";
}

/** The IPv4 address that packets to this IPv6 address may end at, for every transition mechanism that embeds one. */
function embeddedIpv4(groups: readonly number[]): number | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const last = g * 65536 + h;
  if (a === 0 && b === 0 && c === 0 && d === 0) {
    if (e === 0 && (f === 0 || f === 0xffff)) return last; // compatible ::/96, mapped ::ffff:0:0/96
    if (e === 0xffff && f === 0) return last; // translated ::ffff:0:0:0/96 (RFC 2765)
  }
  if (a === 0x64 && b === 0xff9b && c <= 1) return last; // NAT64 (RFC 6052, RFC 8215)
  if (a === 0x2002) return b * 65536 + c; // 6to4
  if (a === 0x2001 && b === 0) return (last ^ 0xffffffff) >>> 0; // Teredo hides the client's address by xor
  if ((e & 0xfdff) === 0 && f === 0x5efe) return last; // ISATAP
  return undefined;
}

function ipv4Number(address: string): number {
  return address.split(".").reduce((number, part) => number * 256 + Number(part), 0);
}

/** The eight groups of a valid address; a dotted tail counts as two. */
function ipv6Groups(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const left = groupsOf(head);
  if (tail === undefined) return left;
  const right = groupsOf(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function groupsOf(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16)];
    const number = ipv4Number(group);
    return [Math.floor(number / 65536), number % 65536];
  });
}
