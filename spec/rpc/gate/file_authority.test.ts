/** Which files a token of each kind may have a command read, make, and write anew. */
import { existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allCommands } from "../../../commands/command.ts";
import "../../../commands/mod.ts";
import { MadeFiles } from "../../../security/files/made_files.ts";
import { artifactsOf } from "../../../security/tokens/artifacts.ts";
import type { Token } from "../../../security/tokens/token.ts";
import { artifacts, dir, gateFor, holders, makeFolders, outcome, removeFolders, temporary } from "./holders.ts";
import type { Case, Place } from "./specified_authority.ts";

const OWN_TAB: Place = { where: "its own tab", tab: "t1" };

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

beforeAll(() => {
  makeFolders();
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
});
afterAll(removeFolders);

/** The files of the table count as made by the holder's own calls, but for one. */
function madeBy(token: Token): MadeFiles {
  const made = new MadeFiles({ ownFolders: [dir, temporary] });
  const start = token.kind === "root" ? dir : artifactsOf(artifacts, token);
  for (const path of FILES.map((cell) => resolve(start, cell.path(token)))) {
    if (existsSync(path) && !path.includes("theirs")) made.add(path, token.id);
  }
  return made;
}

describe.each(FILES)("$what", ({ path, reads, writes }) => {
  const may = (token: Token, who: FileCell["reads"] | FileCell["writes"]) =>
    who === "everyone" ||
    (token.kind === "root" && who !== "nobody") ||
    (who === "who was lent it" && (token.fileRoots ?? []).length > 0);

  it.each(Object.entries(holders))("%s", (_kind, token) => {
    const of = (name: string, params: Record<string, unknown>) => {
      const command = allCommands().find((candidate) => candidate.name === name)!;
      const one: Case = { command, params, example: "", scope: "write" };
      return outcome(gateFor(token, madeBy(token)), one, token, "local", OWN_TAB);
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
      return outcome(gateFor(token, madeBy(token)), one, token, index === 0 ? "local" : "tunnel", OWN_TAB);
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
