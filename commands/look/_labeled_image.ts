/** Boxes with labels on an image, drawn in a page of their own in a context of its own: the tab never hears of it. */
import type { Browser } from "playwright";
import type { Area } from "../../browser/tabs/screenshot.ts";

export interface Label {
  text: string;
  /** In pixels of the image. */
  box: Area;
}

export interface Drawing {
  data: Buffer;
  width: number;
  height: number;
  labels: readonly Label[];
}

/** Told apart by neighbors having different ones, all readable under white text. */
const COLORS = ["#c2185b", "#1565c0", "#2e7d32", "#6a1b9a", "#ad4e00", "#00697a"];
const LABEL_HEIGHT = 14;
/** Of the label's font, at 11 px. */
const LETTER_WIDTH = 7;

/** The image as PNG. */
export async function drawLabels(browser: Browser, drawing: Drawing): Promise<Buffer> {
  const { width, height } = drawing;
  const context = await browser.newContext({ viewport: { width, height }, javaScriptEnabled: false, offline: true });
  try {
    const page = await context.newPage();
    await page.setContent(documentOf(drawing));
    return await page.screenshot({ type: "png" });
  } finally {
    await context.close();
  }
}

function documentOf({ data, width, height, labels }: Drawing): string {
  const size = `width="${width}" height="${height}"`;
  const boxes = labels.map((label, index) => drawn(label, COLORS[index % COLORS.length] ?? "#000", { width, height }));
  return `<!doctype html><style>body{margin:0}svg{position:absolute;left:0;top:0}</style>
<img src="data:image/png;base64,${data.toString("base64")}" ${size}>
<svg ${size} font-family="monospace" font-size="11" font-weight="bold">${boxes.join("")}</svg>`;
}

/** The label stands over the box where there is room, else under it, else in it. Texts are refs: nothing in them needs escaping. */
function drawn({ text, box }: Label, color: string, page: { width: number; height: number }): string {
  const labelWidth = text.length * LETTER_WIDTH + 4;
  const x = Math.max(0, Math.min(box.x, page.width - labelWidth));
  const bottom = box.y + box.height;
  const beside = box.y >= LABEL_HEIGHT ? box.y - LABEL_HEIGHT : bottom;
  const y = Math.max(0, beside + LABEL_HEIGHT <= page.height ? beside : box.y);
  return `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" fill="none" stroke="${color}" stroke-width="2"/>
<rect x="${x}" y="${y}" width="${labelWidth}" height="${LABEL_HEIGHT}" fill="${color}"/>
<text x="${x + 2}" y="${y + 11}" fill="#fff">${text}</text>`;
}
