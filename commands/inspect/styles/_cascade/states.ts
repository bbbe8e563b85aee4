/** What has become of each declaration as it was written. */
import { type CascadeOptions, canonicalName, type Outcome } from "./cascade.ts";
import { INHERITED_PROPERTIES } from "./inherited_properties.ts";
import type { Source, Written } from "./sources.ts";

export type DeclarationState = "applies" | "partly" | "overridden" | "reverts" | "invalid";

/** `isTaken` tells of properties that nearer elements have decided; only inherited declarations have such. */
export function stateOf(
  source: Source,
  written: Written,
  { winners, handedOver }: Outcome,
  options: CascadeOptions,
  isTaken: (property: string) => boolean = () => false,
): DeclarationState {
  if (!written.isValid) return "invalid";
  if (source.longhands.some((longhand) => handedOver.has(longhand) && written.longhands.includes(longhand.name))) {
    return "reverts";
  }
  const known = new Set(options.allProperties);
  const properties = written.longhands.map((name) => ({ name, property: canonicalName(name, known, options.writing) }));
  const applying = properties.filter(({ name, property }) => {
    const isSupplied = supplierOf(source, name) === written;
    if (written.name === "all") return isSupplied && [...winners.values()].some((winner) => winner.source === source);
    return isSupplied && winners.get(property)?.source === source && !isTaken(property);
  });
  if (applying.length === 0) return "overridden";
  return applying.length === properties.length ? "applies" : "partly";
}

/** The last that was written for a property is the one that counts, but what is important stays. */
export function supplierOf({ written, longhands }: Source, name: string): Written | undefined {
  const important = longhands.find((longhand) => longhand.name === name)?.important ?? false;
  return written.findLast((one) => one.isValid && one.important === important && one.longhands.includes(name));
}

/** Does any of what is written come down to children? */
export function isInherited({ name, longhands }: Written, registered: ReadonlyMap<string, boolean>): boolean {
  return [name, ...longhands].some((property) => isInheritedProperty(property, registered));
}

/** `registered` are custom properties with a definition of their own, and whether they are inherited. */
export function isInheritedProperty(property: string, registered: ReadonlyMap<string, boolean>): boolean {
  if (property.startsWith("--")) return registered.get(property) ?? true;
  return property === "all" || INHERITED_PROPERTIES.has(property);
}
