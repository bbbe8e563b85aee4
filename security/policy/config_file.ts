/** A file that a person writes: read whole, or refused with the place of what is wrong in it. */
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { errorCode } from "../files/error_code.ts";
import { NotOurs, readOwnFile } from "../files/own_file.ts";
import { inNewDaemon } from "../process/new_setting.ts";

const MAX_BYTES = 1_000_000;

/** What the file says; undefined when there is none. Throws `invalid_params` with line and column. */
export function readConfigFile<Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): v.InferOutput<Schema> | undefined {
  const text = textOf(path);
  if (text === undefined) return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (error) throw unusable(path, placeOf(text, error.offset), wordsOf(printParseErrorCode(error.error)));
  if (root?.type !== "object") throw unusable(path, placeOf(text, root?.offset ?? 0), "must be an object");
  const parsed = v.safeParse(schema, JSON.parse(text));
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const keys = issue.path?.map(({ key }) => key as string | number) ?? [];
  throw unusable(path, placeOf(text, nodeAt(root, keys).offset), `${keys.join(".")}: ${issue.message}`);
}

function textOf(path: string): string | undefined {
  try {
    return readOwnFile(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    if (!(error instanceof NotOurs)) throw unreadable(path, error);
    const hint = error.reason.startsWith("others")
      ? `Run \`chmod go-w "${path}"\``
      : "Put a file of your own in its place, or remove it";
    throw new BrowseError("invalid_params", error.message, { hint, details: { path }, cause: error });
  }
}

function unreadable(path: string, cause: unknown): BrowseError {
  const isShort = errorCode(cause) === "EMFILE";
  const reason = isShort ? "the daemon has too many open files" : "it cannot be read";
  return new BrowseError("invalid_params", `Cannot use "${path}": ${reason}`, {
    cause,
    ...(isShort && { hint: inNewDaemon("Allow more with `ulimit -n 4096`") }),
  });
}

/** The innermost part of the file that the keys lead to: a member with its name where there is one. */
function nodeAt(root: Node, keys: readonly (string | number)[]): Node {
  for (let length = keys.length; length > 0; length--) {
    const found = findNodeAtLocation(root, keys.slice(0, length));
    if (found) return found.parent?.type === "property" ? found.parent : found;
  }
  return root;
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** `CommaExpected` as `comma expected`. */
function wordsOf(code: string): string {
  return code.replace(/\B[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

function unusable(path: string, { line, column }: { line: number; column: number }, problem: string): BrowseError {
  return new BrowseError("invalid_params", `Cannot use "${path}": line ${line}, column ${column}: ${problem}`, {
    hint: "Correct it, or remove it",
    details: { path, line, column },
  });
}
