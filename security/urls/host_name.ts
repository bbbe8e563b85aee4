/** The host that something is kept about, however it was typed. */
import { BrowseError } from "../../errors.ts";
import { hostOf } from "./domain_rules.ts";

/** Characters: of a name that fits into a file's. */
const MAX_LENGTH = 200;
const PORT = /:([1-9]\d{0,4})$/;

/**
 * In lower case, international names by their ASCII form, without a leading `www.`, and with its port where
 * that is not the usual one. Takes a host, or an address of a page there. Throws `invalid_params`.
 */
export function hostNamed(text: string): string {
  const host = hostIn(text.trim());
  if (host !== undefined && host.length <= MAX_LENGTH) return host;
  throw new BrowseError("invalid_params", `${JSON.stringify(text.slice(0, MAX_LENGTH))} is not a host`, {
    hint: "Write one host, such as example.com or localhost:3000",
    details: { param: "host" },
  });
}

/** Of the page at that address; undefined where it is of no host. */
export function hostAt(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return undefined;
  const host = hostIn(parsed.host);
  return host !== undefined && host.length <= MAX_LENGTH ? host : undefined;
}

/** Addresses there: who may open one of them may know what is said of the host. */
export function addressesOf(host: string): string[] {
  const names = /^[\d[]/.test(host) ? [host] : [host, `www.${host}`];
  return names.flatMap((name) => [`https://${name}/`, `http://${name}/`]);
}

function hostIn(text: string): string | undefined {
  const typed = /^https?:\/\//i.test(text) ? URL.parse(text)?.host : text.toLowerCase();
  if (typed === undefined) return undefined;
  const [, port] = PORT.exec(typed) ?? [];
  const host = hostOf(port === undefined ? typed : typed.slice(0, -port.length - 1));
  if (host === undefined || Number(port ?? 1) > 65_535) return undefined;
  const isUsual = port === undefined || port === "80" || port === "443";
  return `${host.replace(/^www\.(?=[^.]+\.)/, "")}${isUsual ? "" : `:${port}`}`;
}
