/** Which walls stand around a skill on this machine, with this Node: for those who decide what to run. */
import { outerWall } from "./outer_wall.ts";
import { HEAP_MB, hasNetworkWall, MAX_PROCESS_BYTES } from "./sandbox.ts";

export interface Wall {
  name: "files" | "processes" | "network" | "environment" | "memory" | "outer";
  holds: boolean;
  /** What holds it, or why it does not. */
  detail: string;
}

/** Never rejects. */
export async function walls(): Promise<Wall[]> {
  const outer = await outerWall();
  const isOuter = outer.path !== undefined;
  const by = `Node's permission model${isOuter ? ", and bubblewrap" : ""}`;
  const isLinux = process.platform === "linux";
  return [
    { name: "files", holds: true, detail: `It reads its own folder and writes nothing: ${by}` },
    { name: "processes", holds: true, detail: `It starts none: ${by}. ${signals(isOuter)}` },
    networkWall(isOuter),
    { name: "environment", holds: true, detail: "It has language, terminal and time zone" },
    {
      name: "memory",
      holds: isLinux,
      detail: isLinux
        ? `It is ended over ${MAX_PROCESS_BYTES / 1024 / 1024} MB`
        : `Only V8's heap has a limit, of ${HEAP_MB} MB: what else a process takes is watched on Linux`,
    },
    {
      name: "outer",
      holds: isOuter,
      detail: isOuter ? `bubblewrap (${outer.path})` : (outer.reason ?? "There is none"),
    },
  ];
}

function signals(isOuter: boolean): string {
  return isOuter ? "It sees none but its own" : "That it signals none is seen to by our own script, and is no wall";
}

function networkWall(isOuter: boolean): Wall {
  const holders = [hasNetworkWall() && "Node's permission model", isOuter && "bubblewrap"].filter(
    (holder) => holder !== false,
  );
  const holds = holders.length > 0;
  const missing = `Node ${process.versions.node} does not keep it off the network: Node 25 does, and so does bubblewrap`;
  return { name: "network", holds, detail: holds ? `It has none: ${holders.join(", and ")}` : missing };
}
