import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { findProgram, type ProgramWanted } from "../../bench/peers/program.ts";

const VARIABLE = "BENCH_SOME_PEER";
const NATIVE: ProgramWanted = { name: "some peer", variable: VARIABLE, isNative: true };
const SCRIPTED: ProgramWanted = { ...NATIVE, isNative: false };

const folder = mkdtempSync(join(tmpdir(), "browse-peers-"));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function script(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

function find(command: string, wanted: ProgramWanted) {
  vi.stubEnv(VARIABLE, command);
  return findProgram(wanted);
}

test("a compiled program is taken for a peer that is one", () => {
  expect(find("cat", NATIVE)).toEqual({ prefix: ["cat"], isNative: true });
});

test("what starts a peer's native program by a script is refused", () => {
  const wrapper = script("wrapper.js", '#!/usr/bin/env node\nrequire("node:child_process").spawn("peer");\n');
  for (const command of [wrapper, `node ${wrapper}`, `${process.execPath} ${wrapper}`, "npx peer", "env peer"]) {
    expect(() => find(command, NATIVE), command).toThrow("is a wrapper script");
  }
});

test("a shell script is refused for every peer, and JavaScript taken for those that are JavaScript", () => {
  const shell = script("peer.sh", "#!/bin/sh\nsleep 0.1\nexec peer\n");
  const javascript = script("peer.js", "#!/usr/bin/env node\nconsole.log(1);\n");
  for (const wanted of [NATIVE, SCRIPTED]) expect(() => find(shell, wanted)).toThrow("is a wrapper script");
  expect(() => find(`sh ${javascript}`, SCRIPTED)).toThrow("is a wrapper script");
  expect(find(javascript, SCRIPTED)).toEqual({ prefix: [javascript], isNative: false });
});

test("a peer that is neither named nor installed is left out", () => {
  expect(find("", NATIVE)).toBeUndefined();
});
