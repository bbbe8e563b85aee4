/** Cases of roles and names: markup whose `[t]` element must have this role and this name. */
import { ask } from "../../refs/reader.ts";
import type { Stage } from "./act/stage.ts";

export type NamedCase = [html: string, role: string, name: string];

/** The cases with the role and name that were found, to compare with them; all on one page under `head`. */
export async function foundNames(stage: Stage, head: string, cases: NamedCase[]): Promise<unknown[]> {
  await stage.show(`${head}${cases.map(([html]) => `<section>${html}</section>`).join("\n")}`);
  const { doc, found } = await ask(stage.tab.page.mainFrame(), "query", { by: "css", value: "[t]", max: 1000 });
  // Those that cannot be seen come last in an answer.
  const placed = await Promise.all(found.map(async (entry) => [await placeOf(stage, doc, entry.n), entry] as const));
  const inOrder = placed.sort((a, b) => a[0] - b[0]).map(([, entry]) => entry);
  return inOrder.map(({ role, name }, i) => [cases[i]?.[0], role, name]);
}

async function placeOf(stage: Stage, doc: string, n: number): Promise<number> {
  const element = stage.tab.page.locator(`browse=${n}@${doc}`);
  return await element.evaluate((it) => [...document.querySelectorAll("[t]")].indexOf(it));
}
