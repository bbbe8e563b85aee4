/** Shorthands as the properties that they set, where the debugger does not say. */
import type { StyledNode } from "./read.ts";
import type { Longhand, Source, Written } from "./sources.ts";
import { supplierOf } from "./states.ts";

/** Completes `sources` in place. `known` has every property that is none. */
export async function expandShorthands(
  node: StyledNode,
  sources: readonly Source[],
  known: { has(name: string): boolean },
): Promise<void> {
  const isWhole = ({ name, isValid, longhands }: Written) =>
    !isValid || longhands.length > 1 || known.has(name) || name.startsWith("--") || name === "all";
  const unknown = sources.flatMap(({ written }) => written).filter((written) => !isWhole(written));
  const names = [...new Set(unknown.map(({ name }) => name))];
  const expanded = new Map(await longhandsOf(node, names));
  for (const written of unknown) {
    const longhands = expanded.get(written.name);
    if (longhands && longhands.length > 0) written.longhands = longhands;
  }
  for (const source of sources) {
    if (!source.hasText) source.written = withoutParts(source.written);
    for (const longhand of source.longhands) fillPending(source, longhand);
  }
}

/** What has no text was told with its shorthands and with all their parts. */
function withoutParts(written: readonly Written[]): Written[] {
  const parts = new Set(written.flatMap(({ longhands }) => (longhands.length > 1 ? longhands : [])));
  return written.filter(({ name, longhands }) => longhands.length > 1 || !parts.has(name));
}

function fillPending(source: Source, longhand: Longhand): void {
  if (longhand.value === "") longhand.value = supplierOf(source, longhand.name)?.value ?? "";
}

async function longhandsOf({ cdp, objectId }: StyledNode, names: readonly string[]): Promise<[string, string[]][]> {
  if (names.length === 0) return [];
  const { result } = await cdp.send("Runtime.callFunctionOn", {
    objectId,
    functionDeclaration: String(declaredBy),
    arguments: [{ value: names }],
    returnByValue: true,
  });
  return (result.value ?? []) as [string, string[]][];
}

/** Runs in our world of the page, as text. The element is in no document. */
function declaredBy(names: readonly string[]): [string, string[]][] {
  const { style } = document.createElementNS("http://www.w3.org/1999/xhtml", "i") as HTMLElement;
  return names.map((name) => {
    style.cssText = "";
    style.setProperty(name, "inherit");
    return [name, [...style]];
  });
}
