/** What a PDF says, read from the file in a thread of its own. */
import nodeModule from "node:module";
import type * as unpdf from "unpdf";
import { abortable } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import { inThread, type Threads } from "./_library_thread.ts";

export interface PdfText {
  /** Empty where there is none. */
  title: string;
  /** Empty for a page that is an image. */
  pages: string[];
}

/** Throws `unsupported` for a file that is damaged, encrypted or no PDF. */
export async function readPdf(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  const library = nodeModule.createRequire(import.meta.url).resolve("unpdf");
  const answer = await abortable(inThread<PdfText | Failure>(extract, { bytes, library }, signal), signal);
  if (!("failure" in answer)) return answer;
  const isLocked = answer.failure === "PasswordException";
  throw new BrowseError("unsupported", isLocked ? "The PDF needs a password" : "This is not a PDF that can be read", {
    hint: isLocked
      ? "Ask whoever has it for one without"
      : "Look at it with `browse screenshot`, or with another program",
  });
}

interface Failure {
  /** The library's name for it. */
  failure: string;
}

async function extract({ parentPort, workerData }: Threads, load: (path: string) => unknown): Promise<void> {
  const { bytes, library } = workerData as { bytes: Uint8Array; library: string };
  const { extractText, getDocumentProxy } = load(library) as typeof unpdf;
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes));
    const { info } = await document.getMetadata();
    const { text } = await extractText(document, { mergePages: false });
    const title = (info as { Title?: unknown }).Title;
    parentPort?.postMessage({ title: typeof title === "string" ? title : "", pages: text });
  } catch (error) {
    parentPort?.postMessage({ failure: error instanceof Error ? error.name : "unknown" });
  }
}
