/** `browse setup --native`, by the real daemon, in folders of a test's own. */
import { existsSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isNativeBuilt, NATIVE_CLIENT } from "../../harness/client.ts";
import { Project } from "../../harness/project.ts";

const NODE_CLIENT = join(import.meta.dirname, "../../../dist/browse.mjs");

/** A project whose daemon has this home, and its `bin` on the PATH. */
function projectWith(): { project: Project; bin: string; own: string } {
  const env: Record<string, string> = {};
  const project = new Project(env, { ownProcesses: true });
  const home = join(project.dir, "user");
  const bin = join(project.dir, "bin");
  mkdirSync(home);
  mkdirSync(bin);
  Object.assign(env, { HOME: home, PATH: `${bin}:${process.env.PATH}` });
  return { project, bin, own: join(home, ".local/bin/browse") };
}

describe.skipIf(!isNativeBuilt)("setup --native", () => {
  it("points the link that leads to the Node client at the native one, and says where", async () => {
    const { project, bin, own } = projectWith();
    await using _ = project;
    symlinkSync(NODE_CLIENT, join(bin, "browse"));
    expect(await project.run("setup", "--native")).toContain(`Linked ${join(bin, "browse")} to ${NATIVE_CLIENT}`);
    expect(readlinkSync(join(bin, "browse"))).toBe(NATIVE_CLIENT);
    expect(existsSync(own)).toBe(false);
    // And again, where it is so already.
    expect((await project.json("setup", "--native")).native).toEqual({
      program: NATIVE_CLIENT,
      links: [join(bin, "browse")],
      isOnPath: true,
    });
  });

  it("makes a link in ~/.local/bin where there is none, and leaves other programs of that name alone", async () => {
    const { project, bin, own } = projectWith();
    await using _ = project;
    writeFileSync(join(bin, "browse"), "another");
    expect(await project.run("setup", "--native")).toContain("Add ~/.local/bin to your PATH");
    expect(readlinkSync(own)).toBe(NATIVE_CLIENT);
    expect(readFileSync(join(bin, "browse"), "utf8")).toBe("another");
  });

  it("does not replace what is in ~/.local/bin", async () => {
    const { project, own } = projectWith();
    await using _ = project;
    mkdirSync(join(own, ".."), { recursive: true });
    symlinkSync("/bin/true", own);
    expect(await project.refusal("setup", "--native")).toMatchObject({
      kind: "unsupported",
      hint: expect.stringContaining("ln -sf"),
    });
    expect(readlinkSync(own)).toBe("/bin/true");
  });
});
