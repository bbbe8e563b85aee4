/** The script that reads pages, as text. */

/** Set by the build; absent when the source is run as it is. */
declare const __BROWSE_READER__: string;

/** An expression that evaluates, in a page, to the reader's engine: `{ query, queryAll }`. */
export async function readerSource(): Promise<string> {
  if (typeof __BROWSE_READER__ !== "undefined") return __BROWSE_READER__;
  const { bundleReader } = await import("./bundle_reader.ts");
  return bundleReader();
}
