import { isIP } from "node:net";
import * as v from "valibot";
import { BrowseError } from "../../../errors.ts";
import { defineCommand } from "../../command.ts";
import type { TabContext } from "../../context.ts";
import { isSecret } from "../../params.ts";

const ParamsSchema = v.strictObject({
  // RFC 6265, 4.1.1, with what browsers take beyond it.
  name: v.pipe(
    v.string(),
    v.regex(/^[^\s=;,]+$/, "is not a cookie's name"),
    v.maxLength(4_096),
    v.description("Its name"),
  ),
  value: v.pipe(
    v.string(),
    v.regex(/^[^;\r\n\0]*$/, "must not have a semicolon or a line break"),
    v.maxLength(4_096, "is too long: a cookie has 4096 characters at most"),
    v.description("Its value; never echoed"),
    isSecret(),
  ),
  domain: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^\.?[a-z0-9](?:[a-z0-9.:-]*[a-z0-9])?$/i, "is not a host"),
      v.description("Set it for this host and its subdomains (default: the current page's host alone)"),
    ),
  ),
  path: v.exactOptional(
    v.pipe(v.string(), v.startsWith("/", 'must begin with "/"'), v.description("Set it for this path and those below")),
  ),
  maxAge: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.description("Seconds to keep it (default: as long as the session)"),
    ),
  ),
  httpOnly: v.exactOptional(v.pipe(v.boolean(), v.description("Hide it from scripts"))),
  secure: v.exactOptional(v.pipe(v.boolean(), v.description("Send it over HTTPS only"))),
  sameSite: v.exactOptional(
    v.pipe(v.picklist(["Strict", "Lax", "None"]), v.description("Whether requests from other sites carry it")),
  ),
});

type Params = v.InferOutput<typeof ParamsSchema>;

export default defineCommand({
  name: "cookie",
  category: "inspect",
  summary: "Set a cookie of the current page",
  description: "Typed as name=value. The value is neither echoed nor journaled.",
  scope: "admin",
  effect: "browser",
  needs: "tab",
  reach: "session",
  output: "secret",
  fromPage: "nothing",
  params: ParamsSchema,
  cli: { positional: ["name", "value"], place: placeWords },
  result: v.strictObject({ set: v.pipe(v.string(), v.description("Its name")), domain: v.string() }),
  examples: ["browse cookie theme=dark", "browse cookie visits=3 --max-age 3600 --same-site Lax"],
  async run(context, params) {
    const domain = params.domain ?? hostOf(context);
    await setCookie(context, domain, params);
    return { set: params.name, domain };
  },
  render: ({ set, domain }) => `Set the cookie ${JSON.stringify(set)} for ${domain}`,
});

/** What is wrong is told without the words: one of them may be the secret. */
function placeWords(words: readonly string[]): Record<string, string> {
  const [pair, ...others] = words;
  const equals = pair?.indexOf("=") ?? -1;
  if (pair !== undefined && equals > 0 && others.length === 0) {
    return { name: pair.slice(0, equals), value: pair.slice(equals + 1) };
  }
  if (pair === undefined) return {};
  throw new BrowseError("invalid_params", "`cookie` takes one name=value", {
    hint: "browse cookie theme=dark; put it in quotes when it has spaces",
  });
}

function hostOf({ tab }: TabContext): string {
  const { protocol, hostname } = URL.parse(tab.page.url()) ?? {};
  if (/^https?:$/.test(protocol ?? "") && hostname) return hostname;
  throw new BrowseError("invalid_params", "Missing --domain: the current page has no host", {
    hint: "Go to the site first, or name its host with --domain",
  });
}

async function setCookie({ session }: TabContext, host: string, params: Params): Promise<void> {
  const { name, value, domain, path = "/", maxAge, httpOnly = false, secure = false, sameSite } = params;
  const cookie = {
    name,
    value,
    domain: domain === undefined || isIP(host) ? host : `.${host.replace(/^\./, "")}`,
    path,
    httpOnly,
    secure,
    ...(maxAge !== undefined && { expires: Math.floor(Date.now() / 1_000) + maxAge }),
    ...(sameSite && { sameSite }),
  };
  await session.context.addCookies([cookie]).catch((error: unknown) => {
    throw new BrowseError("invalid_params", `The browser rejected the cookie ${JSON.stringify(name)}`, {
      hint: "Names with __Host- or __Secure-, and SameSite None, need --secure; a public suffix has no cookies",
      cause: error,
    });
  });
}
