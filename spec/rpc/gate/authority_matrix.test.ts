/**
 * Every command, by every kind of token, from this machine and through the tunnel, on a tab of one's own, of somebody
 * else's, and on none: allowed, or the right refusal. What each command needs is written down here once more, from the
 * specification, so that no change of a command's metadata goes unseen.
 */
import { existsSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allCommands, type Command, type Scope } from "../../../commands/command.ts";
import "../../../commands/mod.ts";
import { BrowseError, type ErrorKind } from "../../../errors.ts";
import { CallGate } from "../../../rpc/gate/call_gate.ts";
import { CallRecorder } from "../../../rpc/gate/call_record.ts";
import { parseArgv } from "../../../rpc/line/argv.ts";
import { artifactsIn } from "../../../security/files/file_location.ts";
import { MadeFiles } from "../../../security/files/made_files.ts";
import { artifactsOf } from "../../../security/tokens/artifacts.ts";
import { type HeldSession, sessionMeant } from "../../../security/tokens/ownership.ts";
import { rootToken, type Token, TokenRegistry } from "../../../security/tokens/token.ts";
import { splitWords } from "../../../wording.ts";

const names = (text: string) => text.trim().split(/\s+/);

const SCOPE: Record<Scope, string[]> = {
  read: names(`url title wait text html links forms accessibility markdown media data find ux-audit css attrs is box
    count value console network dialog perf inspect a11y snapshot screenshot table tabs sessions status help docs events
    completion security.status`),
  write:
    names(`goto back forward reload stop-loading load-html click fill fill-form select check uncheck hover focus drag drop type
    press scroll mouse.move mouse.down mouse.up mouse.wheel viewport upload dialog-accept dialog-dismiss dialog-policy emulate pdf record.start record.stop trace.start trace.stop download
    scrape archive newtab closetab`),
  admin:
    names(`js eval cookies storage storage.set cookie header useragent style cdp memory cleanup prettyscreenshot cookie-import
    scan`),
  control: names(`confirm session.new session.persist session.forget session.close state.save state.load state.list
    state.show state.rm start stop restart doctor setup pair unpair agents tunnel.start tunnel.stop tunnel.status
    security.log`),
  meta: names("frame responsive diff tab tab-each chain batch watch watch.stop journal"),
};

/** The marked column of the specification's tables. */
const REMOTE = new Set(
  names(`goto back forward reload stop-loading url title wait text html links forms accessibility markdown media data find click fill
    fill-form select check uncheck hover focus drag type press scroll snapshot screenshot tabs newtab closetab chain help`),
);

