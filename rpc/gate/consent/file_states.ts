/** The files that a call reads, as they are now: a yes is to what is in them, and not to whatever is put there later. */
import { statSync } from "node:fs";
import type { Command } from "../../../commands/command.ts";

/** Another one for each content: what writes to a file, or puts another in its place, changes its time of change, which nobody can set. */
export function fileStates({ paths }: Command, params: Readonly<Record<string, unknown>>): string[] {
  const read = paths.filter(({ access }) => access === "read").flatMap(({ param }) => params[param] ?? []);
  return read.filter((path) => typeof path === "string").map(stateOf);
}

function stateOf(path: string): string {
  try {
    const { dev, ino, size, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, ctimeNs].join(" ");
  } catch {
    // What cannot be looked at is for the command to tell.
    return "unknown";
  }
}
