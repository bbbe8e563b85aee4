/** Operations on what a page carries beside its text, and on its make-up for pictures and print. */
import { audit } from "./audit.ts";
import { addContents, numberContents, removeContents } from "./contents.ts";
import type { Elements } from "./elements.ts";
import type { ExtractOperations } from "./extract_protocol.ts";
import { media, source } from "./media.ts";
import { metadata } from "./metadata.ts";
import type { Described } from "./protocol.ts";
import { tables } from "./tables.ts";
import { tidyOperations } from "./tidy.ts";

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
