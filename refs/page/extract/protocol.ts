/** What the daemon may ask of a page's pictures, films, metadata, tables and make-up. Types only, for both sides. */
import type { HiddenTexts } from "../../../security/content/hidden_text.ts";
import type { Box, DocumentId, ElementId, ElementNumber, Gone } from "../protocol.ts";

/** A film that comes in pieces: no file to be had. `pieces` is put together by the page's own script. */
export type StreamKind = "hls" | "dash" | "pieces";

export interface MediaSource {
  /** Absolute. */
  url: string;
  /** MIME type, where the page tells. */
  type?: string;
  /** Of a `srcset`: `2x`, `640w`. */
  for?: string;
}

export interface MediaDescription {
  kind: "image" | "video" | "audio";
  /** How the page shows it. */
  as: "element" | "background" | "poster";
  /** Absolute; what is shown now, else what will be. */
  url: string;
  /** MIME type, where the page tells. */
  type?: string;
  alt?: string;
  /** Pixels of the picture or film itself; absent until it is loaded. */
  width?: number;
  height?: number;
  /** Seconds. */
  durationS?: number;
  /** Where it is, in the frame's viewport. */
  box: Box;
  isVisible: boolean;
  /** It waits to come into view: by `loading=lazy`, or by an attribute that a script reads. */
  isLazy?: true;
  /** Other addresses of the same thing. */
  sources?: MediaSource[];
  stream?: StreamKind;
  n: ElementNumber;
}

/** What a download of an element means. */
export interface ElementSource {
  /** Absolute. */
  url: string;
  /** Absent for what the element only leads to. */
  kind?: MediaDescription["kind"];
  stream?: StreamKind;
}

/** A cell as it is written; what it spans is the reader's business. */
export interface TableCell {
  text: string;
  columns: number;
  /** 0 is to the end of its group. */
  rows: number;
  isHeader: boolean;
}

export interface TableRow {
  /** Rows of one `thead`, `tbody` or `tfoot` share it. */
  group: number;
  isHead: boolean;
  cells: TableCell[];
}

export interface TableDescription {
  caption: string;
  rows: TableRow[];
  /** What of its text nobody sees. */
  hidden?: HiddenTexts;
}

export interface MetaEntry {
  /** `name`, `property`, `http-equiv` or `itemprop`. */
  name: string;
  content: string;
}

export interface LinkEntry {
  rel: string;
  /** Absolute. */
  href: string;
  type?: string;
  title?: string;
  hreflang?: string;
  sizes?: string;
}

export interface PageMetadata {
  url: string;
  title: string;
  lang: string;
  charset: string;
  meta: MetaEntry[];
  links: LinkEntry[];
  /** The text of each JSON-LD script. */
  jsonld: string[];
}

export interface AuditedElement {
  n: ElementNumber;
  role: string;
  name: string;
}

export interface AuditedList<T> {
  items: T[];
  /** How many there are, with those beyond the limit. */
  total: number;
}

export interface PageAudit {
  doc: DocumentId;
  title: string;
  lang: string;
  description: string;
  siteName: string;
  /** Where the start page is. */
  home: { text: string; url: string } | null;
  /** The picture that stands for the site. */
  logo: { alt: string; url: string } | null;
  search: AuditedElement | null;
  viewport: { width: number; height: number };
  pageHeight: number;
  landmarks: AuditedList<AuditedElement>;
  navigation: AuditedList<AuditedElement & { links: { text: string; url: string; isCurrent: boolean }[] }>;
  headings: AuditedList<AuditedElement & { level: number }>;
  interactive: AuditedList<AuditedElement & { width: number; height: number; isInView: boolean; isDisabled: boolean }>;
  text: AuditedList<{ words: number; excerpt: string; width: number; fontSize: number }>;
  forms: AuditedList<{ name: string; fields: number; required: number; unlabeled: number; submit: string }>;
}

export interface Tidied {
  /** What was hidden, as `div "We use cookies"`. */
  hidden: string[];
}

export interface ContentsEntry {
  level: number;
  text: string;
  /** The fragment that leads to it. */
  id: string;
}

export interface ExtractOperations {
  media: { params: Partial<ElementId>; answer: { state: "here"; media: MediaDescription[] } | Gone };
  /** The address that an element shows or leads to; null when it has none. */
  source: { params: ElementId; answer: { state: "here"; source: ElementSource | null } | Gone };
  metadata: { params: Record<string, never>; answer: PageMetadata };
  /** The element when it is a table, else the tables in it that are not in one another. */
  tables: { params: Partial<ElementId>; answer: { state: "here"; tables: TableDescription[]; count: number } | Gone };
  audit: { params: Record<string, never>; answer: PageAudit };
  /** Hides what lies over the page until `untidy`. */
  tidy: { params: { also: ElementNumber[] }; answer: Tidied };
  untidy: { params: Record<string, never>; answer: { restored: number } };
  /** Puts a table of contents before the page's content until `removeContents`. */
  addContents: { params: { title: string }; answer: { entries: ContentsEntry[] } };
  /** Writes the pages beside the entries; an entry without one goes. */
  numberContents: { params: { pages: Record<string, number> }; answer: { left: number } };
  removeContents: { params: Record<string, never>; answer: { restored: number } };
}
