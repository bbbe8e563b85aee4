import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeArtifacts, prepareArtifacts } from "../../../security/tokens/artifacts.ts";

test("links in the place of agents' folders give way when a daemon begins, and when a file is to be kept", async () => {
  const folder = mkdtempSync(join(tmpdir(), "browse-artifacts-"));
  try {
    mkdirSync(join(folder, "elsewhere"));
    mkdirSync(join(folder, "artifacts", "bob"), { recursive: true });
    symlinkSync(join(folder, "elsewhere"), join(folder, "artifacts", "ann"));
    prepareArtifacts(folder);
    expect(readdirSync(join(folder, "artifacts"))).toEqual(["bob"]);
    expect(existsSync(join(folder, "elsewhere"))).toBe(true);
    symlinkSync(join(folder, "elsewhere"), join(folder, "artifacts", "ann"));
    const own = await makeArtifacts(join(folder, "artifacts"), { kind: "client", name: "ann", id: "1" });
    expect(lstatSync(own).isDirectory()).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