/** They change or tell what everyone in the session shares. */
const OF_SESSION = new Set(names("cookies cookie cookie-import header useragent emulate viewport dialog-policy"));
/** They show or replace every tab in it. */
const OF_ALL_TABS = new Set(names("trace.start trace.stop state.load"));
const OF_EVERYBODY = new Set(
  names(`journal memory security.status security.log pair unpair agents tunnel.start tunnel.stop tunnel.status stop restart
    state.list state.show state.save state.rm`),
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

interface Case {
  example: string;
  command: Command;
  params: Record<string, unknown>;
  scope: Scope;
}

interface Place {
  where: string;
  session?: string;
  tab?: string;
}

const registry = new TokenRegistry();
const dir = realpathSync(mkdtempSync(join(tmpdir(), "browse-matrix-")));
const temporary = realpathSync(mkdtempSync(join(tmpdir(), "browse-matrix-temp-")));
const artifacts = artifactsIn(join(dir, ".browse"));

function client(name: string, request: Partial<Parameters<TokenRegistry["issuePairingKey"]>[0]> = {}): Token {
  const { key } = registry.issuePairingKey({ name, share: ["t3"], perSecond: 1_000, isTunnelled: true, ...request });
  const { token } = registry.exchange(key);
  // The rate has a test of its own.
  const { rate: _, ...unhurried } = token;
  return unhurried;
}

const holders: Record<string, Token> = {
  root: rootToken(),
  "client, as paired by default": client("default"),
  "client that reads": client("reader", { scopes: ["read"] }),
  "client with every scope": client("all-scopes", { scopes: ["read", "write", "admin", "control", "meta"] }),
  "client with every scope and a domain": client("domain", {
    scopes: ["read", "write", "admin", "control", "meta"],
    domains: ["shop.example", "127.0.0.1"],
  }),
  "client with all tabs": client("all-tabs", { tabs: "all" }),
  "client that was paired for this machine": client("local", { isTunnelled: false }),
  "client with files": client("filer", { fileRoots: [join(dir, "lent")] }),
  skill: registry.issueSkill("prices", new Set(["read", "write"]), { timeoutMs: 1_000, tabs: "all" }).token,
  "skill with its own tab": registry.issueSkill("stock", new Set(["read"]), { timeoutMs: 1_000, tabs: "own" }).token,
  panel: registry.issuePanel("side-panel").token,
};

const PLACES: Place[] = [
  { where: "nowhere in particular" },
  { where: "its own tab", tab: "t1" },
  { where: "a tab shared with it", tab: "t3" },
  { where: "another's tab", tab: "t2" },
  { where: "a tab that is not open", tab: "t99" },
  { where: "its own session", session: "mine" },
  { where: "a new session", session: "fresh" },
  { where: "a session that somebody else calls so", session: "theirs" },
  { where: "its own session, with somebody else's tab in it", session: "visited" },
  { where: "another agent's session", session: "somebody/theirs" },
  { where: "a session that would be another agent's", session: "somebody/new" },
];

const somebody = client("somebody");
const stranger: Token = { ...rootToken(), name: "stranger" };
let cases: Case[];

beforeAll(() => {
  for (const folder of [dir, ...Object.values(holders).map((token) => artifactsOf(artifacts, token))]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "receipt.txt"), "Lamp\n");
    writeFileSync(join(folder, "receipt.html"), "<p>Lamp</p>\n");
    writeFileSync(join(folder, "receipt.pdf"), "");
    writeFileSync(join(folder, "cookies.txt"), "");
    writeFileSync(join(folder, "look.txt"), "title\n");
    writeFileSync(join(folder, "count-links.js"), "1\n");
  }
  for (const folder of ["lent/.git", "lent/sub", "lent-not", ".browse/artifacts/somebody"])
    mkdirSync(join(dir, folder), { recursive: true });
  for (const { path } of FILES) {
    for (const token of Object.values(holders)) {
      const file = path(token);
      if (file.startsWith(dir) || file.startsWith(temporary)) writeFileSync(file, "theirs");
    }
  }
  rmSync(join(dir, "lent/linked.json"));
  linkSync(join(dir, ".browse/daemon.json"), join(dir, "lent/linked.json"));
  cases = allCommands().flatMap((command) =>
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
});

afterAll(() => {
  for (const folder of [dir, temporary]) rmSync(folder, { recursive: true, force: true });
});

/** The files of the table count as made by the holder's own calls, but for one. */
function madeBy(token: Token): MadeFiles {
  const made = new MadeFiles({ ownFolders: [dir, temporary] });
  const start = token.kind === "root" ? dir : artifactsOf(artifacts, token);
  for (const path of FILES.map((cell) => resolve(start, cell.path(token)))) {
    if (existsSync(path) && !path.includes("theirs")) made.add(path, token.id);
  }
  return made;
}

/** A gate before which the holder has the tab t1 and the session "mine", and somebody else all others. */
function gateFor(holder: Token): CallGate {
  const tabs = new Map([
    ["t1", { id: "t1", session: "default", holder }],
    ["t2", { id: "t2", session: "default", holder: stranger }],
    ["t3", { id: "t3", session: "default", holder: stranger }],
  ]);
  const [mine, visited] = ["mine", "visited"].map((name) => sessionMeant(holder, name)) as [string, string];
  const sessions = new Map<string, HeldSession>([
    ["default", { name: "default", holder: undefined, hasVisitors: false }],
    [mine, { name: mine, holder, hasVisitors: false }],
    [visited, { name: visited, holder, hasVisitors: true }],
    ["theirs", { name: "theirs", holder: stranger, hasVisitors: false }],
    ["somebody/theirs", { name: "somebody/theirs", holder: somebody, hasVisitors: false }],
  ]);
  return new CallGate({
    decide: () => "allow",
    sessions: {
      sessions: [],
      tab: (id) => tabs.get(id),
      session: (name) => sessions.get(name),
      shown: () => undefined,
      tabCount: () => 0,
    },
    policy: {
      projectDir: dir,
      stateDir: join(dir, ".browse"),
      homeStateDir: join(dir, "home"),
      made: madeBy(holder),
    },
    isLive: () => true,
    recorder: new CallRecorder({ record: () => {}, publish: () => {} }),
    recordDenial: () => {},
    publish: () => {},
  });
}

