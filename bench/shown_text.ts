import type { Page } from "playwright";

/** The text that a person sees (`textContent` has the hidden too), by the driver alone: what our `text` is held against. */
export async function shownText(page: Page): Promise<string> {
  return await page.innerText("body");
}
