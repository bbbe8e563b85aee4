/** Which test files `npm test -- --changed` runs. */
import { describe, expect, test } from "vitest";
import { dependents, graphOf, testFiles } from "../../bin/test/affected.ts";

// This one names the files that it asks for.
const all = testFiles().filter((file) => !file.endsWith("/affected.test.ts"));
const graph = graphOf(all);
const chosen = (...changed: string[]): string[] => dependents(changed, all, graph).map(({ file }) => file);

describe("a change", () => {
  test("of a command concerns what names it, and what is about all commands", () => {
    const files = chosen("commands/inspect/styles/css.ts");
    expect(files).toEqual(
      expect.arrayContaining(["spec/commands/inspect/style.test.ts", "spec/commands/contract.test.ts"]),
    );
    expect(files).not.toContain("spec/commands/extract/download.test.ts");
  });

  test("of what a command alone has concerns the same files", () => {
    expect(chosen("commands/inspect/styles/_styles_shape.ts")).toContain("spec/commands/inspect/style.test.ts");
  });

  test("of what the daemon always needs, or a page is read with, concerns whatever drives the build", () => {
    for (const path of ["daemon.ts", "refs/page/dom/closed_roots.ts"]) {
      expect(chosen(path)).toEqual(
        expect.arrayContaining(["spec/commands/extract/download.test.ts", "spec/core/loop.test.ts"]),
      );
    }
  });

  test("of what is read or started by its name concerns what names it", () => {
    expect(chosen("spec/fixtures/random.html")).toEqual(["spec/refs/random.test.ts"]);
    expect(chosen("spec/rpc/lifecycle/programs/faulty.ts")).toEqual(["spec/rpc/lifecycle/faults.test.ts"]);
  });

  test("of the native client concerns the tests of the client", () => {
    expect(chosen("bin/native/text.h")).toContain("spec/bin/start.test.ts");
  });

  test("of a test concerns that one, of the packages all, and of anything else none", () => {
    expect(chosen("spec/wording.test.ts")).toEqual(["spec/wording.test.ts"]);
    expect(chosen("package.json")).toEqual(all);
    expect(chosen("LICENSE")).toEqual([]);
  });
});
