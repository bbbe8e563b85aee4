import { documentShell, repeat } from "./document_shell.ts";

/** Elements in one section. */
const SECTION_ELEMENTS = 20;

/** A document to read with about so many elements: headings, paragraphs, lists, here and there a link. */
export function longDocumentPage(elements: number): string {
  const section = (n: number) =>
    `<section><h2>Section ${n}</h2>${repeat(4, (p) => `<p>Paragraph ${p} of section ${n} says <em>something</em> of no <strong>consequence</strong>.</p>`)}` +
    `<ul><li>First of ${n}</li><li>Second of ${n}</li><li>Third of ${n}</li></ul><p><a href="/document?section=${n}">More on ${n}</a></p></section>`;
  const sections = repeat(Math.round(elements / SECTION_ELEMENTS), section);
  return documentShell(`${elements} elements`, `<article><h1>The long document</h1>${sections}</article>`);
}
