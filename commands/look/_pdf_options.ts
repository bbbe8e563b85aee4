/** Options of `pdf`, from flags and from a file, as the printer takes them. */
import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { inches, LENGTH, PAPER, type PaperName } from "./_paper.ts";
import type { PrintOptions } from "./_pdf.ts";

const Length = (description: string) =>
  v.exactOptional(
    v.pipe(v.string(), v.regex(LENGTH, "must be a length such as 10mm, 1in or 96px"), v.description(description)),
  );
const Flag = (description: string) => v.exactOptional(v.pipe(v.boolean(), v.description(description)));
const Html = (description: string) =>
  v.exactOptional(v.pipe(v.string(), v.maxLength(20_000), v.description(description)));

export const printEntries = {
  format: v.exactOptional(
    v.pipe(v.picklist(Object.keys(PAPER) as PaperName[]), v.description("Paper size, portrait (default letter)")),
  ),
  width: Length("Paper width (with --height, instead of --format)"),
  height: Length("Paper height (with --width)"),
  margin: Length("Margin on all four sides (default 10mm, or 20mm where there is a header or footer)"),
  marginTop: Length("Top margin"),
  marginRight: Length("Right margin"),
  marginBottom: Length("Bottom margin"),
  marginLeft: Length("Left margin"),
  header: Html(
    "HTML for the top of each page; elements of class title, url, date, pageNumber, totalPages are filled in",
  ),
  footer: Html("HTML for the bottom of each page, likewise"),
  pageNumbers: Flag("Page numbers at the bottom, instead of --footer"),
  toc: Flag("Table of contents before the first page, from headings of levels 1 to 3"),
  outline: Flag("Bookmarks from headings; implies --tagged"),
  tagged: Flag("Structure for screen readers"),
  background: Flag("Background colors and images"),
};

const PrintParams = v.strictObject(printEntries);

export type PrintParams = v.InferOutput<typeof PrintParams>;

/** Far more than options take. */
const MAX_FILE_BYTES = 1_000_000;

/**
 * The flags, and those of the file: the same names, never a path. Throws `invalid_params` for what is not accepted, or
 * given by both.
 */
export async function withFile(flags: PrintParams, fromFile: string | undefined): Promise<PrintParams> {
  if (fromFile === undefined) return flags;
  const file = await readOptions(fromFile);
  const both = Object.keys(flags).filter((name) => name in file);
  if (both.length === 0) return { ...file, ...flags };
  throw new BrowseError("invalid_params", `"${both.join('", "')}" is given by --from-file and by a flag`);
}

async function readOptions(path: string): Promise<PrintParams> {
  const bytes = await readFile(path);
  if (bytes.byteLength > MAX_FILE_BYTES) throw wrongFile(`it has more than ${MAX_FILE_BYTES} bytes`);
  let payload: unknown;
  try {
    payload = JSON.parse(bytes.toString("utf8"));
  } catch (cause) {
    throw wrongFile("it is not JSON", cause);
  }
  const parsed = v.safeParse(PrintParams, payload, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const name = issue.path?.[0]?.key;
  if (name === undefined) throw wrongFile("it must hold an object of options");
  if (issue.type === "strict_object") throw wrongFile(`it has the unknown option "${String(name)}"`);
  throw wrongFile(`"${String(name)}" ${/^Invalid /.test(issue.message) ? `takes ${issue.expected}` : issue.message}`);
}

function wrongFile(reason: string, cause?: unknown): BrowseError {
  return new BrowseError("invalid_params", `Cannot use the options of --from-file: ${reason}`, {
    hint: `It takes an object with any of ${Object.keys(printEntries).join(", ")}`,
    cause,
  });
}

/** Throws `invalid_params` for options that exclude one another. */
export function printOptions(params: PrintParams): Omit<PrintOptions, "signal"> {
  const { header, footer, pageNumbers, outline = false, tagged = false, background = false } = params;
  if (pageNumbers && footer !== undefined)
    throw exclusive("--page-numbers", "--footer", "write pageNumber in the footer");
  const bottom = pageNumbers ? '<span class="pageNumber"></span> / <span class="totalPages"></span>' : footer;
  return {
    ...paperOf(params),
    margin: marginsOf(params, { header: header !== undefined, footer: bottom !== undefined }),
    ...(header !== undefined && { header }),
    ...(bottom !== undefined && { footer: bottom }),
    background,
    outline,
    tagged,
  };
}

function paperOf({ format, width, height }: PrintParams): { width: number; height: number } {
  if (width === undefined && height === undefined) return PAPER[format ?? "letter"];
  if (format !== undefined) throw exclusive("--format", "--width and --height", "the format is a width and a height");
  if (width === undefined || height === undefined) {
    throw new BrowseError("invalid_params", "--width and --height are given together");
  }
  return { width: inches(width), height: inches(height) };
}

function marginsOf(
  { margin, marginTop, marginRight, marginBottom, marginLeft }: PrintParams,
  { header, footer }: { header: boolean; footer: boolean },
): PrintOptions["margin"] {
  return {
    top: inches(marginTop ?? margin ?? (header ? "20mm" : "10mm")),
    right: inches(marginRight ?? margin ?? "10mm"),
    bottom: inches(marginBottom ?? margin ?? (footer ? "20mm" : "10mm")),
    left: inches(marginLeft ?? margin ?? "10mm"),
  };
}

function exclusive(one: string, other: string, why: string): BrowseError {
  return new BrowseError("invalid_params", `${one} and ${other} exclude each other: ${why}`);
}
