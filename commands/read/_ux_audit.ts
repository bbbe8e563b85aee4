/** What the main frame shows its visitor, with refs for whatever can be acted on. */

import type { Tab } from "../../browser/tabs/tab.ts";
import type { AuditedElement, AuditedList, PageAudit } from "../../refs/page/extract/protocol.ts";
import { ask } from "../../refs/reader.ts";
import { refsOf } from "../../refs/ref_table.ts";
import { cutUrl } from "../../security/secrets/redact.ts";

/** A part of the page's own answer with a ref in the place of its number. */
type Referenced<T> = Omit<T, "n"> & { ref: string };

export type UxAudit = Omit<PageAudit, "doc" | "search" | "landmarks" | "navigation" | "headings" | "interactive"> & {
  url: string;
  search: Referenced<AuditedElement> | null;
  landmarks: AuditedList<Referenced<PageAudit["landmarks"]["items"][number]>>;
  navigation: AuditedList<Referenced<PageAudit["navigation"]["items"][number]>>;
  headings: AuditedList<Referenced<PageAudit["headings"]["items"][number]>>;
  interactive: AuditedList<Referenced<PageAudit["interactive"]["items"][number]>>;
};

export async function auditPage(tab: Tab, { signal }: { signal: AbortSignal }): Promise<UxAudit> {
  const { frame } = tab;
  const { doc, ...page } = await ask(frame, "audit", {}, { signal });
  const withRef = <T extends AuditedElement>({ n, ...element }: T): Referenced<T> => {
    const { id } = refsOf(tab).giveDescribed(
      frame,
      doc,
      { n, role: element.role, name: element.name, tag: "" },
      "audit",
    );
    return { ref: id, ...element };
  };
  const all = <T extends AuditedElement>({ items, total }: AuditedList<T>) => ({ items: items.map(withRef), total });
  return {
    ...page,
    url: cutUrl(frame.url()),
    search: page.search && withRef(page.search),
    landmarks: all(page.landmarks),
    navigation: all(page.navigation),
    headings: all(page.headings),
    interactive: all(page.interactive),
  };
}
