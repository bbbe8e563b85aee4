/**
 * Every command, by every kind of token, from this machine and through the tunnel, on a tab of one's own, of somebody
 * else's, and on none: allowed, or the right refusal.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allCommands } from "../../../commands/command.ts";
import type { ErrorKind } from "../../../errors.ts";
import { CallGate } from "../../../rpc/gate/call_gate.ts";
import { CallRecorder } from "../../../rpc/gate/call_record.ts";
import { MadeFiles } from "../../../security/files/made_files.ts";
import { Canaries } from "../../../security/secrets/canaries.ts";
import { client, dir, gateFor, holders, makeFolders, outcome, removeFolders } from "./holders.ts";
import {
  expected,
  OF_ALL_TABS,
  OF_EVERYBODY,
  OF_SESSION,
  type Place,
  REMOTE,
  SCOPE,
  specifiedCases,
} from "./specified_authority.ts";

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

const cases = specifiedCases();

beforeAll(makeFolders);
afterAll(removeFolders);

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
    const place = token.session === undefined ? PLACES[0]! : { where: "the call's session", session: token.session };
    const owned: (ErrorKind | "allowed")[] = token.tabs === "all" ? ["allowed"] : ["not_owner"];
    for (const one of cases) {
      for (const param of one.command.tabParams ?? []) {
        const naming = (id: string) =>
          outcome(gate, { ...one, params: { ...one.params, [param]: id } }, token, "local", place);
        const isIn = token.scopes.has(one.scope) && !(token.kind === "skill" && one.command.effect === "process");
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

it("gives a token that does not hold any more nothing at all", () => {
  const token = client("gone");
  const gate = new CallGate({
    canaries: new Canaries(),
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
