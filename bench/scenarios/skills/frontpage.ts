import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { alternate } from "../../samples.ts";
import type { Scenario } from "../../scenario.ts";

const FIXTURE = "../../../skills/bundled/hackernews-frontpage/fixtures/news.ycombinator.com-2026-10-01.html";
const URL = "http://news.ycombinator.com/";

/** The skill is held to its host: a proxy of ours answers for that. */
export const skillFrontpage: Scenario = {
  group: "skills",
  name: "`skill run hackernews-frontpage`, sandboxed, on a local copy of the page",
  target: "≤ 200 ms from the command line, ≤ 100 ms over an open connection",
  async run(context) {
    const page = readFileSync(join(import.meta.dirname, FIXTURE));
    const proxy = createServer((_, response) => void response.setHeader("content-type", "text/html").end(page));
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const { port } = proxy.address() as AddressInfo;
    await using project = context.freshProject({ env: { BROWSE_PROXY: `http://127.0.0.1:${port}` } });
    try {
      await project.cli("start");
      using connection = await project.connect();
      const params = { name: "hackernews-frontpage", arg: [`url=${URL}`] };
      const { cli, open } = await alternate(
        {
          cli: async () => await project.cli("skill", "run", params.name, "--arg", `url=${URL}`),
          open: async () => await connection.call("skill.run", params),
        },
        { runs: context.runs },
      );
      return [
        cli.figure("browse, command line", { limit: { atMost: 200 } }),
        open.figure("browse, open connection", { limit: { atMost: 100 } }),
      ];
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  },
};
