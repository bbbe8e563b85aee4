/** Ways to write where an agent has nothing to write. */
import { join } from "node:path";
import type { Attempt, Way } from "../attempt.ts";
import type { Household } from "../household.ts";

/** How the file ends, and the command line that makes it, with its place marked. */
const MAKERS: readonly (readonly string[])[] = [
  ["html", "download", "SOURCE", "FILE"],
  ["txt", "text", "--out", "FILE"],
  ["html", "html", "--out", "FILE"],
  ["png", "screenshot", "FILE"],
  ["pdf", "pdf", "FILE"],
  ["mhtml", "archive", "FILE"],
  ["png", "snapshot", "-ia", "-o", "FILE"],
  ["har", "network", "--har", "FILE"],
  ["txt", "js", "1", "--out", "FILE"],
  ["", "responsive", "FILE"],
  ["png", "prettyscreenshot", "FILE"],
  ["", "scrape", "images", "--dir", "FILE"],
  ["zip", "trace", "stop", "FILE"],
  ["webm", "record", "stop", "FILE"],
  ["json", "state", "save", "FILE"],
];

export function fileWritingWays({ lent, workspace: { project, home, temporary } }: Household): Way[] {
  const own = [".git/config", ".git/hooks/pre-commit", ".envrc", ".npmrc", "package.json"];
  const ofState = ["daemon.json", "config.json", "states/x.json", "journal.jsonl"];
  const places = [
    ...own.map((name) => join(project.dir, name)),
    ...ofState.map((name) => join(project.stateDir, name)),
    ...[".bashrc", ".config/autostart/x.desktop", ".browse/config.json"].map((name) => join(home, name)),
    // With the ending that what is written calls for.
    ...[
      project.dir,
      join(project.dir, "src"),
      home,
      temporary,
      join(project.stateDir, "artifacts/.."),
      join(lent, "out"),
    ].map((folder) => `${folder}/new.EXT`),
  ];
  return MAKERS.flatMap(([extension, ...argv]) =>
    places.flatMap((place) => {
      const path = place.replace("EXT", extension ?? "");
      return [way(argv, path, false), way(argv, path, true)];
    }),
  );
}

function way(argv: readonly string[], place: string, isForced: boolean): Way {
  const kind = argv.join(" ");
  const name = `${kind.replace("FILE", place)}${isForced ? " --force" : ""}`;
  return { kind, name, door: "local", run: (attempt) => write(attempt, argv, place, isForced) };
}

async function write(attempt: Attempt, argv: readonly string[], place: string, isForced: boolean): Promise<void> {
  const source = attempt.page("[core]\n\tfsmonitor = false\n");
  await attempt.open(source);
  if (argv[1] === "stop") await attempt.line(argv[0] ?? "", "start");
  const words = argv.map((word) => (word === "FILE" ? place : word === "SOURCE" ? source : word));
  await attempt.line(...words, ...(isForced ? ["--force"] : []));
}
