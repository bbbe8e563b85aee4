import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/": `<!doctype html><title>Buttons</title>${"<button>On</button>".repeat(3)}` });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.run("goto", site.url);
});

describe("eval", () => {
  it("runs a file of the caller's folder", async () => {
    writeFileSync(
      join(project.dir, "buttons.js"),
      "// await in a comment\ndocument.querySelectorAll('button').length\n",
    );
    expect(await project.run("eval", "buttons.js")).toBe("3");
  });

  it("refuses files that are missing, of another kind, or elsewhere", async () => {
    expect(await project.refusal("eval", "missing.js")).toMatchObject({ kind: "not_found", exitCode: 1 });
    writeFileSync(join(project.dir, "notes.txt"), "1");
    expect(await project.refusal("eval", "notes.txt")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await project.refusal("eval", "/etc/hosts.js")).toMatchObject({ kind: "blocked_path", exitCode: 4 });
  });
});
