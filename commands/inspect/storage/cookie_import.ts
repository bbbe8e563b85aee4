import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { translateDriverError } from "../../../browser/driver/errors.ts";
import { BrowseError } from "../../../errors.ts";
import { classifyHost } from "../../../security/urls/host.ts";
import { defineCommand } from "../../command.ts";
import { FileName, readsFile } from "../../params.ts";
import { fitsHost, type ImportedCookie, parseCookieFile } from "./_cookie_file.ts";

export default defineCommand({
  name: "cookie-import",
  category: "inspect",
  summary: "Set cookies from a file: JSON, Netscape's cookies.txt, or a cURL command",
  description:
    "All of them are set, or none. Each must be for the host of the current page, a domain above or below it, or one that " +
    "is named with --domain. Their values are never shown.",
  scope: "admin",
  effect: "browser",
  needs: "tab",
  reach: "session",
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({
    file: v.pipe(FileName, v.description("JSON, Netscape or cURL"), readsFile()),
    domain: v.exactOptional(
      v.pipe(
        v.array(v.pipe(v.string(), v.regex(/^\.?[^\s/:.][^\s/:]*$/, "must be a host, such as example.com"))),
        v.minLength(1),
        v.description("Host whose cookies may be set, with its subdomains; repeatable"),
      ),
    ),
  }),
  cli: { positional: ["file"] },
  result: v.strictObject({
    format: v.picklist(["json", "netscape", "curl"]),
    count: v.number(),
    domains: v.array(v.string()),
  }),
  examples: ["browse cookie-import cookies.txt", "browse cookie-import cookies.txt --domain shop.example"],
  async run({ tab, session, signal }, { file, domain }) {
    const { format, cookies } = parseCookieFile(await readFile(file, { encoding: "utf8", signal }));
    const hosts = domain ?? currentHost(tab.page.url());
    const placed = cookies.map((cookie) => ({ ...cookie, domain: cookie.domain || (hosts[0] ?? "") }));
    assertFitting(placed, hosts);
    await session.context.addCookies(placed).catch(refused);
    const domains = new Set(placed.map((cookie) => cookie.domain.replace(/^\./, "")));
    return { format, count: placed.length, domains: [...domains].sort() };
  },
  render: ({ count, domains }) => `Set ${count} cookie${count === 1 ? "" : "s"} of ${domains.join(", ")}`,
});

function currentHost(url: string): string[] {
  const parsed = URL.parse(url);
  return parsed && /^https?:$/.test(parsed.protocol) ? [parsed.hostname] : [];
}

function assertFitting(cookies: readonly ImportedCookie[], hosts: readonly string[]): void {
  const strange = cookies.filter(
    ({ domain }) =>
      !hosts.some((host) => fitsHost(domain, host)) || classifyHost(domain.replace(/^\./, "")) === "metadata",
  );
  if (strange.length === 0) return;
  const domains = [...new Set(strange.map(({ domain }) => domain.replace(/^\./, "") || "no domain"))].sort();
  const own = hosts.length > 0 ? hosts.join(", ") : "the current page, which has no host";
  throw new BrowseError(
    "invalid_params",
    `${strange.length} of the cookies are not for ${own}: ${domains.join(", ")}`,
    {
      hint: `Go to a page of theirs first, or name them: ${domains.map((name) => `--domain ${name}`).join(" ")}`,
      details: { domains },
    },
  );
}

/** The browser's own words name a field, never a value. */
function refused(error: unknown): never {
  const told = translateDriverError(error);
  if (told.kind !== "internal") throw told;
  throw new BrowseError("invalid_params", "The browser rejected one of the cookies, so none was set", {
    cause: error,
  });
}
