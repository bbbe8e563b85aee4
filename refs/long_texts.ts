/** Texts that are too long for the browser's accessibility tree. */
import type { CDPSession } from "playwright";
import { BrowseError } from "../rpc/errors.ts";

/** Chromium's time grows with the square of the lines that one text takes: with so many it is some ten seconds. */
const MAX_LINES = 20_000;
/** Shorter texts take no time worth counting. Characters. */
const MIN_LENGTH = 5_000;
const WORLD = "browse-lines";

/** Throws `too_large` for a text that the browser would be busy with for minutes, however short anyone waits for it. */
export async function assertReadable({ session, frameId }: { session: CDPSession; frameId: string }): Promise<void> {
  // A frame that leaves meanwhile has no text.
  const lines = await linesIn(session, frameId).catch(() => 0);
  if (lines <= MAX_LINES) return;
  const said = `The page has a text of some ${Math.round(lines)} lines`;
  throw new BrowseError("too_large", `${said}, over the ${MAX_LINES} that the browser can make a tree of`, {
    hint: "Read it with `browse text`, or look at its structure with `browse snapshot`",
    details: { maxLines: MAX_LINES },
  });
}

async function linesIn(session: CDPSession, frameId: string): Promise<number> {
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
    frameId,
    worldName: WORLD,
  });
  const expression = `(${countLines})(${MIN_LENGTH})`;
  const { result } = await session.send("Runtime.evaluate", { contextId, expression, returnByValue: true });
  return Number(result.value ?? 0);
}

/** Runs in a world of ours, as text: how many lines in one text would take as long as all long texts do. */
function countLines(minLength: number): number {
  const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  let squares = 0;
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const { parentElement } = text;
    if (!parentElement || (text as Text).length < minLength) continue;
    const range = document.createRange();
    range.selectNode(text);
    const { width, height } = range.getBoundingClientRect();
    const { lineHeight, fontSize } = getComputedStyle(parentElement);
    // Lines of upright writing follow each other from right to left.
    const lines = Math.max(width, height) / Math.max(1, Number.parseFloat(lineHeight) || Number.parseFloat(fontSize));
    squares += lines ** 2;
  }
  return Math.sqrt(squares);
}
