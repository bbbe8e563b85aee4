/** Ours and the peers', each with the commands that its own guide recommends. */
import { existsSync, readFileSync } from "node:fs";
import type { BenchContext } from "../context.ts";
import type { Peer } from "../peers/mod.ts";
import type { Target } from "./task.ts";
import { refOnLine, type Tool } from "./tool.ts";

/** What a command line says, to its end, also where it fails. */
async function said(run: () => Promise<string>): Promise<{ text: string; failed: boolean }> {
  try {
    return { text: await run(), failed: false };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), failed: true };
  }
}

export async function ourTool(context: BenchContext): Promise<Tool> {
  const project = await context.project();
  const verbs = { click: "click", fill: "fill", choose: "select", drag: "drag", read: "text" };
  return {
    name: "browse",
    open: (url) => [["goto", url, "-i"]],
    look: (all) => (all ? ["snapshot"] : ["snapshot", "-i"]),
    act: ({ do: what, value, leads, sees }, ref, toRef) => [
      verbs[what],
      ref,
      ...(toRef === undefined ? [] : [toRef]),
      ...(value === undefined ? [] : [value]),
      ...(leads ? [sees ? "--snapshot" : "-i"] : []),
    ],
    refOf: ourRefOf,
    run: (argv) => said(async () => await project.cli(...argv)),
  };
}

/** What an answer shows below its first line is newer than what that names. */
function ourRefOf(shown: string, target: Target): string | undefined {
  const [first = "", ...others] = shown.split("\n");
  return refAmong(others, target) ?? refAmong([first], target);
}

function refAmong(lines: readonly string[], { role, name, within }: Target): string | undefined {
  const found = lines.flatMap((line) => [...line.matchAll(/(@[ec]\d+) (\[[^\]]+\](?: \w+:)?)([^@]*)/g)]);
  const fitting = found.filter(([, , is = "", says = ""]) => role.test(is) && name.test(says));
  if (!within) return fitting[0]?.[1];
  const beside = fitting.find(([, , , says = ""]) => within.test(says));
  const from = lines.findIndex((line) => within.test(line));
  return beside?.[1] ?? (from < 0 ? undefined : refAmong(lines.slice(from), { role, name }));
}

export async function peerTools(context: BenchContext): Promise<Tool[]> {
  const peers = await context.peers();
  return peers.flatMap((peer) => {
    const make = MAKERS[peer.name];
    return make ? [make(peer)] : [];
  });
}

const MAKERS: Readonly<Record<string, (peer: Peer) => Tool>> = {
  "agent-browser": (peer) => ({
    name: peer.name,
    open: (url) => [
      ["open", url],
      ["snapshot", "-i"],
    ],
    look: (all) => (all ? ["snapshot"] : ["snapshot", "-i"]),
    act: ({ do: what, value = "", isCustom }, ref, toRef) => {
      if (what === "choose") return isCustom ? undefined : ["select", ref, value];
      if (what === "drag") return ["drag", ref, toRef ?? ""];
      return what === "fill" ? ["fill", ref, value] : ["click", ref];
    },
    refOf: (shown, target) => {
      const ref = refOnLine(shown, target, /ref=(e\d+)/);
      return ref === undefined ? undefined : `@${ref}`;
    },
    run: (argv) => said(async () => await peer.run(argv)),
  }),
  "playwright-cli": (peer) => {
    const session = peer.syntax.url[0] ?? "";
    return {
      name: peer.name,
      open: (url) => [[session, "goto", url]],
      look: () => [session, "snapshot"],
      act: ({ do: what, value = "", isCustom }, ref, toRef) => {
        if (what === "choose") return isCustom ? undefined : [session, "select", ref, value];
        if (what === "drag") return [session, "drag", ref, toRef ?? ""];
        return what === "fill" ? [session, "fill", ref, value] : [session, "click", ref];
      },
      refOf: (shown, target) => refOnLine(shown, target, /ref=(\w+)/),
      more: (answer) => {
        const [, file = ""] = /\[Snapshot\]\(([^)]+)\)/.exec(answer) ?? [];
        const path = peer.path(file);
        return file && existsSync(path) ? readFileSync(path, "utf8") : undefined;
      },
      run: (argv) => said(async () => await peer.run(argv)),
    };
  },
};
