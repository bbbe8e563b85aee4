/** The script that reads pages, as text. */

/** Set by the build; absent when the source is run as it is. */
declare const __BROWSE_READER__: string;

/** An expression that evaluates, in a page, to the reader's engine: `{ query, queryAll }`. */
export async function readerSource(): Promise<string> {
  // In this form the build leaves the bundler out; after a `return` it does not.
  if (typeof __BROWSE_READER__ === "undefined") {
    const { bundleReader } = await import("./bundle_reader.ts");
    return bundleReader();
  }
  return __BROWSE_READER__;
}
