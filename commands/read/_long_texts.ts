/** Texts that are too long for the browser's accessibility tree. */
import { BrowseError } from "../../errors.ts";
import { type FrameOfSession, numberIn } from "../../refs/frames/frame_world.ts";

/** Chromium's time grows with the square of the lines that one text takes: with so many it is some ten seconds. */
const MAX_LINES = 20_000;
/** Shorter texts take no time worth counting. Characters. */
const MIN_LENGTH = 5_000;

/** Throws `too_large` for a text that the browser would be busy with for minutes, however short anyone waits for it. */
export async function assertReadable(frame: FrameOfSession): Promise<void> {
  const lines = await numberIn(frame, `(${countLines})(${MIN_LENGTH})`);
  if (lines <= MAX_LINES) return;
  const said = `The page has a text of some ${Math.round(lines)} lines`;
  throw new BrowseError("too_large", `${said}, over the ${MAX_LINES} that the browser can make a tree of`, {
    hint: "Read it with `browse text`, or look at its structure with `browse snapshot`",
    details: { maxLines: MAX_LINES },
  });
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
