import * as v from "valibot";
import { counted } from "../../wording.ts";
import { defineCommand } from "../command.ts";
import { memoryReport } from "./_memory.ts";

const bytes = v.pipe(v.number(), v.description("Bytes"));

export default defineCommand({
  name: "memory",
  category: "inspect",
  summary: "Show the memory use of the daemon, the browser's processes and each tab",
  description: "Processes share memory, so their sizes add up to more than they take together.",
  scope: "admin",
  effect: "none",
  needs: "daemon",
  reach: "daemon",
  output: "secret",
  fromPage: "nothing",
  params: v.strictObject({}),
  result: v.strictObject({
    daemon: v.strictObject({ pid: v.number(), rss: bytes, heapUsed: bytes, external: bytes }),
    processes: v.array(v.strictObject({ pid: v.number(), type: v.string(), rss: v.exactOptional(bytes) })),
    tabs: v.array(
      v.strictObject({
        tab: v.string(),
        session: v.string(),
        url: v.string(),
        heapUsed: v.exactOptional(bytes),
        heapTotal: v.exactOptional(bytes),
        documents: v.exactOptional(v.number()),
        nodes: v.exactOptional(v.number()),
        listeners: v.exactOptional(v.number()),
        buffers: v.pipe(
          v.strictObject({ console: v.number(), network: v.number(), dialogs: v.number() }),
          v.description("Entries kept"),
        ),
      }),
    ),
    debuggerSessions: v.exactOptional(
      v.pipe(v.number(), v.description("Sessions of the DevTools protocol that are open, the driver's own included")),
    ),
  }),
  examples: ["browse memory", "browse memory --json"],
  run: async ({ sessions }) => await memoryReport(sessions),
  render({ daemon, processes, tabs, debuggerSessions }) {
    const total = processes.reduce((sum, { rss = 0 }) => sum + rss, 0);
    return [
      `daemon ${daemon.pid}: ${megabytes(daemon.rss)}, of which ${megabytes(daemon.heapUsed)} heap`,
      `browser: ${processes.length} ${processes.length === 1 ? "process" : "processes"}, ${megabytes(total)}`,
      ...processes.map(({ pid, type, rss }) => `  ${type} ${pid}: ${rss === undefined ? "unknown" : megabytes(rss)}`),
      ...tabs.map((tab) => {
        const { console, network, dialogs } = tab.buffers;
        const heap = tab.heapUsed === undefined ? "does not answer" : `heap ${megabytes(tab.heapUsed)}`;
        const size =
          tab.nodes === undefined ? "" : `, ${counted(tab.documents ?? 0, "document")}, ${counted(tab.nodes, "node")}`;
        const kept = `kept: ${counted(console, "console line")}, ${counted(network, "request")}, ${counted(dialogs, "dialog")}`;
        return `${tab.tab} (${tab.session}) ${tab.url}: ${heap}${size}, ${kept}`;
      }),
      ...(debuggerSessions === undefined ? [] : [counted(debuggerSessions, "DevTools session")]),
    ].join("\n");
  },
});

function megabytes(size: number): string {
  return `${(size / 1_048_576).toFixed(1)} MB`;
}
