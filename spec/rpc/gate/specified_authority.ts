/**
 * Who may call what, from the specification, written down once more beside the metadata of the commands: no change of
 * that goes unseen.
 */
import { allCommands, type Command, type Scope } from "../../../commands/command.ts";
import "../../../commands/mod.ts";
import { parseArgv } from "../../../rpc/line/argv.ts";
import type { Token } from "../../../security/tokens/token.ts";
import { splitWords } from "../../../wording.ts";

const names = (text: string) => text.trim().split(/\s+/);

export const SCOPE: Record<Scope, string[]> = {
  read: names(`url title wait text html links forms accessibility markdown media data find ux-audit css attrs is box
    count value console network dialog perf inspect a11y snapshot screenshot table tabs sessions status help docs events
    completion security.status skill.list skill.show note.list note.show`),
  write:
    names(`goto back forward reload stop-loading load-html click fill fill-form select check uncheck hover focus drag drop type
    press scroll mouse.move mouse.down mouse.up mouse.wheel viewport upload dialog-accept dialog-dismiss dialog-policy emulate pdf record.start record.stop trace.start trace.stop download
    scrape archive newtab closetab note.save`),
  admin:
    names(`js eval cookies storage storage.set cookie header useragent style cdp memory cleanup prettyscreenshot cookie-import
    scan`),
  control: names(`confirm session.new session.persist session.forget session.close state.save state.load state.list
    state.show state.rm start stop restart doctor setup pair unpair agents tunnel.start tunnel.stop tunnel.status
    security.log skill.new skill.restore skill.rm skill.trust skill.upgrade skill.check skill.codify note.edit note.promote note.rollback note.rm`),
  meta: names("frame responsive diff tab tab-each chain batch watch watch.stop journal skill.run skill.test"),
};

/** The marked column of the specification's tables. */
export const REMOTE = new Set(
  names(`goto back forward reload stop-loading url title wait text html links forms accessibility markdown media data find click fill
    fill-form select check uncheck hover focus drag type press scroll snapshot screenshot tabs newtab closetab chain help`),
);

/** They change or tell what everyone in the session shares. */
export const OF_SESSION = new Set(
  names("cookies cookie cookie-import header useragent emulate viewport dialog-policy"),
);
/** They show or replace every tab in it. */
export const OF_ALL_TABS = new Set(names("trace.start trace.stop state.load"));
export const OF_EVERYBODY = new Set(
  names(`journal memory security.status security.log pair unpair agents tunnel.start tunnel.stop tunnel.status stop restart
    state.list state.show state.save state.rm skill.new skill.restore skill.rm skill.trust skill.upgrade skill.check skill.codify`),
);

/** Examples that need another scope than their command, because of a param. */
const RAISED: [RegExp, Scope][] = [
  [/^browse cdp (--list|DOM\.getBoxModel|DOM\.getDocument|Performance\.getMetrics)/, "read"],
  [/^browse network --har /, "write"],
  [/^browse screenshot(?!.*--base64)/, "write"],
  [/^browse snapshot .*-o /, "write"],
];

/** What an example writes: not for remote agents, whose screenshots are base64 only. */
const WRITES = /^browse screenshot(?!.*--base64)|^browse snapshot .*-o /;

/** What an example reads, which remote agents have none of. */
const READS = / \.\/receipt\.pdf$/;

export interface Case {
  example: string;
  command: Command;
  params: Record<string, unknown>;
  scope: Scope;
}

export interface Place {
  where: string;
  session?: string;
  tab?: string;
}

/** The examples of all commands, each with what it needs. */
export function specifiedCases(): Case[] {
  return allCommands().flatMap((command) =>
    command.examples.flatMap((example) => {
      const words = splitWords(example).lines[0]?.slice(1) ?? [];
      const { command: name, params } = parseArgv(words, { stdin: "[]" });
      // What goes before, so that there is something to stop or to load.
      if (name !== command.name) return [];
      const own = (Object.keys(SCOPE) as Scope[]).find((scope) => SCOPE[scope].includes(command.name));
      if (!own) throw new Error(`Nothing is specified for "${command.name}"`);
      return [{ example, command, params, scope: RAISED.find(([of]) => of.test(example))?.[1] ?? own }];
    }),
  );
}

/** What the specification says of one cell. */
export function expected(one: Case, token: Token, via: "local" | "tunnel", place: Place) {
  const outcome = authorityOver(one, token, via, place);
  return via === "tunnel" && outcome === "allowed" && READS.test(one.example) ? "blocked_path" : outcome;
}

function authorityOver({ command, example, scope }: Case, token: Token, via: "local" | "tunnel", place: Place) {
  const { name } = command;
  if (via === "tunnel") {
    if (token.isTunnelled !== true) return "unauthorized";
    if (!REMOTE.has(name) || WRITES.test(example)) return "forbidden";
  }
  if (!token.scopes.has(scope)) return "forbidden";
  if (token.kind === "skill" && command.effect === "process") return "forbidden";
  if (token.tabs === "all") {
    return place.session === "somebody/new" && command.needs !== "daemon" ? "not_found" : "allowed";
  }
  if (place.tab === "t2" || (place.tab === "t3" && !token.shared.has("t3"))) return "not_owner";
  if (OF_EVERYBODY.has(name)) return "not_owner";
  if (command.needs === "daemon") return "allowed";
  // A skill works in the session of the call that runs it, and in no other.
  const isElsewhere = token.session !== undefined && (place.session ?? "default") !== token.session;
  if (isElsewhere && place.tab === undefined) return "not_owner";
  if (place.session?.startsWith("somebody/")) return "not_owner";
  const hasSession = ["mine", "fresh", "theirs"].includes(place.session ?? "");
  const isTrusted = token.scopes.has("admin") && !token.domains;
  if (hasSession) return "allowed";
  return OF_ALL_TABS.has(name) || (OF_SESSION.has(name) && !isTrusted) ? "not_owner" : "allowed";
}
