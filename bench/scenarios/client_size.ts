import { readFile } from "node:fs/promises";
import { CLIENT } from "../project.ts";
import type { Scenario } from "../scenario.ts";

const MAX_BYTES = 12_000;
const ALLOWED = new Set(["node:net", "node:fs", "node:path", "node:os", "node:child_process"]);

export const clientSize: Scenario = {
  group: "size",
  name: "Client bundle",
  target: "≤ 12 kB, only node:net, node:fs, node:path, node:os and lazily node:child_process",
  async run() {
    const script = await readFile(CLIENT, "utf8");
    const modules = new Set(script.match(/node:[a-z_/]+/g));
    const others = [...modules].filter((name) => !ALLOWED.has(name));
    return [
      { name: "dist/browse.mjs", unit: "bytes", value: Buffer.byteLength(script), limit: { atMost: MAX_BYTES } },
      {
        name: "other modules",
        unit: "modules",
        value: others.length,
        limit: { atMost: 0 },
        note: others.length > 0 ? others.join(", ") : `uses ${[...modules].join(", ")}`,
      },
    ];
  },
};
