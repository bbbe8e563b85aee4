import { describe, expect, it } from "vitest";
import { Project } from "../../harness/project.ts";

describe("setup", () => {
  it("says where the Chromium is, and installs none when there is one", async () => {
    await using project = new Project();
    expect(await project.json("setup")).toMatchObject({ path: expect.stringMatching(/chrom|edge/i), installed: false });
    expect(await project.run("setup")).toMatch(/^Found .*\nNext: browse goto/);
  });

  it("installs none in the place of one that was asked for by name", async () => {
    await using project = new Project({ BROWSE_CHROMIUM: "/nowhere/chromium" });
    expect(await project.refusal("setup")).toMatchObject({
      kind: "no_browser",
      hint: expect.stringContaining("unset"),
    });
  });
});
