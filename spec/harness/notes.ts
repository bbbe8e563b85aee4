/** Notes with a past, for tests of what comes of them. */
import { join } from "node:path";
import { type Browse, type ConnectOptions, connect } from "../../client.ts";
import { deviceSalt } from "../../security/files/device_salt.ts";
import { Notes } from "../../skills/notes/notes.ts";
import type { Project } from "./project.ts";

/** A note that was used long ago, as if days had passed, by agents whose content guard saw nothing in it. Resolves to its id. */
export async function activeNote(project: Project, about: string, text: string): Promise<string> {
  const home = join(project.dir, "home");
  let now = Date.now() - 24 * 60 * 60_000;
  const notes = new Notes({
    stateDir: project.stateDir,
    home,
    key: () => deviceSalt(join(home, "security/device-salt")),
    now: () => now,
    layers: {
      classifier: { score: async () => ({ score: 0, covered: 1 }) },
      transcriptCheck: { score: async () => undefined },
    },
  });
  const { id } = await notes.save(about, text, "root");
  for (let use = 0; use < 3; use++) {
    now += 60 * 60_000;
    await notes.serve(about, ["quarantined"], { by: "root", signal: AbortSignal.timeout(10_000) });
  }
  return id;
}

/** A connection to the project's daemon by its address. */
export async function clientOf(project: Project, options: ConnectOptions = {}): Promise<Browse> {
  const daemon = project.daemon();
  if (!daemon) throw new Error("The project has no daemon");
  return await connect({ url: `ws://127.0.0.1:${daemon.port}/rpc`, token: daemon.token, ...options });
}

/** An agent on this machine, held to these domains. */
export async function agentOf(project: Project, name: string, domains: string): Promise<Browse> {
  const { key } = (await project.json("pair", name, "--domains", domains)) as { key: string };
  const answer = await fetch(`http://127.0.0.1:${project.daemon()?.port}/pair`, {
    method: "POST",
    body: JSON.stringify({ key }),
    headers: { "content-type": "application/json" },
  });
  const { token } = (await answer.json()) as { token: string };
  return await clientOf(project, { token });
}
