/** What programs that use the SDK hear when the daemon goes while they wait. */
import { expect, test, vi } from "vitest";
import { connect } from "../../client.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

test("a daemon that is killed during a press leaves its outcome unknown, and the program alive", async () => {
  let payments = 0;
  await using site = await Site.serve({
    "/": "<form method=post action=/pay><button id=pay>Pay</button></form>",
    "/pay": () => payments++,
  });
  await using project = new Project();
  await project.run("goto", `${site.url}/`);
  const { pid = 0, port, token } = project.daemon() ?? {};
  const browse = await connect({ url: `ws://127.0.0.1:${port}/rpc`, token: token ?? "" });
  const press = expect(browse.click({ target: "#pay" })).rejects.toMatchObject({ kind: "outcome_unknown" });
  await vi.waitFor(() => expect(payments).toBe(1), { interval: 10 });
  process.kill(pid, "SIGKILL");
  await press;
  await expect(browse.url()).rejects.toMatchObject({ kind: "browser_gone" });
});
