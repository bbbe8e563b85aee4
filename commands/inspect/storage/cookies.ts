import * as v from "valibot";
import { REDACTED } from "../../../security/secrets/secret_shapes.ts";
import { defineCommand } from "../../command.ts";

const CookieSchema = v.strictObject({
  name: v.string(),
  value: v.pipe(v.string(), v.description("Redacted where name or value look secret, and of HttpOnly cookies")),
  domain: v.string(),
  path: v.string(),
  expires: v.pipe(v.number(), v.description("Seconds since 1970; -1 for a session cookie")),
  httpOnly: v.boolean(),
  secure: v.boolean(),
  sameSite: v.picklist(["Strict", "Lax", "None"]),
});

export default defineCommand({
  name: "cookies",
  category: "inspect",
  summary: "List the session's cookies, secrets redacted",
  scope: "admin",
  effect: "none",
  needs: "session",
  output: "secret",
  fromPage: "whole",
  params: v.strictObject({
    domain: v.exactOptional(
      v.pipe(
        v.string(),
        v.minLength(1, "must not be empty"),
        v.description("Only those of this host and its subdomains"),
      ),
    ),
  }),
  result: v.strictObject({ cookies: v.array(CookieSchema) }),
  examples: ["browse cookies", "browse cookies --domain shop.example"],
  async run({ session }, { domain }) {
    const all = await session.context.cookies();
    const kept = all.filter((cookie) => domain === undefined || belongsTo(cookie.domain, domain));
    return {
      cookies: kept.map(({ name, value, domain: host, path, expires, httpOnly, secure, sameSite }) => {
        // Its site keeps it from scripts, however short and plain it is: a login.
        return { name, value: httpOnly ? REDACTED : value, domain: host, path, expires, httpOnly, secure, sameSite };
      }),
    };
  },
  render({ cookies }) {
    if (cookies.length === 0) return "No cookies";
    return cookies
      .map((cookie) => `${cookie.domain}${cookie.path} ${cookie.name}=${cookie.value}${flags(cookie)}`)
      .join("\n");
  },
});

function belongsTo(cookieDomain: string, domain: string): boolean {
  const host = cookieDomain.replace(/^\./, "").toLowerCase();
  const wanted = domain.replace(/^\./, "").toLowerCase();
  return host === wanted || host.endsWith(`.${wanted}`);
}

function flags({ httpOnly, secure, sameSite }: v.InferOutput<typeof CookieSchema>): string {
  return `${httpOnly ? " HttpOnly" : ""}${secure ? " Secure" : ""} SameSite=${sameSite}`;
}
