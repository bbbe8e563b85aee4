/** Ways to what others do: their tabs, sessions, events, records. */
import type { KnownCommand } from "../../registry.ts";
import type { Attempt, Way } from "../attempt.ts";
import { WORK_SESSION } from "../household.ts";

const TOPICS = ["console", "network", "page", "activity", "dialog", "download", "daemon", "security"];
const LIKELY_NAMES = ["work", "login", "shop", "test"];
/** These end or replace what all cases are played on. */
const ENDS_THE_GAME = new Set(["stop", "restart", "start", "setup", "unpair"]);

export function otherWays(commands: readonly KnownCommand[]): Way[] {
  const played = commands.filter(({ name }) => !ENDS_THE_GAME.has(name));
  return [...played.flatMap(onTheirTabs), ...eventWays(), ...squattingWays(), ...recordWays(), ...doorWays()];
}

/** Each command as its examples have it, on what is not the agent's. */
function onTheirTabs({ name, examples }: KnownCommand): Way[] {
  return examples.slice(0, 2).flatMap((example): Way[] => [
    { kind: "on a tab", name: `${example.join(" ")} in the owner's tab`, run: (attempt) => onEach(attempt, example) },
    {
      kind: "in a session",
      name: `${example.join(" ")} in the owner's session`,
      run: (attempt) => attempt.line(...example, "--session", WORK_SESSION),
    },
    {
      kind: "by name",
      name: `${name} by name in the owner's tab`,
      run: async (attempt) => {
        for (const tab of attempt.household.tabs) await attempt.call(name, { tab, id: tab, session: WORK_SESSION });
      },
    },
  ]);
}

async function onEach(attempt: Attempt, example: readonly string[]): Promise<void> {
  for (const tab of attempt.household.tabs) await attempt.line(...example, "--tab", tab);
}

function eventWays(): Way[] {
  const filters = [{}, { tab: "t1" }, { session: WORK_SESSION }, { session: "default" }];
  return filters.flatMap((filter): Way[] => [
    ...TOPICS.map((topic) => ({
      kind: "events",
      name: `events of ${topic} with ${JSON.stringify(filter)}`,
      run: async (attempt: Attempt) => {
        await attempt.call("events.subscribe", { topics: [topic], filter, since: 0 });
        await attempt.household.work();
        await attempt.call("events.history", { topics: [topic], filter, since: 0, limit: 1_000 });
      },
    })),
    {
      kind: "all events",
      name: `all events by the command line with ${JSON.stringify(filter)}`,
      run: (attempt) => attempt.line("events", ...TOPICS, "--history", "--since", "0", "--for", "300ms"),
    },
  ]);
}

/** A session that waits for the owner to come into it. */
function squattingWays(): Way[] {
  return LIKELY_NAMES.flatMap((name): Way[] => [
    {
      kind: "session made first",
      name: `owner comes into "${name}"`,
      run: async (attempt) => {
        await attempt.call("newtab", { session: name, url: attempt.household.attacker.url });
        await attempt.household.workIn(name);
        const { result } = await attempt.call("tabs", { session: name });
        for (const { id } of (result?.tabs ?? []) as { id: string }[]) await attempt.look(id);
        await attempt.call("cookies", { session: name });
        await attempt.call("storage", { session: name });
      },
    },
    {
      kind: "trace of a session made first",
      name: `owner is traced in "${name}"`,
      run: async (attempt) => {
        await attempt.call("newtab", { session: name, url: attempt.household.attacker.url });
        await attempt.call("trace.start", { session: name });
        await attempt.household.workIn(name);
        await attempt.call("trace.stop", { session: name, path: ".browse/artifacts/squat.zip" });
      },
    },
  ]);
}

function recordWays(): Way[] {
  const lines = [
    ["journal"],
    ["journal", "--last", "1000"],
    ["status"],
    ["sessions"],
    ["tabs"],
    ["agents"],
    ["security", "log"],
    ["state", "list"],
    ["cookies"],
    ["memory"],
    ["console"],
    ["network"],
    ["dialog"],
    ["cdp", "Network.getAllCookies"],
    ["cdp", "Storage.getCookies"],
    ["cdp", "Target.getTargets"],
    ["wait", "--fn", "fetch('/got?' + document.cookie)"],
    ["js", "JSON.stringify(localStorage) + document.cookie"],
  ];
  const recorded = lines.flatMap((line): Way[] => [
    {
      kind: line.join(" "),
      name: `${line.join(" ")} of everybody`,
      run: async (attempt) => {
        await attempt.household.work();
        await attempt.line(...line, "--json");
      },
    },
    {
      kind: line.join(" "),
      name: `${line.join(" ")} on the owner's site`,
      run: (attempt) => attempt.visit(`${attempt.household.vault.url}/`, () => attempt.line(...line)),
    },
  ]);
  const traced: Way = {
    kind: "trace",
    name: "trace of the session while the owner works",
    run: async (attempt) => {
      await attempt.open(attempt.household.attacker.url);
      await attempt.line("trace", "start");
      await attempt.household.work();
      await attempt.line("trace", "stop", ".browse/artifacts/own.zip");
    },
  };
  return [...recorded, traced];
}

/** What the doors themselves let through. */
function doorWays(): Way[] {
  const methods = ["session.hello", "rpc.discover", "daemon.handover", "cli.exec", "call.cancel", "events.history"];
  return [
    ...methods.map(
      (method): Way => ({
        kind: "methods",
        name: `${method} with odd params`,
        run: async (attempt) => {
          const { workspace, tabs } = attempt.household;
          const odd = {
            session: WORK_SESSION,
            tab: tabs[0],
            cwd: workspace.project.stateDir,
            argv: ["tabs"],
            version: "0.0.0",
            topics: TOPICS,
            since: 0,
            id: 1,
          };
          await attempt.agent.batch([[method, odd], [method], ["tabs", { session: WORK_SESSION }]]);
        },
      }),
    ),
    {
      kind: "root token",
      name: "the root token at the tunnel",
      door: "local",
      run: (attempt) => atTheTunnel(attempt, attempt.household.rootToken),
    },
    {
      kind: "token at the tunnel",
      name: "a token that was paired without the tunnel at the tunnel",
      door: "local",
      run: async (attempt) => {
        await attempt.call("newtab", { url: attempt.household.attacker.url });
        await atTheTunnel(attempt, attempt.agent.token);
      },
    },
    {
      kind: "guessed tokens",
      name: "a token of another agent's shape",
      run: async (attempt) => {
        const { port = 0 } = attempt.household.workspace.daemon() ?? {};
        for (const token of ["root", "", `${attempt.agent.token}x`, attempt.agent.token.slice(1)]) {
          const response = await fetch(`http://127.0.0.1:${port}/rpc`, {
            method: "POST",
            headers: { authorization: `Bearer ${token}` },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tabs" }),
          });
          attempt.agent.note(await response.text());
        }
      },
    },
  ];
}

async function atTheTunnel(attempt: Attempt, token: string): Promise<void> {
  const { url } = await attempt.household.owner.call("tunnel.status", {});
  const response = await fetch(`${url}/rpc`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tabs" }),
  });
  const text = await response.text();
  if (!text.includes('"result"')) return;
  attempt.broken.push({ promise: "the tunnel takes only tokens that were given for it", seen: text.slice(0, 200) });
}
