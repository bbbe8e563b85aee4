/** The user's policy and the project's: read, watched, and refusing everything while one cannot be used. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PolicyFiles } from "../../../security/policy/policy_files.ts";
import { type Decision, decide, type Judged, type Rule, strictest } from "../../../security/policy/rules.ts";

const COMMANDS: Record<string, string> = { js: "js", "eval-js": "js", goto: "goto", click: "click" };
const CLICK: Judged = { command: "click", sameAs: [], scope: "write", effect: "page", urls: ["https://shop.example/"] };
const JS: Judged = { command: "js", sameAs: [], scope: "admin", effect: "code", urls: ["https://shop.example/"] };

let dir: string;
let files: PolicyFiles | undefined;
let changed: PromiseWithResolvers<string | undefined>;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "browse-policy-")));
  mkdirSync(join(dir, "home"));
  mkdirSync(join(dir, "project"));
  changed = Promise.withResolvers();
});

afterEach(async () => {
  await files?.close();
  files = undefined;
  rmSync(dir, { recursive: true, force: true });
});

function open(project = "project"): PolicyFiles {
  files = new PolicyFiles({
    home: join(dir, "home"),
    stateDir: join(dir, project),
    vocabulary: { commandsNamed: (name) => [COMMANDS[name] ?? []].flat(), effects: ["none", "page", "code"] },
    onChange: (_path, problem) => changed.resolve(problem?.message),
    onError: (error) => changed.reject(error),
  });
  return files;
}

it("is one file, the user's own, for who works in the home folder", () => {
  write("home", { tunnel: { consent: true, provider: "none" } });
  expect(problem(open("home"))).toBe("");
});

function write(where: "home" | "project", content: unknown): void {
  writeFileSync(join(dir, where, "config.json"), typeof content === "string" ? content : JSON.stringify(content));
}

function problem(policy: PolicyFiles): string {
  try {
    policy.decide(CLICK);
    return "";
  } catch (error) {
    return (error as Error).message.replace(/^Cannot use "[^"]+": /, "");
  }
}

describe("two files", () => {
  it("allow everything when there are none", () => {
    expect(open().decide(JS)).toBe("allow");
  });

  it("are held together so that the project's can only be stricter", () => {
    write("home", { policy: [{ do: "deny", scope: "admin" }] });
    write("project", {
      policy: [
        { do: "allow", scope: "admin" },
        { do: "confirm", command: "click" },
      ],
    });
    const policy = open();
    expect([policy.decide(JS), policy.decide(CLICK)]).toEqual(["deny", "confirm"]);
  });

  it("know a command by its alias", () => {
    write("home", { policy: [{ do: "deny", command: ["goto", "eval-js"] }] });
    expect(open().decide(JS)).toBe("deny");
  });

  it("may have the tunnel's settings in the user's and in no other", () => {
    const tunnel = { consent: true, provider: "none" };
    write("home", { tunnel });
    expect(open().decide(CLICK)).toBe("allow");
    write("project", { tunnel });
    expect(problem(open())).toMatch(/^line 1, column 2: tunnel: /);
  });
});

describe("a file that cannot be used refuses everything, and says where it is wrong", () => {
  it.each<[string, string]>([
    ["", "line 1, column 1: value expected"],
    ["{", "line 1, column 2: close brace expected"],
    ['{"policy": [\n  {"do": "deny",}\n]}', "line 2, column 17: property name expected"],
    ['{"policy": [\n  // all\n]}', "line 2, column 3: invalid comment token"],
    ['{"policy": [\n  {"do": "deny"},\n  {"do": "denied"}\n]}', "line 3, column 4: policy.1.do: Invalid type"],
    ['{"policy": [\n  {"command": "js"}\n]}', "line 2, column 3: policy.0.do: "],
    ['{"policy": [\n  {"do": "deny", "comand": "js"}\n]}', "line 2, column 18: policy.0.comand: "],
    ['{"policy": [{"do": "deny",\n  "command": "evil"}]}', 'policy.0.command: there is no command "evil"'],
    ['{"policy": [{"do": "deny", "command": ["js", "evil"]}]}', 'policy.0.command.1: there is no command "evil"'],
    ['{"policy": [{"do": "deny", "scope": "all"}]}', "line 1, column 28: policy.0.scope: "],
    ['{"policy": [{"do": "deny", "scope": []}]}', "line 1, column 28: policy.0.scope: "],
    ['{"policy": [{"do": "deny", "host": "https://a.b/"}]}', "line 1, column 28: policy.0.host: "],
    ['{"polices": []}', "line 1, column 2: polices: "],
    ["[]", "line 1, column 1: "],
  ])("%j", (text, said) => {
    write("project", text);
    expect(problem(open())).toContain(said);
  });
});

it.each<[string, string, (path: string) => void]>([
  ["is a link", "it is a link", (path) => [renameSync(path, `${path}.moved`), symlinkSync(`${path}.moved`, path)]],
  ["others may write to", "others may write to it", (path) => chmodSync(path, 0o666)],
])("a file that %s is not believed, and refuses everything", (_what, reason, harm) => {
  write("project", { policy: [] });
  harm(join(dir, "project/config.json"));
  expect(problem(open())).toBe(reason);
});

it("takes up changes while it runs: a file that comes, breaks, is mended and goes", async () => {
  const policy = open();
  await policy.watch();
  const after = async (change: () => void): Promise<string | undefined> => {
    changed = Promise.withResolvers();
    change();
    return await changed.promise;
  };
  expect(await after(() => write("home", { policy: [{ do: "deny", effect: "code" }] }))).toBeUndefined();
  expect(policy.decide(JS)).toBe("deny");
  expect(await after(() => write("home", '{"policy": ['))).toContain("line 1, column 13");
  expect(() => policy.decide(CLICK)).toThrow("line 1, column 13");
  expect(await after(() => write("home", { policy: [{ do: "confirm", effect: "code" }] }))).toBeUndefined();
  expect(policy.decide(JS)).toBe("confirm");
  await after(() => rmSync(join(dir, "home", "config.json")));
  expect(policy.decide(JS)).toBe("allow");
});

it("is never loosened by a second policy, whatever that says", () => {
  const decision = fc.constantFrom<Decision>("allow", "confirm", "deny");
  const rule: fc.Arbitrary<Rule> = fc.record(
    {
      do: decision,
      command: fc.subarray(["js", "click"], { minLength: 1 }),
      scope: fc.subarray(["write", "admin"], { minLength: 1 }),
      host: fc.subarray(["shop.example", "other.example"], { minLength: 1 }),
    },
    { requiredKeys: ["do"] },
  );
  const order = ["allow", "confirm", "deny"];
  fc.assert(
    fc.property(fc.array(rule), fc.array(rule), fc.constantFrom(CLICK, JS), (user, project, call) => {
      const both = strictest([decide(user, call), decide(project, call)]);
      expect(order.indexOf(both)).toBeGreaterThanOrEqual(order.indexOf(decide(user, call)));
    }),
  );
});
