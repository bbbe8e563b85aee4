/** A Chromium that does not come up: why is said where it is known, and written down where it is not said. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Project } from "../harness/project.ts";

/** A project whose Chromium is this shell script. */
function projectWith(script: string, env: Record<string, string> = {}): Project {
  const project: Project = new Project({ BROWSE_CHROMIUM: "", ...env });
  const path = join(project.dir, "chromium");
  writeFileSync(path, `#!/bin/sh\ncd "${project.dir}"\n${script}\n`);
  chmodSync(path, 0o755);
  return project;
}

async function refusal(project: Project, ...argv: string[]): Promise<{ kind: string; message: string; hint: string }> {
  const env = { BROWSE_CHROMIUM: join(project.dir, "chromium") };
  const { stderr } = await project.cli([...argv, "--json"], { env });
  return (JSON.parse(stderr.trim().split("\n").at(-1) ?? "") as { error: Awaited<ReturnType<typeof refusal>> }).error;
}

test("that lacks a library names what it lacks, in the log", async () => {
  await using project = projectWith('echo "error while loading shared libraries: libwanted.so.3" >&2; exit 127');
  expect(await refusal(project, "goto", "about:blank")).toMatchObject({
    kind: "no_browser",
    message: `Chromium at "${project.dir}/chromium" did not start: a library that it needs is not installed`,
    hint: expect.stringContaining("daemon.log"),
  });
  expect(readFileSync(join(project.stateDir, "daemon.log"), "utf8")).toContain("libwanted.so.3");
});

test("that ends without a word is not said to have left one", async () => {
  await using project = projectWith("exit 3");
  const { kind, message, hint } = await refusal(project, "goto", "about:blank");
  expect({ kind, hint }).toEqual({ kind: "no_browser", hint: "Run `browse doctor`" });
  expect(message).toContain("did not start");
});

test("that hangs is what a call has waited for", async () => {
  await using project = projectWith("while [ ! -e go ]; do sleep 0.05; done; exit 1");
  expect(await refusal(project, "goto", "about:blank", "--timeout", "1000")).toMatchObject({
    kind: "timeout",
    message: "Waited 1000 ms for Chromium: it has not come up yet",
    hint: expect.stringContaining("browse doctor"),
  });
  writeFileSync(join(project.dir, "go"), "");
});

test("for want of a temporary folder names the folder, as the doctor does", async () => {
  await using project = projectWith("exit 1", { TMPDIR: "/nowhere/at/all" });
  const message = 'Cannot use the temporary folder "/nowhere/at/all": it does not exist';
  expect(await refusal(project, "goto", "about:blank")).toMatchObject({
    kind: "no_browser",
    message,
    hint: expect.stringContaining("TMPDIR"),
  });
  expect((await project.cli(["doctor"])).stdout).toContain(`FAIL temporary folder: ${message}`);
});

test.skipIf(process.platform !== "linux").for([100, 24])(
  "for want of files that it may open names the limit: %i",
  async (limit) => {
    await using project = new Project({}, { ownProcesses: true, openFiles: limit });
    expect(await project.refusal("goto", "about:blank")).toMatchObject({
      kind: "no_browser",
      message: expect.stringMatching(
        `^Chromium cannot be started: (a process may have ${limit}|the daemon has too many) open files`,
      ),
      hint: expect.stringContaining("ulimit -n 4096"),
    });
  },
);
