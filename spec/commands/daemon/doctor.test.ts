import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeBrowserRecord } from "../../../security/process/browser_record.ts";
import { identityOf } from "../../../security/process/process_identity.ts";
import { Project } from "../../harness/project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/": "<!doctype html><title>Here</title>" });
  project = new Project();
  await project.run("goto", site.url);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("doctor", () => {
  it("finds nothing wrong here", async () => {
    const { checks, ok } = (await project.json("doctor")) as { checks: { check: string; ok: boolean }[]; ok: boolean };
    expect(checks.map(({ check }) => check)).toEqual(
      expect.arrayContaining([
        "runtime",
        "browser",
        "sandbox",
        "state folder",
        "disk",
        "ports",
        "orphan processes",
        "content classifier",
      ]),
    );
    expect(checks.filter((line) => !line.ok)).toEqual([]);
    expect(ok).toBe(true);
    expect(await project.run("doctor")).toMatch(/^ok {3}runtime: Node \d+/);
  });

  it("tells where the daemon listens", async () => {
    expect(await project.run("doctor")).toContain(
      `ok   ports: the daemon listens on 127.0.0.1:${project.daemon()!.port}`,
    );
  });

  it("finds the browser of a daemon that is gone, and ends it with --fix", async () => {
    await using other = new Project();
    await other.run("status");
    const orphan = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"], { detached: true, stdio: "ignore" });
    using _ = { [Symbol.dispose]: () => void orphan.kill("SIGKILL") };
    const ended = once(orphan, "exit");
    const gone = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"], { stdio: "ignore" });
    const owner = identityOf(gone.pid!)!;
    gone.kill("SIGKILL");
    await once(gone, "exit");
    await writeBrowserRecord(other.stateDir, {
      owner,
      browsers: [{ identity: identityOf(orphan.pid!)!, folders: [] }],
    });
    const found = await other.cli(["doctor"]);
    expect(found).toMatchObject({ exitCode: 1 });
    expect(found.stdout).toContain(
      `FAIL orphan processes: Chromium ${orphan.pid}\n     fix: Run \`browse doctor --fix\``,
    );
    expect(await other.run("doctor", "--fix")).toContain("ok   orphan processes: ended 1");
    expect((await ended)[1]).toBe("SIGKILL");
    expect(await other.run("doctor")).toContain("ok   orphan processes: none");
  });

  it("takes no keychain for no failure, and says what to set in its place", async () => {
    // No keychain can be reached there.
    await using without = new Project({ DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" });
    const { stdout, exitCode } = await without.cli(["doctor"]);
    if (process.platform === "linux") {
      expect(stdout).toMatch(/^note keychain: the system's cannot be used.*\n {5}to change it: Set BROWSE_STATE_KEY/m);
    }
    expect(exitCode).toBe(0);
    await without.run("stop");
    const given = await without.cli(["doctor"], { env: { BROWSE_STATE_KEY: "a key for tests" } });
    expect(given.stdout).toContain("ok   keychain: not needed: BROWSE_STATE_KEY is set\n");
  });

  it("names the fix of what is wrong, and ends with an error code", async () => {
    await using other = new Project({ BROWSE_CHROMIUM: "/nowhere/chromium" });
    await other.run("status");
    chmodSync(other.stateDir, 0o755);
    const { exitCode, stdout } = await other.cli(["doctor"]);
    expect(stdout).toContain("FAIL browser:");
    expect(stdout).toContain(`fix: chmod 700 "${other.stateDir}"`);
    expect(exitCode).toBe(1);
  });

  it("is right about a browser that is not there: other commands say how to get one", async () => {
    await using other = new Project({ BROWSE_CHROMIUM: "/nowhere/chromium" });
    const refusal = await other.refusal("goto", site.url);
    expect(refusal).toMatchObject({ kind: "no_browser", exitCode: 1 });
    expect(refusal.message).toContain("/nowhere/chromium");
  });
});
