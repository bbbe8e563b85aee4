/** What a skill's process imports: the very bytes that its hash is of, whatever is on the disk by now. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { SkillFile } from "../store/skill_files.ts";
import type { PlainSources } from "./plain_source.ts";

const TYPED = /\.[cm]?ts$/;
const IMPORTED = /\.(?:[cm]?[jt]s|json)$/;
/** What only tests look at; there may be megabytes of it. */
const FIXTURE = /^fixtures\/.*\.json$/s;

export interface SourcesOptions {
  dir: string;
  files: readonly SkillFile[];
  /** May the fixtures be imported too? */
  withFixtures: boolean;
}

/** By address, with types stripped. Throws `skill_failed` for what does not parse. */
export async function sourcesOf(
  { dir, files, withFixtures }: SourcesOptions,
  plain: PlainSources,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const imported = files.filter(({ name }) => IMPORTED.test(name) && (withFixtures || !FIXTURE.test(name)));
  const typed = imported.filter(({ name }) => TYPED.test(name));
  const codes = await plain.of(typed.map(textOf), signal);
  const stripped = new Map(typed.map(({ name }, index) => [name, codes[index] ?? ""]));
  return Object.fromEntries(
    imported.map((file) => [addressOf(dir, file.name), stripped.get(file.name) ?? textOf(file)]),
  );
}

export function addressOf(dir: string, file: string): string {
  return pathToFileURL(join(dir, file)).href;
}

function textOf({ bytes }: SkillFile): string {
  return Buffer.from(bytes).toString("utf8");
}
