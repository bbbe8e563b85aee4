/** Rate, policy and confirmation at the one gate, without a browser. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Tab } from "../../../browser/tabs/tab.ts";
import "../../../commands/mod.ts";
import type { BrowseError } from "../../../errors.ts";
import type { JournalEntry } from "../../../rpc/events/journal.ts";
import { CallGate, type ReadyCall } from "../../../rpc/gate/call_gate.ts";
import { CallRecorder } from "../../../rpc/gate/call_record.ts";
import { MadeFiles } from "../../../security/files/made_files.ts";
import { decide, type Rule } from "../../../security/policy/rules.ts";
import { Canaries } from "../../../security/secrets/canaries.ts";
import type { Denial } from "../../../security/tokens/denials.ts";
import type { HeldSession } from "../../../security/tokens/ownership.ts";
import { rootToken, type Token, TokenRegistry } from "../../../security/tokens/token.ts";

const registry = new TokenRegistry();
const root = rootToken();
let gate: CallGate;
let rules: Rule[];
let denials: Denial[];
let journal: JournalEntry[];
let published: Record<string, unknown>[];
let sessions: HeldSession[];

beforeEach(() => {
  rules = [];
  denials = [];
  journal = [];
  published = [];
  sessions = [];
  gate = new CallGate({
    sessions: {
      get sessions() {
        return sessions;
      },
      tab: () => undefined,
      session: (name) => sessions.find((session) => session.name === name),
      shown: () => "https://shop.example/cart",
      tabCount: () => 0,
    },
    policy: {
      projectDir: "/tmp",
      stateDir: "/tmp/none",
      homeStateDir: "/tmp/none",
      made: new MadeFiles({ ownFolders: [] }),
    },
    canaries: new Canaries(),
    decide: (call) => decide(rules, call),
    isLive: () => true,
    recorder: new CallRecorder({ record: (entry) => void journal.push(entry), publish: () => {} }),
    recordDenial: (denial) => void denials.push(denial),
    publish: (_topic, data) => void published.push(data),
  });
});

function paired(request: Partial<Parameters<TokenRegistry["issuePairingKey"]>[0]> = {}): Token {
  return registry.exchange(registry.issuePairingKey({ name: "bob", ...request }).key).token;
}

const { signal } = new AbortController();
const rootHere = { token: root, via: "local", client: "spec/1", cwd: "/tmp" } as const;

function admit(token: Token, command: string, params: Record<string, unknown> = {}): ReadyCall {
  return gate.admit({ token, via: "local", client: "spec/1", source: "10.0.0.7" }, command, params, { signal });
}

function refusal(run: () => unknown): BrowseError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return error as BrowseError;
  }
}

describe("the rate", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("lets ten of a thousand calls in a burst through, and tells of the flood once", () => {
    const token = paired();
    const kinds = Array.from({ length: 1_000 }, () => refusal(() => admit(token, "url"))?.kind);
    expect(kinds.filter((kind) => kind === undefined)).toHaveLength(10);
    expect(kinds.filter((kind) => kind === "rate_limited")).toHaveLength(990);
    expect(denials).toHaveLength(990);
    expect(denials[0]).toEqual({ reason: "rate_limited", command: "url", source: "10.0.0.7" });
    expect(journal).toHaveLength(1);
    expect(published).toHaveLength(1);
  });

  it("gives back a call every tenth of a second, and never more than ten", () => {
    const token = paired();
    const passed = (calls: number) =>
      Array.from({ length: calls }, () => refusal(() => admit(token, "url"))).filter((error) => !error).length;
    expect(passed(20)).toBe(10);
    vi.advanceTimersByTime(250);
    expect(passed(20)).toBe(2);
    vi.advanceTimersByTime(60_000);
    expect(passed(20)).toBe(10);
  });

  it("counts the steps of a call when their turn comes, and holds no more of them than one call may have", async () => {
    vi.useFakeTimers();
    const token = paired();
    const step = () => gate.admitStep({ token, via: "local", client: "spec/1" }, "url", {}, { signal });
    const started = performance.now();
    const turns = Array.from({ length: 30 }, () => gate.turn(step()).then(() => performance.now() - started));
    await vi.advanceTimersByTimeAsync(10_000);
    const times = await Promise.all(turns);
    expect(times.filter((ms) => ms < 1)).toHaveLength(10);
    expect(Math.max(...times)).toBeGreaterThanOrEqual(2_000);
    const crowd = await Promise.allSettled(
      Array.from({ length: 500 }, async () => await Promise.race([gate.turn(step()), Promise.resolve("waits")])),
    );
    expect(crowd.filter(({ status }) => status === "rejected").length).toBeGreaterThanOrEqual(430);
  });

  it("is not asked of the root token", () => {
    for (let calls = 0; calls < 1_000; calls++) admit(root, "url");
    expect(denials).toEqual([]);
  });
});

describe("the policy", () => {
  it.each<[string, Rule[], string, Record<string, unknown>]>([
    ["a command", [{ do: "deny", command: ["js"] }], "js", { code: "1" }],
    ["a command by its alias", [{ do: "deny", command: ["js"] }], "eval-js", { code: "1" }],
    ["a scope", [{ do: "deny", scope: ["admin"] }], "cookies", {}],
    ["a scope that a param raises", [{ do: "deny", scope: ["admin"] }], "wait", { fn: "true" }],
    ["an effect", [{ do: "deny", effect: ["navigation"] }], "reload", {}],
    ["the host of an address", [{ do: "deny", host: ["*.evil.test"] }], "goto", { url: "https://www.evil.test/" }],
    ["the host of the page", [{ do: "deny", host: ["shop.example"] }], "click", { target: "text=Buy" }],
    ["everything but what is allowed", [{ do: "allow", command: ["url"] }, { do: "deny" }], "title", {}],
  ])("keeps back what it denies by %s, whoever calls", (_what, denied, command, params) => {
    expect(refusal(() => admit(root, command, params))).toBeUndefined();
    rules = denied;
    const { kind, message } = refusal(() => admit(root, command, params)) ?? {};
    expect([kind, message]).toEqual(["forbidden", expect.stringContaining("policy")]);
    expect(journal.at(-1)).toMatchObject({ outcome: "forbidden", by: "root" });
  });

  it("decides by the first rule that fits", () => {
    rules = [
      { do: "allow", command: ["url"] },
      { do: "deny", scope: ["read"] },
    ];
    expect(refusal(() => admit(root, "url"))).toBeUndefined();
    expect(refusal(() => admit(root, "title"))?.kind).toBe("forbidden");
  });

  it("allows by host only what stays on the hosts that are named", () => {
    rules = [
      { do: "allow", host: ["shop.example"] },
      { do: "deny", effect: ["navigation"] },
    ];
    expect(refusal(() => admit(root, "goto", { url: "https://shop.example/" }))).toBeUndefined();
    expect(refusal(() => admit(root, "goto", { url: "https://other.example/" }))?.kind).toBe("forbidden");
  });

  it("is asked of the file of --out as well", () => {
    const writing = () => gate.admit(rootHere, "title", {}, { signal, print: { format: "text", out: "title.txt" } });
    rules = [{ do: "deny", effect: ["disk"] }];
    expect(refusal(() => admit(root, "title"))).toBeUndefined();
    expect(refusal(writing)?.kind).toBe("forbidden");
    rules = [{ do: "allow", command: ["title"] }, ...rules];
    expect(refusal(writing)).toBeUndefined();
  });

  it("cannot keep back what sets it right", () => {
    rules = [{ do: "deny" }];
    const outside = ["status", "help", "doctor", "stop"];
    for (const command of outside) expect([command, refusal(() => admit(root, command))]).toEqual([command, undefined]);
  });
});

describe("a call that a person has to allow", () => {
  const person = () => paired({ name: "me", scopes: ["control"] });
  const asked = (token: Token, params = { url: "https://shop.example/pay" }) => {
    const error = refusal(() => gate.begin(admit(token, "goto", params)));
    return { kind: error?.kind, id: String(error?.details.confirmation), exitCode: error?.exitCode };
  };
  const answerer = (token: Token) => gate.confirmationsFor({ token, via: "local", client: "spec/1" });

  beforeEach(() => {
    rules = [{ do: "confirm", command: ["goto"] }];
  });

  it("is refused with an id, runs once when that is allowed, and has to be allowed again", () => {
    const { kind, id, exitCode } = asked(root);
    expect([kind, exitCode]).toEqual(["confirmation_required", 4]);
    expect(asked(root).id).toBe(id);
    const me = answerer(person());
    expect(me.pending(id)).toMatchObject({ command: "goto", by: "root", params: { url: "https://shop.example/pay" } });
    me.answer(id, true);
    expect(asked(root).kind).toBeUndefined();
    expect(asked(root).kind).toBe("confirmation_required");
    expect(denials.every(({ reason }) => reason === "confirmation_required")).toBe(true);
  });

  it("cannot be allowed by whoever asks, under any id but its own, or after it was refused", () => {
    const { id } = asked(root);
    expect(refusal(() => answerer(root).answer(id, true))?.kind).toBe("forbidden");
    expect(refusal(() => answerer(person()).answer("aaaaaa", true))?.kind).toBe("not_found");
    answerer(person()).answer(id, false);
    expect(refusal(() => answerer(person()).answer(id, true))?.kind).toBe("not_found");
    expect(asked(root).kind).toBe("confirmation_required");
  });

  it("is another call with other params, and of another caller", () => {
    const { id } = asked(root);
    answerer(person()).answer(id, true);
    expect(asked(root, { url: "https://shop.example/pay?twice" }).kind).toBe("confirmation_required");
    expect(asked(paired()).kind).toBe("confirmation_required");
    expect(asked(root).kind).toBeUndefined();
  });

  it("cannot be allowed after a minute, nor run a minute after it was", () => {
    vi.useFakeTimers();
    try {
      const late = asked(root).id;
      vi.advanceTimersByTime(60_000);
      expect(refusal(() => answerer(person()).answer(late, true))?.kind).toBe("not_found");
      const { id } = asked(root);
      answerer(person()).answer(id, true);
      vi.advanceTimersByTime(60_000);
      expect(asked(root).kind).toBe("confirmation_required");
    } finally {
      vi.useRealTimers();
    }
  });

  it("has to be allowed anew on another page than the one that was shown", () => {
    const other = { page: { url: () => "https://bank.example/" }, loaded: undefined } as unknown as Tab;
    const allowedOnShop = () => {
      const error = refusal(() => admit(root, "click", { target: "text=Pay" }));
      answerer(person()).answer(String(error?.details.confirmation), true);
      const ready = admit(root, "click", { target: "text=Pay" });
      gate.begin(ready);
      return ready;
    };
    rules = [{ do: "confirm", host: ["shop.example", "bank.example"] }];
    const onHosts = allowedOnShop();
    expect(refusal(() => gate.recheck(onHosts, other))?.kind).toBe("confirmation_required");
    rules = [{ do: "confirm", command: ["click"] }];
    const anywhere = allowedOnShop();
    const elsewhere = refusal(() => gate.recheck(anywhere, other));
    expect(elsewhere?.kind).toBe("confirmation_required");
    expect(answerer(person()).pending(String(elsewhere?.details.confirmation)).urls).toEqual(["https://bank.example/"]);
    rules = [{ do: "deny", host: ["bank.example"] }];
    expect(refusal(() => gate.recheck(anywhere, other))?.kind).toBe("forbidden");
  });

  it("is refused before anything of a chain runs, and the yes is kept until its step does", () => {
    const caller = { token: root, via: "local", client: "spec/1" } as const;
    const step = () => gate.admitStep(caller, "goto", { url: "https://shop.example/pay" }, { signal });
    const error = refusal(step);
    expect(error?.kind).toBe("confirmation_required");
    answerer(person()).answer(String(error?.details.confirmation), true);
    const ready = step();
    expect(refusal(step)).toBeUndefined();
    gate.begin(ready);
    expect(refusal(() => gate.begin(ready))?.kind).toBe("confirmation_required");
  });
});

it("lets a token with tabs of its own make five sessions, and work in them after", () => {
  const token = paired();
  const held = [1, 2, 3, 4, 5].map((number) => ({ name: `bob/own-${number}`, holder: token, hasVisitors: false }));
  sessions = held.slice(0, 4);
  const inSession = (session: string) =>
    refusal(() => gate.admit({ token, via: "local", client: "spec/1" }, "url", {}, { signal, session }))?.kind;
  expect(inSession("own-5")).toBeUndefined();
  sessions = held;
  expect([inSession("own-5"), inSession("own-6")]).toEqual([undefined, "forbidden"]);
});

it("writes down which keys were pressed, but no character that may be of a password", () => {
  const shown = (key: string) => (admit(root, "press", { key }).shownParams as { key: string }).key;
  for (const key of ["Enter", "Shift+Tab", "Control+A", "F5", "Alt+é", "Space"]) expect(shown(key)).toBe(key);
  for (const key of ["K", "7", "+", "é", "Shift+k", "AltGraph+q", "KeyH", "Digit4", "hunter2"]) {
    expect([key, shown(key)]).toEqual([key, "[redacted]"]);
  }
});

it("takes nobody's word but the user's for where they stand, and which files are theirs", () => {
  const upload = (token: Token) =>
    refusal(() => {
      const caller = { token, via: "local", client: "spec/1", cwd: "/etc" } as const;
      gate.admit(caller, "upload", { target: "input", files: ["/etc/hosts"] }, { signal });
    })?.kind;
  const skill = registry.issueSkill("prices", root, { scopes: new Set(["write"]), timeoutMs: 1_000 }).token;
  expect([upload(root), upload(paired()), upload(skill)]).toEqual([undefined, "blocked_path", "blocked_path"]);
});

it("has a skill wait for its turn at its rate, and refuses what comes far too early", () => {
  const { token } = registry.issueSkill("prices", root, { scopes: new Set(["read"]), timeoutMs: 60_000 });
  const waits = Array.from({ length: 1_000 }, () => {
    let waitMs: number | undefined;
    const kind = refusal(() => {
      waitMs = admit(token, "url").waitMs;
    })?.kind;
    return kind ?? waitMs;
  });
  expect(waits.slice(0, 100)).toEqual(Array(100).fill(0));
  const late = waits.slice(100).filter((wait) => typeof wait === "number");
  expect(late.length).toBeGreaterThanOrEqual(50);
  expect(Math.max(...late)).toBeGreaterThan(400);
  expect(waits.at(-1)).toBe("rate_limited");
});
