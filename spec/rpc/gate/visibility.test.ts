import { describe, expect, test } from "vitest";
import { EventHub } from "../../../rpc/events/hub.ts";
import type { Caller } from "../../../rpc/gate/call.ts";
import { assertTopics, filterMeant, visibilityOf } from "../../../rpc/gate/visibility.ts";
import type { Scope } from "../../../security/tokens/scope.ts";
import { rootToken } from "../../../security/tokens/token.ts";
import { DomainRules } from "../../../security/urls/domain_rules.ts";

const root: Caller = { token: rootToken(), via: "local", client: "x/1" };

function caller(tabs: "all" | "own", ...scopes: Scope[]): Caller {
  return { ...root, token: { ...rootToken(), kind: "client", tabs, scopes: new Set(scopes) } };
}

/** Numbers of the events that the caller, who owns t1, sees of: its tab's, another's, nobody's, a denial, the daemon's. */
function seen(by: Caller): string[] {
  const hub = new EventHub();
  hub.publish("console", { what: "own" }, { tab: "t1", session: "default" });
  hub.publish("console", { what: "other's" }, { tab: "t2", session: "default" });
  hub.publish("console", { what: "service worker's" }, { session: "default" });
  hub.publish("security", { what: "denial" }, { tab: "t1" });
  hub.publish("daemon", { what: "daemon" });
  const canSee = visibilityOf(by, (_, tab) => tab === "t1");
  const { events } = hub.history({ topics: ["console", "security", "daemon"] }, canSee);
  return events.map(({ data }) => String(data.what));
}

describe("Who sees which events", () => {
  test.each<[string, Caller, string[]]>([
    ["root sees all", root, ["own", "other's", "service worker's", "denial", "daemon"]],
    ["who has all tabs sees them all", caller("all", "read"), ["own", "other's", "service worker's"]],
    ["a client sees its own tabs", caller("own", "read"), ["own"]],
    ["with control, also what was denied there", caller("own", "read", "control"), ["own", "denial"]],
    ["without read nothing is seen", caller("own", "write"), []],
  ])("%s", (_, by, expected) => {
    expect(seen(by).sort()).toEqual(expected.toSorted());
  });

  test("of a tab that was lent, what came after it, of hosts that the token may see", () => {
    const hub = new EventHub();
    const at = (ms: number) => new Date(1_000_000 + ms).toISOString();
    const say = (n: number, time: string, url?: string) =>
      hub.publish("network", { n, time, ...(url !== undefined && { url }) }, { tab: "t1", session: "default" });
    say(1, at(0), "https://shop.example/");
    say(2, at(2), "https://shop.example/");
    say(3, at(2), "https://bank.example/");
    say(4, at(2));
    hub.publish(
      "activity",
      { n: 5, time: at(2), params: { urls: ["https://bank.example/"] }, url: "https://shop.example/" },
      { tab: "t1" },
    );
    const lent = { ...caller("own", "read").token, shared: new Set(["t1"]), sharedAt: 1_000_001 };
    const numbers = (token: Caller["token"]) =>
      hub
        .history(
          { topics: ["network", "activity"] },
          visibilityOf({ ...root, token }, () => true),
        )
        .events.map(({ data }) => data.n)
        .sort();
    expect(numbers(lent)).toEqual([2, 3, 4, 5]);
    expect(numbers({ ...lent, domains: new DomainRules(["shop.example"]) })).toEqual([2]);
    expect(numbers({ ...lent, shared: new Set() })).toEqual([1, 2, 3, 4, 5]);
  });

  test("an agent filters by the session that it means", () => {
    const bob: Caller = { ...root, token: { ...caller("own", "read").token, name: "bob" } };
    expect(filterMeant(bob, { filter: { session: "work" } })).toEqual({ filter: { session: "bob/work" } });
    expect(filterMeant(root, { filter: { session: "work" } })).toEqual({ filter: { session: "work" } });
  });

  test("a topic that one may see nothing of is refused, naming what it needs", () => {
    expect(() => assertTopics(caller("own", "read"), ["console", "security"])).toThrow(
      expect.objectContaining({ kind: "forbidden", message: expect.stringContaining('"control"') }),
    );
    assertTopics(caller("own", "read"), ["console"]);
    assertTopics(root, ["security", "daemon"]);
  });

  test("a stream keeps back what history does", async () => {
    const hub = new EventHub();
    const frames: string[] = [];
    const reader = { bufferedBytes: 0, sendEvent: (frame: string) => void frames.push(frame), onceTaken: () => {} };
    const canSee = visibilityOf(caller("own", "read"), (_, tab) => tab === "t1");
    hub.publish("page", { n: 1 }, { tab: "t2" });
    const { subscription } = hub.subscribe(reader, { topics: ["page"], since: 0 }, { canSee });
    hub.start(subscription);
    hub.publish("page", { n: 2 }, { tab: "t2" });
    hub.publish("page", { n: 3 }, { tab: "t1" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(frames.map((frame) => JSON.parse(frame).params.data.n)).toEqual([3]);
  });
});
