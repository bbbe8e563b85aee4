/** How what an agent was granted is shown. */
import * as v from "valibot";
import type { Authority } from "../remote_access.ts";

export const AuthorityEntries = {
  name: v.string(),
  scopes: v.array(v.string()),
  tabs: v.picklist(["own", "all"]),
  shared: v.pipe(v.array(v.string()), v.description("Tabs of others that it may use")),
  domains: v.exactOptional(v.pipe(v.array(v.string()), v.description("Any host when absent"))),
  isPrivateGranted: v.pipe(v.boolean(), v.description("May it open addresses of this machine and its network?")),
  files: v.pipe(v.array(v.string()), v.description("Folders that it may read and write, beside artifacts of its own")),
  isTunnelled: v.pipe(v.boolean(), v.description("Is it let in by the tunnel?")),
  perSecond: v.exactOptional(v.pipe(v.number(), v.description("Calls in a second"))),
};

/** `read, write, meta; its own tabs and t3; only example.com`. */
export function authorityText(authority: Authority): string {
  const { scopes, tabs, shared, domains, isPrivateGranted, files, isTunnelled } = authority;
  return [
    scopes.join(", "),
    tabs === "all" ? "all tabs" : ["its own tabs", ...shared].join(" and "),
    domains === undefined ? "any host" : `only ${domains.join(", ")}`,
    ...(isPrivateGranted ? ["this machine's network too"] : []),
    ...(files.length > 0 ? [`files in ${files.join(" and ")}`] : []),
    ...(isTunnelled ? ["through the tunnel"] : []),
  ].join("; ");
}