/** What the specification says of one cell. */
function expected(one: Case, token: Token, via: "local" | "tunnel", place: Place) {
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
  if (token.tabs === "all") {
    return place.session === "somebody/new" && command.needs !== "daemon" ? "not_found" : "allowed";
  }
  if (place.tab === "t2" || (place.tab === "t3" && !token.shared.has("t3"))) return "not_owner";
  if (OF_EVERYBODY.has(name)) return "not_owner";
  if (command.needs === "daemon") return "allowed";
  if (place.session?.startsWith("somebody/")) return "not_owner";
  const hasSession = ["mine", "fresh", "theirs"].includes(place.session ?? "");
  const isTrusted = token.scopes.has("admin") && !token.domains;
  if (hasSession) return "allowed";
  return OF_ALL_TABS.has(name) || (OF_SESSION.has(name) && !isTrusted) ? "not_owner" : "allowed";
}

function outcome(gate: CallGate, { command, params }: Case, token: Token, via: "local" | "tunnel", place: Place) {
  const { session, tab } = place;
  const caller = { token, via, client: "spec/1", ...(via === "local" && { cwd: dir }) };
  try {
    gate.admit(caller, command.name, params, {
      signal: AbortSignal.abort(),
      ...(session !== undefined && { session }),
      ...(tab !== undefined && { tab }),
    });
    return "allowed";
  } catch (error) {
    return error instanceof BrowseError ? error.kind : String(error);
  }
}

it("knows every command, and each once", () => {
  const specified = Object.values(SCOPE).flat().sort();
  expect(specified).toEqual(
    allCommands()
      .map(({ name }) => name)
      .sort(),
  );
  for (const set of [REMOTE, OF_SESSION, OF_ALL_TABS, OF_EVERYBODY])
    for (const name of set) expect(specified).toContain(name);
});

