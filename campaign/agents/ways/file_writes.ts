/** Ways to write where an agent has nothing to write. */
import { join } from "node:path";
import type { Attempt, Way } from "../attempt.ts";
import type { Household } from "../household.ts";

/** Command lines that make a file, with its place marked. */
const MAKERS: readonly (readonly string[])[] = [
  ["download", "SOURCE", "FILE"],
  ["text", "--out", "FILE"],
  ["html", "--out", "FILE"],
  ["screenshot", "FILE"],
  ["pdf", "FILE"],
  ["archive", "FILE"],
  ["snapshot", "-ia", "-o", "FILE"],
  ["network", "--har", "FILE"],
  ["js", "1", "--out", "FILE"],
  ["responsive", "FILE"],
  ["prettyscreenshot", "FILE"],
  ["scrape", "images", "--dir", "FILE"],
  ["trace", "stop", "FILE"],
  ["record", "stop", "FILE"],
  ["state", "save", "FILE"],
];

export function fileWritingWays({ workspace: { project, home, temporary } }: Household): Way[] {
  const places = [
    ...[".git/config", ".git/hooks/pre-commit", ".envrc", ".npmrc", "package.json", "new.txt", "src/new.txt"].map(
      (name) => join(project.dir, name),
    ),
    ...["daemon.json", "config.json", "states/x.json", "journal.jsonl"].map((name) => join(project.stateDir, name)),
    ...[".bashrc", ".config/autostart/x.desktop", ".browse/config.json"].map((name) => join(home, name)),
    join(temporary, "new.txt"),
    join(project.stateDir, "artifacts/../escaped.txt"),
  ];
  return places.flatMap((place) => MAKERS.flatMap((argv) => [way(argv, place, false), way(argv, place, true)]));
}

function way(argv: readonly string[], place: string, isForced: boolean): Way {
  const name = `${argv.join(" ").replace("FILE", place)}${isForced ? " --force" : ""}`;
  return { name, door: "local", run: (attempt) => write(attempt, argv, place, isForced) };
}

async function write(attempt: Attempt, argv: readonly string[], place: string, isForced: boolean): Promise<void> {
  const source = attempt.page("[core]\n\tfsmonitor = false\n");
  await attempt.line("newtab", source);
  if (argv[1] === "stop") await attempt.line(argv[0] ?? "", "start");
  const words = argv.map((word) => (word === "FILE" ? place : word === "SOURCE" ? source : word));
  await attempt.line(...words, ...(isForced ? ["--force"] : []));
}
