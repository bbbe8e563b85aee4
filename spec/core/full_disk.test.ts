/** A state folder on a disk without room, where the browser keeps what it is about to hand over. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { untilEnded } from "../harness/is_running.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

const isRoot = process.getuid?.() === 0 && process.platform === "linux";

/** All that is free there. */
function fill(path: string): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  try {
    writeFileSync(path, Buffer.alloc(bavail * bsize));
  } catch (error) {
    // The daemon has written something meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

test.skipIf(!isRoot)("is named as the reason, and a restart there is not told as a death", async () => {
  await using site = await Site.serve({ "/": "<!doctype html><title>Here</title><h1>Here</h1>" });
  await using project = new Project({}, { ownProcesses: true });
  mkdirSync(project.stateDir, { mode: 0o700 });
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=40m,mode=700", "tmpfs", project.stateDir]);
  try {
    await project.run("goto", site.url);
    const filler = join(project.stateDir, "filler");
    fill(filler);
    const isFull = { kind: "too_large", message: expect.stringContaining("the disk is full") };
    expect(await project.refusal("pdf", "page.pdf")).toMatchObject(isFull);
    expect(await project.refusal("download", site.url, "page.html")).toMatchObject(isFull);
    await project.run("trace", "start");
    await project.run("reload");
    // The driver has thrown away what it could not write: the first answer says so, and the next trace begins anew.
    expect(await project.refusal("trace", "stop", "trace.zip")).toMatchObject({
      kind: "too_large",
      message: expect.stringContaining("The trace is lost: the disk was full"),
      hint: expect.stringMatching(/^Free some space on the disk that \.browse is on/),
    });
    expect(await project.refusal("trace", "stop", "trace.zip")).toMatchObject({ kind: "not_found" });
    rmSync(filler);
    await project.run("trace", "start");
    await project.run("reload");
    expect(await project.run("trace", "stop", "trace.zip")).toContain("Wrote");
    fill(filler);
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
