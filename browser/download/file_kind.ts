/** What kind of file something is: by its first bytes where they tell, else by what its sender says. */
import { extname } from "node:path";
import { BrowseError } from "../../errors.ts";

export interface FileKind {
  /** MIME type; `application/octet-stream` when nothing tells. */
  type: string;
  /** Ending for its name, with the dot; empty when nothing tells. */
  extension: string;
}

/** Told from one another by their bytes; of all other kinds the sender is believed. */
export type KindGroup = "image" | "video" | "page" | "other";

/** Bytes that are enough to know every kind (file-type, "sample size"). */
export const HEAD_BYTES = 4_100;

const UNKNOWN: FileKind = { type: "application/octet-stream", extension: "" };
/** Types that senders give to anything. */
const GENERIC = new Set([
  "",
  UNKNOWN.type,
  "binary/octet-stream",
  "application/x-download",
  "application/download",
  "application/force-download",
]);
/** Containers: what is in them, only the sender or the name knows. */
const CONTAINERS = new Set(["application/zip", "application/xml", "application/gzip", "application/x-cfb"]);
/** Names for the same thing. */
const ALIASES: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "image/pjpeg": "image/jpeg",
  "image/apng": "image/png",
  "image/x-icon": "image/vnd.microsoft.icon",
  "image/heif": "image/heic",
};
/** Endings that two worlds use for different things: videos and TypeScript. */
const AMBIGUOUS = new Set([".ts", ".mts"]);

/** A page in the place of a file: a login, an error, a notice. */
const HTML = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body|script)[\s>]/is;

/** `declared` is the sender's MIME type, empty for none. */
export async function kindOf(head: Uint8Array, declared: string): Promise<FileKind> {
  const [{ fileTypeFromBuffer, supportedMimeTypes }, { default: mime }] = await Promise.all([
    import("file-type"),
    import("mime"),
  ]);
  const seen = await fileTypeFromBuffer(head);
  if (seen && !CONTAINERS.has(seen.mime)) return { type: plain(seen.mime), extension: `.${seen.ext}` };
  if (!seen && HTML.test(Buffer.from(head).toString("latin1")) && !/xml|html/.test(declared)) {
    return { type: "text/html", extension: ".html" };
  }
  if (GENERIC.has(declared)) return seen ? { type: seen.mime, extension: `.${seen.ext}` } : UNKNOWN;
  // Such a file would have been known by its bytes.
  const isFalse = /image|video/.test(groupOf(declared)) && (supportedMimeTypes as ReadonlySet<string>).has(declared);
  if (isFalse) return UNKNOWN;
  const extension = mime.getExtension(declared);
  return { type: plain(declared), extension: extension ? `.${extension}` : "" };
}

/** The MIME type that a file's name promises; undefined for endings that promise nothing. */
async function promisedType(name: string): Promise<string | undefined> {
  if (AMBIGUOUS.has(extname(name).toLowerCase())) return undefined;
  const { default: mime } = await import("mime");
  const type = mime.getType(name);
  return type ? plain(type) : undefined;
}

/**
 * Throws `blocked_path` when a file of this kind would be kept under a name that promises another: an image that is a
 * page, a video that is an image. `mustPromise`: also when the name promises nothing and what came is known, as by such
 * names programs know what they read their settings from.
 */
export async function assertFitsName(
  name: string,
  { type, extension }: FileKind,
  { mustPromise }: { mustPromise: boolean },
): Promise<void> {
  const promised = await promisedType(name);
  if (promised === undefined && mustPromise && extension !== "") {
    throw new BrowseError("blocked_path", `Cannot write "${name}": what came is ${type}, which its name does not say`, {
      hint: `Give it a name that ends in ${extension}`,
      details: { type },
    });
  }
  if (promised === undefined || isPromise(promised, type)) return;
  throw new BrowseError("blocked_path", `Cannot write "${name}": what came is ${type}, not ${promised}`, {
    hint: `Give it a name ${fittingNames(extension, mustPromise)}`,
    details: { type, promised },
  });
}

function fittingNames(extension: string, mustPromise: boolean): string {
  if (extension === "") return "without an ending";
  return `that ends in ${extension}${mustPromise ? "" : ", or one without an ending"}`;
}

/**
 * Throws `navigation_failed` when what came is not of the expected group, or, where nothing is expected, when a page came
 * from an address that ends like a file.
 */
export async function assertIsFile(url: string, { type }: FileKind, expected: KindGroup | undefined): Promise<void> {
  const group = groupOf(type);
  const isRight = expected === undefined ? group !== "page" || !(await endsLikeFile(url)) : group === expected;
  if (isRight) return;
  throw new BrowseError("navigation_failed", `Cannot download "${url}": what came is ${type}`, {
    hint: "It may be a login, an error or a notice: look at it with `browse goto`",
    details: { type },
  });
}

/** `/report.pdf`, but not `/index.html` or `/readme.txt`, which servers like to show as pages. */
async function endsLikeFile(url: string): Promise<boolean> {
  const promised = await promisedType(URL.parse(url)?.pathname ?? "");
  return promised !== undefined && groupOf(promised) !== "page" && !promised.startsWith("text/");
}

function groupOf(type: string): KindGroup {
  if (type.startsWith("image/")) return "image";
  if (/^(video|audio)\//.test(type) || type === "application/ogg" || type === "application/mp4") return "video";
  return type === "text/html" || type === "application/xhtml+xml" ? "page" : "other";
}

/** Does the name say what came? */
export async function fitsName(name: string, { type }: FileKind): Promise<boolean> {
  const promised = await promisedType(name);
  return promised !== undefined && isPromise(promised, type);
}

function isPromise(promised: string, actual: string): boolean {
  if (promised === actual) return true;
  const [wanted, given] = [groupOf(promised), groupOf(actual)];
  // A drawing, or a page, that its sender calls text is what its name says.
  if (given === "other" && (promised === "image/svg+xml" || wanted === "page")) return /xml|text|octet/.test(actual);
  return wanted === given && wanted !== "image";
}

function plain(type: string): string {
  return ALIASES[type] ?? type;
}
