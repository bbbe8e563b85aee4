/** What readers of a page come upon that nobody sees, for the content guard and for who reads. */
import { frameFault } from "../browser/driver/network_errors.ts";
import type { FailedFrame } from "../browser/effect_report.ts";
import { countOf, type HiddenTexts, hiddenFindings } from "../security/content/hidden_text.ts";
import { counted } from "../wording.ts";
import type { BaseContext } from "./context.ts";

/** Is told of each document. */
export type OnHidden = (hidden: HiddenTexts) => void;

/** Whatever becomes of the reading, what it came upon is told; of all documents together. */
export async function tellHidden<Answer>(
  { found }: Pick<BaseContext, "found">,
  read: (onHidden: OnHidden) => Promise<Answer>,
): Promise<Answer> {
  const documents: HiddenTexts[] = [];
  try {
    return await read((hidden) => documents.push(hidden));
  } finally {
    for (const finding of hiddenFindings(documents)) found(finding);
  }
}

/** The same of a reading that leaves it out: who reads is told what of the page is not in the answer. */
export async function tellLeftOut(
  context: Pick<BaseContext, "found" | "log">,
  read: (on: { onHidden: OnHidden; onFailedFrame: (failed: FailedFrame) => void }) => Promise<string>,
): Promise<string> {
  const documents: HiddenTexts[] = [];
  const failed: FailedFrame[] = [];
  const answer = await tellHidden(context, (tell) => {
    const onHidden = (hidden: HiddenTexts) => {
      documents.push(hidden);
      tell(hidden);
    };
    return read({ onHidden, onFailedFrame: (frame) => failed.push(frame) });
  });
  if (failed[0]) context.log("warning", missing(failed.length, failed[0]));
  const passages = documents.reduce((sum, hidden) => sum + hidden.passages, 0);
  const isAll = answer === "" && documents.some((hidden) => countOf(hidden) > 0);
  if (isAll) context.log("warning", ALL_LEFT_OUT);
  else if (passages > 0) context.log("warning", leftOut(passages));
  return answer;
}

const ALL_LEFT_OUT =
  "All text there is such that nobody can see it, and is left out: `browse snapshot` has it, marked hidden";

/** Their addresses may be none of the caller's. */
function missing(count: number, first: FailedFrame): string {
  const why = `${count === 1 ? "" : "the first of them: "}${frameFault(first)}`;
  return `${counted(count, "frame")} of the page could not be loaded (${why}): \`browse snapshot\` marks ${count === 1 ? "it" : "them"}`;
}

function leftOut(passages: number): string {
  return (
    `${counted(passages, "passage")} of the page ${passages === 1 ? "is" : "are"} hidden now and left out: ` +
    "`browse snapshot` has them, marked hidden; some pages show them when they are scrolled to"
  );
}
