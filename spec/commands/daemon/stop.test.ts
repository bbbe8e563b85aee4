import { describe, expect, it } from "vitest";
import { Project } from "../../harness/project.ts";

describe("restart and stop", () => {
  it("refuse a proxy that is none, and stop answers before it stops", async () => {
    await using other = new Project();
    await other.run("status");
    expect(await other.refusal("restart", "--proxy", "nonsense")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
    });
    const { pid } = other.daemon()!;
    expect(await other.run("stop")).toBe(`Stopped the daemon (pid ${pid})`);
    const again = await other.cli(["stop"]);
    expect(again).toMatchObject({ exitCode: 0, stdout: "No daemon is running\n" });
    expect(other.daemon()).toBeUndefined();
  });
});
