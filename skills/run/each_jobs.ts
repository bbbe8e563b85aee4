/** The jobs of `--each`: a file of JSON lines, read again and again as a stream, however long it is. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { boundedLines } from "../../security/files/bounded_lines.ts";
import { isSecretName } from "../../security/secrets/secret_names.ts";

export interface Job {
  /** The line's member `key`, else a digest of its args. */
  key: string;
  args: Record<string, unknown>;
}

interface ReadOptions {
  /** Told of each line whose key an earlier line had. */
  onRepeated?: () => void;
  signal: AbortSignal;
  /** Throws for args that the skill does not take, and gives them with their defaults. */
  check: (args: Record<string, unknown>) => Record<string, unknown>;
}

/** UTF-16 units. */
const MAX_LINE = 1_000_000;
/** Keys are kept in memory, so that none runs twice. */
const MAX_JOBS = 200_000;

const LineSchema = v.looseObject({ key: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(500))) });

/** Jobs in the order of their lines, the first of each key. Empty lines are none. Throws `invalid_params` for others, by number. */
export async function* readJobs(path: string, { signal, check, onRepeated }: ReadOptions): AsyncGenerator<Job> {
  const seen = new Set<string>();
  let number = 0;
  for await (const line of boundedLines(createReadStream(path, { encoding: "utf8", signal }), MAX_LINE)) {
    number++;
    if (line?.trim() === "") continue;
    const job = jobOf(line, number, check);
    if (seen.has(job.key)) {
      onRepeated?.();
      continue;
    }
    if (seen.size === MAX_JOBS) throw new BrowseError("too_large", `"${path}" has over ${MAX_JOBS} jobs`);
    seen.add(job.key);
    yield job;
  }
}

/** How many there are. Throws what `readJobs` does, so that nothing is begun of a file with a bad line. */
export async function countJobs(path: string, options: ReadOptions): Promise<number> {
  let count = 0;
  for await (const _ of readJobs(path, options)) count++;
  if (count > 0) return count;
  throw new BrowseError("invalid_params", `"${path}" has no jobs`, {
    hint: 'Write one object of args a line: {"url": "…"}',
  });
}

function jobOf(line: string | undefined, number: number, check: ReadOptions["check"]): Job {
  const { key, ...given } = parsedLine(line, number);
  try {
    const args = check(given);
    return { key: key ?? digestOf(given), args };
  } catch (error) {
    if (!(error instanceof BrowseError)) throw error;
    throw new BrowseError("invalid_params", `Line ${number}: ${error.message}`, { hint: error.hint });
  }
}

function parsedLine(line: string | undefined, number: number): v.InferOutput<typeof LineSchema> {
  if (line === undefined) throw badLine(number, `it has over ${MAX_LINE} characters`);
  let value: unknown;
  try {
    value = JSON.parse(line.startsWith("\uFEFF") ? line.slice(1) : line);
  } catch {
    throw badLine(number, "it is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw badLine(number, "it is not an object");
  const parsed = v.safeParse(LineSchema, value);
  if (parsed.success) return parsed.output;
  throw badLine(number, '"key" is not a text of 1 to 500 characters');
}

function badLine(number: number, why: string): BrowseError {
  return new BrowseError("invalid_params", `Line ${number} is no job: ${why}`, {
    hint: 'Write one object of args a line, with a "key" of its own if you like: {"key": "a", "url": "…"}',
  });
}

/**
 * The same for the same args, in whatever order they are written. Without those that are secret by their names: a digest
 * of a password is for guessing it.
 */
function digestOf(given: Record<string, unknown>): string {
  const args = Object.fromEntries(Object.entries(given).filter(([name]) => !isSecretName(name)));
  return createHash("sha256")
    .update(JSON.stringify(ordered(args)))
    .digest("hex")
    .slice(0, 32);
}

function ordered(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, each]) => [name, ordered(each)]);
}