describe.each(Object.entries(holders))("%s", (_kind, token) => {
  it.each(["local", "tunnel"] as const)("%s: each command, wherever it is to work", (via) => {
    const gate = gateFor(token);
    const wrong: string[] = [];
    for (const one of cases) {
      for (const place of PLACES) {
        const is = outcome(gate, one, token, via, place);
        const should = expected(one, token, via, place);
        if (is !== should) wrong.push(`${one.example} on ${place.where}: ${is}, not ${should}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("may name a tab in its params only if it may use it", () => {
    const gate = gateFor(token);
    const owned: (ErrorKind | "allowed")[] = token.tabs === "all" ? ["allowed"] : ["not_owner"];
    for (const one of cases) {
      for (const param of one.command.tabParams ?? []) {
        const naming = (id: string) =>
          outcome(gate, { ...one, params: { ...one.params, [param]: id } }, token, "local", PLACES[0]!);
        const isIn = token.scopes.has(one.scope);
        expect([one.example, naming("t2")]).toEqual([one.example, isIn ? owned[0] : "forbidden"]);
        for (const id of ["t1", "t3"]) {
          const isShared = id === "t1" || token.tabs === "all" || token.shared.has(id);
          expect([one.example, id, naming(id)]).toEqual([
            one.example,
            id,
            isIn ? (isShared ? "allowed" : "not_owner") : "forbidden",
          ]);
        }
      }
    }
  });
});

/** A file: who may read it, and who may make it or write it anew, beside the user, who may overwrite what is theirs by force. */
interface FileCell {
  what: string;
  /** Of the holder. */
  path: (token: Token) => string;
  reads: "everyone" | "who was lent it" | "the user" | "nobody";
  writes: "everyone" | "who was lent it" | "the user" | "the user by force" | "nobody";
}

const FILES: FileCell[] = [
  {
    what: "its own artifact",
    path: (token) => join(artifactsOf(artifacts, token), "own.txt"),
    reads: "everyone",
    writes: "everyone",
  },
  { what: "a path from nowhere", path: () => "receipt.txt", reads: "everyone", writes: "everyone" },
  {
    what: "another agent's artifact",
    path: () => join(artifacts, "somebody/else.txt"),
    reads: "the user",
    writes: "the user",
  },
  { what: "an artifact of the user", path: () => join(artifacts, "users.txt"), reads: "the user", writes: "the user" },
  { what: "a file of the project", path: () => join(dir, "project.txt"), reads: "the user", writes: "the user" },
  {
    what: "a file of the temporary folder",
    path: () => join(temporary, "temp.txt"),
    reads: "the user",
    writes: "the user",
  },
  { what: "a lent file", path: () => join(dir, "lent/lent.txt"), reads: "who was lent it", writes: "who was lent it" },
  {
    what: "a lent file that somebody else made",
    path: () => join(dir, "lent/theirs.txt"),
    reads: "who was lent it",
    writes: "the user",
  },
  {
    what: "a folder that begins like a lent one",
    path: () => join(dir, "lent-not/a.txt"),
    reads: "the user",
    writes: "the user",
  },
  {
    what: "what git runs, in a lent folder",
    path: () => join(dir, "lent/.git/config"),
    reads: "who was lent it",
    writes: "the user by force",
  },
  {
    what: "what a shell runs",
    path: () => join(dir, "lent/.bashrc"),
    reads: "who was lent it",
    writes: "the user by force",
  },
  {
    what: "what npm runs",
    path: () => join(dir, "lent/sub/package.json"),
    reads: "who was lent it",
    writes: "the user by force",
  },
  { what: "a hidden file", path: () => join(dir, "lent/.anything"), reads: "who was lent it", writes: "the user" },
  {
    what: "a second name of a state file",
    path: () => join(dir, "lent/linked.json"),
    reads: "nobody",
    writes: "nobody",
  },
  { what: "a state file", path: () => join(dir, ".browse/daemon.json"), reads: "nobody", writes: "nobody" },
  { what: "a system file", path: () => "/etc/hosts", reads: "nobody", writes: "nobody" },
];

describe.each(FILES)("$what", ({ path, reads, writes }) => {
  const may = (token: Token, who: FileCell["reads"] | FileCell["writes"]) =>
    who === "everyone" ||
    (token.kind === "root" && who !== "nobody") ||
    (who === "who was lent it" && (token.fileRoots ?? []).length > 0);

  it.each(Object.entries(holders))("%s", (_kind, token) => {
    const of = (name: string, params: Record<string, unknown>) => {
      const command = allCommands().find((candidate) => candidate.name === name)!;
      const one: Case = { command, params, example: "", scope: "write" };
      return outcome(gateFor(token), one, token, "local", PLACES[1]!);
    };
    if (!token.scopes.has("write"))
      return expect(of("upload", { target: "#f", files: [path(token)] })).toBe("forbidden");
    const read = of("upload", { target: "#f", files: [path(token)] });
    const opened = of("goto", { url: pathToFileURL(path(token)).href });
    const write = of("download", { url: "https://shop.example/", path: path(token) });
    const forced = of("download", { url: "https://shop.example/", path: path(token), force: true });
    const outcomes = { read, write, forced };
    const isForced = writes === "the user by force";
    expect(outcomes).toEqual({
      read: may(token, reads) ? "allowed" : "blocked_path",
      write: may(token, writes) && !isForced ? "allowed" : "blocked_path",
      forced: token.kind !== "root" ? "forbidden" : may(token, writes) ? "allowed" : "blocked_path",
    });
    // A browser shows a file to those alone who were lent it, and no artifact to anybody.
    if (opened === "allowed") expect(may(token, reads)).toBe(true);
    if (token.kind !== "root" && reads !== "who was lent it") expect(opened).not.toBe("allowed");
  });
});

it("writes no picture for who may only read, and none through the tunnel, wherever it would go", () => {
  const kinds = (name: string, params: Record<string, unknown>) => {
    const [command] = allCommands().filter((candidate) => candidate.name === name);
    const one = { command: command!, params, example: "", scope: "read" as const };
    return (["client that reads", "client with every scope"] as const).map((holder, index) => {
      const token = holders[holder]!;
      return outcome(gateFor(token), one, token, index === 0 ? "local" : "tunnel", PLACES[1]!);
    });
  };
  const path = join(dir, "a.png");
  for (const [name, params] of [
    ["screenshot", {}],
    ["screenshot", { base64: false }],
    ["snapshot", { annotate: true }],
    ["snapshot", { annotate: true, output: path }],
  ] as const) {
    expect([name, params, kinds(name, params)]).toEqual([name, params, ["forbidden", "forbidden"]]);
  }
  expect(kinds("screenshot", { base64: true })).toEqual(["allowed", "allowed"]);
  expect(kinds("snapshot", { annotate: false })).toEqual(["allowed", "allowed"]);
});

it("gives a token that does not hold any more nothing at all", () => {
  const token = client("gone");
  const gate = new CallGate({
    decide: () => "allow",
    sessions: {
      sessions: [],
      tab: () => undefined,
      session: () => undefined,
      shown: () => undefined,
      tabCount: () => 0,
    },
    policy: { projectDir: dir, stateDir: dir, homeStateDir: dir, made: new MadeFiles({ ownFolders: [dir] }) },
    isLive: (asked) => asked !== token,
    recorder: new CallRecorder({ record: () => {}, publish: () => {} }),
    recordDenial: () => {},
    publish: () => {},
  });
  for (const one of cases) {
    for (const via of ["local", "tunnel"] as const) {
      expect([one.example, outcome(gate, one, token, via, PLACES[0]!)]).toEqual([one.example, "unauthorized"]);
    }
  }
});
