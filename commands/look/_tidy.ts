/** A tab's page without what lies over its content, for as long as somebody looks. */
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { resolve } from "../../refs/find/target.ts";
import { ask } from "../../refs/reader.ts";

interface TidyOptions {
  /** Elements of the main frame to hide besides: refs or selectors. */
  also: readonly string[];
  signal: AbortSignal;
}

/**
 * Runs `look` while consent bars, dialogs and what sticks to the window are hidden, then puts everything back, also
 * when `look` fails. Throws what `resolve` throws before anything is hidden.
 */
export async function whileTidy<T>(
  tab: Tab,
  { also, signal }: TidyOptions,
  look: () => Promise<T>,
): Promise<{ seen: T; hidden: string[] }> {
  const frame = tab.page.mainFrame();
  const refs = [];
  for (const target of also) refs.push(await resolve(tab, target, { signal }));
  const elsewhere = refs.find((ref) => ref.frame !== frame);
  if (elsewhere) {
    throw new BrowseError(
      "unsupported",
      `${elsewhere.id} is in a frame: only what is in the page itself can be hidden`,
      {
        hint: "Name the element that holds the frame",
      },
    );
  }
  const { hidden } = await ask(frame, "tidy", { also: refs.map(({ n }) => n) }, { signal });
  try {
    return { seen: await look(), hidden };
  } finally {
    // A page that has gone has nothing to be put back.
    await ask(frame, "untidy", {}).catch(() => undefined);
  }
}
