/** A token of every kind, and a gate before each, with tabs and sessions that are its own, shared with it or others'. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BrowseError } from "../../../errors.ts";
import { CallGate } from "../../../rpc/gate/call_gate.ts";
import { CallRecorder } from "../../../rpc/gate/call_record.ts";
import { artifactsIn } from "../../../security/files/file_location.ts";
import { MadeFiles } from "../../../security/files/made_files.ts";
import { Canaries } from "../../../security/secrets/canaries.ts";
import { artifactsOf } from "../../../security/tokens/artifacts.ts";
import { type HeldSession, sessionMeant } from "../../../security/tokens/ownership.ts";
import { rootToken, type Token, TokenRegistry } from "../../../security/tokens/token.ts";
import type { Case, Place } from "./specified_authority.ts";

const registry = new TokenRegistry();
export const dir = realpathSync(mkdtempSync(join(tmpdir(), "browse-matrix-")));
export const temporary = realpathSync(mkdtempSync(join(tmpdir(), "browse-matrix-temp-")));
export const artifacts = artifactsIn(join(dir, ".browse"));

export function client(name: string, request: Partial<Parameters<TokenRegistry["issuePairingKey"]>[0]> = {}): Token {
  const { key } = registry.issuePairingKey({ name, share: ["t3"], perSecond: 1_000, isTunnelled: true, ...request });
  const { token } = registry.exchange(key);
  return unhurried(token);
}

function skill(...[name, by, grant]: Parameters<TokenRegistry["issueSkill"]>): Token {
  return unhurried(registry.issueSkill(name, by, grant).token);
}

/** The rate has a test of its own. */
function unhurried({ rate: _, ...token }: Token): Token {
  return token;
}

export const holders: Record<string, Token> = {
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
  skill: skill("prices", rootToken(), { scopes: new Set(["read", "write", "meta"]), timeoutMs: 1_000 }),
  "skill that reads a tab of its caller's": skill("stock", rootToken(), {
    scopes: new Set(["read"]),
    tab: "t3",
    timeoutMs: 1_000,
  }),
  "skill of an agent": skill("orders", client("asker"), {
    scopes: new Set(["read", "write"]),
    session: "mine",
    timeoutMs: 1_000,
  }),
  panel: registry.issuePanel("side-panel").token,
};

const somebody = client("somebody");
const stranger: Token = { ...rootToken(), name: "stranger" };

/** Makes what the examples of commands read, in each holder's folder. */
export function makeFolders(): void {
  for (const folder of [dir, ...Object.values(holders).map((token) => artifactsOf(artifacts, token))]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "receipt.txt"), "Lamp\n");
    writeFileSync(join(folder, "receipt.html"), "<p>Lamp</p>\n");
    writeFileSync(join(folder, "receipt.pdf"), "");
    writeFileSync(join(folder, "cookies.txt"), "");
    writeFileSync(join(folder, "look.txt"), "title\n");
    writeFileSync(join(folder, "count-links.js"), "1\n");
  }
}

export function removeFolders(): void {
  for (const folder of [dir, temporary]) rmSync(folder, { recursive: true, force: true });
}

/** A gate before which the holder has the tab t1 and the session "mine", and somebody else all others. */
export function gateFor(holder: Token, made = new MadeFiles({ ownFolders: [dir, temporary] })): CallGate {
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
    canaries: new Canaries(),
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
      made,
    },
    isLive: () => true,
    recorder: new CallRecorder({ record: () => {}, publish: () => {} }),
    recordDenial: () => {},
    publish: () => {},
  });
}

/** What the gate says of the call. */
export function outcome(
  gate: CallGate,
  { command, params }: Case,
  token: Token,
  via: "local" | "tunnel",
  place: Place,
) {
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
