/** Scripts that callers give us to run in a page: parsed here, so that what they mean is never guessed from their text. */
import { type Expression, type ModuleDeclaration, parse, parseExpressionAt, type Statement } from "acorn";
import type { Frame } from "playwright";
import { BrowseError, type ErrorKind } from "../../errors.ts";
import { cutText } from "../../security/content/cut_text.ts";
import { indented } from "../../security/content/invisible.ts";
import { translateDriverError } from "../driver/errors.ts";
import { readable } from "./readable_value.ts";

const PARSE_OPTIONS = {
  ecmaVersion: "latest",
  sourceType: "script",
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
} as const;

interface ScriptOutcome<Value> {
  value?: Value;
  thrown?: string;
}

/**
 * Runs an expression or statements in the frame; `await` works anywhere. Gives the value of the last expression in a form
 * that JSON can hold. Throws `script_error`.
 */
export async function runScript(frame: Frame, source: string): Promise<unknown> {
  return await outcomeOf(frame, source, readable);
}

/** Runs the same and tells whether its value is true. A function is not: nobody has called it. Throws `script_error`. */
export async function isTrue(frame: Frame, source: string): Promise<boolean> {
  return await outcomeOf(frame, source, (value) => typeof value !== "function" && Boolean(value));
}

/** What `shape` makes of the value. It runs in the page too, since little of what a script may give can leave it. */
/** Characters of what a script throws: a page's script may have made it. */
const MAX_THROWN = 1_000;

async function outcomeOf<Value>(frame: Frame, source: string, shape: (value: unknown) => Value): Promise<Value> {
  const script = `(async () => {
    let given;
    try {
      given = await ${asAsyncFunction(source)}();
    } catch (error) {
      return { thrown: error instanceof Error ? error.name + ": " + error.message : String(error) };
    }
    return { value: (${shape})(given) };
  })()`;
  const outcome = await frame.evaluate<ScriptOutcome<Value>>(script).catch((error: unknown) => {
    if (isKind(error, "too_large")) throw valueTooLarge(error);
    throw isKind(error, "internal") ? brokenError(error) : error;
  });
  // What carries the value, made of the page's functions, may fail without saying so.
  if (typeof outcome !== "object" || outcome === null) throw brokenError(new Error("no answer came"));
  if (outcome.thrown !== undefined)
    throw new BrowseError("script_error", `The script threw ${indented(cutText(outcome.thrown, MAX_THROWN))}`);
  return outcome.value as Value;
}

/** What the script throws is caught within the page: these come of what carries it there and its value back. */
function isKind(error: unknown, kind: ErrorKind): error is Error {
  return error instanceof Error && translateDriverError(error).kind === kind;
}

function valueTooLarge(cause: Error): BrowseError {
  return new BrowseError("too_large", "The script has run, and its value is too long to be passed on: over 256 MB", {
    hint: "Have a script give a part of it",
    cause,
  });
}

/** The driver and `shape` use the page's own built-in functions. */
function brokenError(error: Error): BrowseError {
  const reason = error.message.split("\n")[0]?.replace(/^frame\.evaluate: /, "");
  const message = `The script cannot run here, or its value cannot be read: ${reason}`;
  return new BrowseError("script_error", message, {
    cause: error,
    hint: "The page may have replaced built-in functions; `browse text`, `snapshot`, `find` and `html` do without them",
  });
}

/** The source as the text of an async function that returns its value. */
function asAsyncFunction(source: string): string {
  const expression = parsedExpression(source);
  if (expression) return `(async () => (${source.slice(expression.start, expression.end)}\n))`;
  const last = parsedProgram(source).at(-1);
  if (last?.type !== "ExpressionStatement") return `(async () => {${source}\n})`;
  const { start, end } = last.expression;
  return `(async () => {${source.slice(0, last.start)}\nreturn (${source.slice(start, end)}\n)})`;
}

/** The source as one expression, when it is one: `{a: 1}` is an object then, not a block. */
function parsedExpression(source: string): Expression | undefined {
  try {
    const expression = parseExpressionAt(source, 0, PARSE_OPTIONS);
    // Only white space, comments and semicolons may follow, which together are an empty program.
    const rest = parse(source.slice(expression.end), PARSE_OPTIONS).body;
    return rest.every(({ type }) => type === "EmptyStatement") ? expression : undefined;
  } catch {
    return undefined;
  }
}

function parsedProgram(source: string): (Statement | ModuleDeclaration)[] {
  try {
    return parse(source, PARSE_OPTIONS).body;
  } catch (error) {
    throw new BrowseError(
      "script_error",
      `The script does not parse: ${error instanceof Error ? error.message : error}`,
    );
  }
}
