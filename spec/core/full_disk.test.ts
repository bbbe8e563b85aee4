/** A state folder on a disk without room, where the browser keeps what it is about to hand over. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { untilEnded } from "../harness/is_running.ts";
import { Project } from "../harness/project.ts";
import { type Page, Site } from "../harness/site.ts";

const FILE_BYTES = 8_000_000;
const ROOM_BYTES = 2_000_000;

const isRoot = process.getuid?.() === 0 && process.platform === "linux";

const isFull = { kind: "too_large", message: expect.stringContaining("the disk is full") };

/** Why those failed that a click on the link has begun. */
async function downloadsOf(project: Project, link: string): Promise<unknown[]> {
  const { effect } = (await project.json("click", `text=${link}`)) as { effect: { downloads: { failure: string }[] } };
  return effect.downloads.map(({ failure }) => failure);
}

/** All that is free there but so many bytes. */
function fill(path: string, leftBytes = 0): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  try {
    writeFileSync(path, Buffer.alloc(bavail * bsize - leftBytes));
  } catch (error) {
    // The daemon has written something meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

/** When the last of the browser's processes lets go of it, which end by themselves after it. */
function unmount(folder: string): void {
  execFileSync("umount", ["--lazy", folder]);
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
    unmount(project.stateDir);
  }
});

test.skipIf(!isRoot)("is named as the reason of a download for which it has too little room", async () => {
  const file =
    (bytes: number, headers: Record<string, unknown> = {}): Page =>
    (_request, response) => {
      response.writeHead(200, { "content-disposition": "attachment; filename=large.bin", ...headers });
      response.end(Buffer.alloc(bytes));
    };
  await using site = await Site.serve({
    "/": `<!doctype html><title>Here</title><a href="/known">Known</a> <a href="/unknown">Unknown</a> <a href="/once">Once</a>`,
    "/known": file(FILE_BYTES, { "content-length": FILE_BYTES }),
    "/unknown": file(FILE_BYTES),
    // There is room for it once, and it is copied.
    "/once": file(ROOM_BYTES * 0.75),
    "/broken": (_request, response) => {
      response.writeHead(200, { "content-disposition": "attachment; filename=a.bin", "content-length": 9_999 });
      response.write("a", () => response.destroy());
    },
  });
  await using project = new Project();
  mkdirSync(project.stateDir, { mode: 0o700 });
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=40m,mode=700", "tmpfs", project.stateDir]);
  try {
    await project.run("goto", site.url);
    fill(join(project.stateDir, "filler"), ROOM_BYTES);
    const tooLarge = expect.stringMatching(
      /^Cannot download: the file has 8000000 bytes, and the disk .* has room for \d+$/,
    );
    expect(await project.refusal("download", `${site.url}/known`, "a.bin")).toMatchObject({
      kind: "too_large",
      message: tooLarge,
    });
    expect(await project.refusal("download", `${site.url}/unknown`, "a.bin")).toMatchObject(isFull);
    expect(await downloadsOf(project, "Known")).toEqual([tooLarge]);
    expect(await downloadsOf(project, "Unknown")).toEqual([expect.stringContaining("the disk is full")]);
    expect(await downloadsOf(project, "Once")).toEqual(["Cannot keep the file: the disk is full"]);
    // There would have been room for it.
    expect(await project.refusal("download", `${site.url}/broken`, "a.bin")).toMatchObject({
      kind: "navigation_failed",
    });
  } finally {
    const pid = project.daemon()?.pid;
    await project.run("stop");
    await untilEnded(pid === undefined ? [] : [pid]);
    unmount(project.stateDir);
  }
});
