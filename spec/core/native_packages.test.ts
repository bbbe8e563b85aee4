/** What `bin/build_native.ts --package` writes for npm, installed as npm would, without a network. */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isNativeBuilt } from "../harness/client.ts";
import { linkDependencies } from "../harness/installed.ts";
import { Project } from "../harness/project.ts";

const BUILD = join(import.meta.dirname, "../../bin/build_native.ts");
const NATIVE = `@browse/${process.platform}-${process.arch}`;

describe.skipIf(!isNativeBuilt)("The packages for npm", { timeout: 60_000 }, () => {
  let folder: string;
  const manifest = (name: string) => JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8"));
  /** The client, in a folder of its own. */
  const install = (...names: string[]): string => {
    const modules = join(mkdtempSync(join(folder, "user-")), "node_modules");
    for (const name of names) cpSync(join(folder, name), join(modules, name), { recursive: true });
    linkDependencies(join(modules, ".."));
    mkdirSync(join(modules, ".bin"));
    symlinkSync("../browse/dist/browse.mjs", join(modules, ".bin/browse"));
    return join(modules, "browse/dist/browse.mjs");
  };
  const setUp = async (client: string, argv: string[]) => {
    await using project = new Project(
      { PATH: `${join(client, "../../../.bin")}:${process.env.PATH}`, HOME: folder },
      { ownProcesses: true, client },
    );
    return await project.cli(["setup", ...argv]);
  };

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "browse-packages-")));
    execFileSync(process.execPath, [BUILD, "--package", folder], { stdio: ["ignore", "ignore", "inherit"] });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("are one for this platform, which npm leaves out elsewhere, and the main one, which asks for it", () => {
    const { version } = manifest("browse");
    expect(manifest(NATIVE)).toMatchObject({ name: NATIVE, version, os: [process.platform], cpu: [process.arch] });
    expect(manifest("browse").optionalDependencies).toMatchObject({ [NATIVE]: version });
    expect(statSync(join(folder, NATIVE, "bin/browse")).mode & 0o777).toBe(0o755);
  });

  it("lead to the native client, once setup has linked it", async () => {
    const client = install("browse", NATIVE);
    const link = join(client, "../../../.bin/browse");
    const program = join(client, "../native/browse");
    expect(await setUp(client, ["--native"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`${link} to ${program}`),
    });
    expect(readlinkSync(link)).toBe(program);
    // It hands this over to the Node client that it is installed beside.
    expect(execFileSync(link, ["version"], { encoding: "utf8" })).toContain(manifest("browse").version);
  });

  it("work with Node where the platform's is not there", async () => {
    const client = install("browse");
    expect(await setUp(client, [])).toMatchObject({ exitCode: 0 });
    expect(await setUp(client, ["--native"])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(NATIVE) });
  });
});
