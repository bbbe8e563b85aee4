/** What readers of a page come upon that nobody sees, for the content guard. */
import { type HiddenTexts, hiddenFindings } from "../security/content/hidden_text.ts";
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
