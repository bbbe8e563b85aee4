/** Operations on what a page carries beside its text, and on its make-up for pictures and print. */

import type { Elements } from "./dom/elements.ts";
import { audit } from "./extract/audit.ts";
import { addContents, numberContents, removeContents } from "./extract/contents.ts";
import { media, source } from "./extract/media.ts";
import { metadata } from "./extract/metadata.ts";
import type { ExtractOperations } from "./extract/protocol.ts";
import { tables } from "./extract/tables.ts";
import { tidyOperations } from "./extract/tidy.ts";
import type { Described } from "./protocol.ts";

type Params<Name extends keyof ExtractOperations> = ExtractOperations[Name]["params"];

export function extractOperations(elements: Elements, describe: (element: Element) => Described) {
  return {
    media: (params: Params<"media">) => media(elements, params),
    source: (params: Params<"source">) => source(elements, params),
    metadata: () => metadata(),
    tables: (params: Params<"tables">) => tables(elements, params),
    audit: () => audit(elements),
    ...tidyOperations(elements, describe),
    addContents: ({ title }: Params<"addContents">) => addContents(title),
    numberContents: ({ pages }: Params<"numberContents">) => ({ left: numberContents(pages) }),
    removeContents: () => ({ restored: removeContents() }),
  };
}
