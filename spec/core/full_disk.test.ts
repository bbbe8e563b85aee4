/** A state folder on a disk without room, where the browser keeps what it is about to hand over. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { untilEnded } from "../harness/is_running.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

const isRoot = process.getuid?.() === 0 && process.platform === "linux";

test.skipIf(!isRoot)("is named as the reason, and a restart there is not told as a death", async () => {
  await using site = await Site.serve({ "/": "<!doctype html><title>Here</title><h1>Here</h1>" });
  await using project = new Project({}, { ownProcesses: true });
  mkdirSync(project.stateDir, { mode: 0o700 });
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=40m,mode=700", "tmpfs", project.stateDir]);
  try {
    await project.run("goto", site.url);
    const filler = join(project.stateDir, "filler");
    const { bavail, bsize } = statfsSync(project.stateDir);
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
    const isFull = { kind: "too_large", message: expect.stringContaining("the disk is full") };
    expect(await project.refusal("pdf", "page.pdf")).toMatchObject(isFull);
    expect(await project.refusal("download", site.url, "page.html")).toMatchObject(isFull);
    await project.run("trace", "start");
    await project.run("reload");
    expect(await project.refusal("trace", "stop", "trace.zip")).toMatchObject(isFull);
    await project.run("restart");
    const { stderr } = await project.cli(["title"]);
    expect(stderr).toContain("The browser had been closed: its tabs are loaded again");
    rmSync(filler);
  } finally {
    const pid = project.daemon()?.pid;
    await project.run("stop");
    // It answers before it ends, and has files there until then.
    await untilEnded(pid === undefined ? [] : [pid]);
    execFileSync("umount", [project.stateDir]);
  }
});
