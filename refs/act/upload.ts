/** Giving files to a file field, or to whatever opens a file chooser. */
import { basename } from "node:path";
import type { FileChooser } from "playwright";
import { abortable } from "../../abort.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { noteTouched } from "../effects/touched_frames.ts";
import { ask, locatorOf } from "../reader.ts";
import { labelOf, type Ref } from "../ref_table.ts";
import { clickElement } from "./click.ts";
import { expectedOf } from "./hit_target.ts";
import { refused } from "./refusal.ts";

/** From the press to the chooser it opens. */
const MAX_CHOOSER_MS = 3_000;

interface UploadOptions {
  signal: AbortSignal;
}

/**
 * A file field, hidden or not, gets the files; anything else is pressed and its chooser answered. The names it was given.
 * Throws `not_found` when no chooser opens, `invalid_params` for several files where one is taken, and what `press` throws.
 */
export async function upload(
  tab: Tab,
  ref: Ref,
  paths: readonly string[],
  { signal }: UploadOptions,
): Promise<string[]> {
  noteTouched(tab, ref.frame);
  const answer = await ask(ref.frame, "fileField", expectedOf(ref), { signal });
  if (answer.state !== "file-field") throw refused(tab, ref, answer);
  if (answer.field) {
    const { n, multiple } = answer.field;
    assertCount(ref, paths, multiple);
    tab.noteInput();
    await locatorOf(ref.frame, { doc: ref.doc, n }).setInputFiles([...paths], { signal, timeout: 0 });
  } else {
    const chooser = await choose(tab, ref, signal);
    assertCount(ref, paths, chooser.isMultiple());
    tab.noteInput();
    tab.events.emit("filesGiven");
    await abortable(chooser.setFiles([...paths], { timeout: 0 }), signal);
  }
  return paths.map((path) => basename(path));
}

async function choose(tab: Tab, ref: Ref, signal: AbortSignal): Promise<FileChooser> {
  const opened = tab.page.waitForEvent("filechooser", { timeout: 0 });
  // The tab may close, or the press be refused, with nobody left to wait for it.
  opened.catch(() => undefined);
  await clickElement(tab, ref, { signal });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), MAX_CHOOSER_MS);
  });
  try {
    const chooser = await abortable(Promise.race([opened, late]), signal);
    if (chooser) return chooser;
  } finally {
    clearTimeout(timer);
  }
  throw new BrowseError("not_found", `${labelOf(ref)} was pressed, but opened no file chooser`, {
    hint: "Name the file field itself: `browse upload 'input[type=file]' <file>`",
  });
}

function assertCount(ref: Ref, { length }: readonly string[], multiple: boolean): void {
  if (multiple || length === 1) return;
  throw new BrowseError("invalid_params", `${labelOf(ref)} takes one file, not ${length}`, { hint: "Give one file" });
}
