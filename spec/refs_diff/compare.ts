/** One page as our reader and as the driver see it, element by element, and where they differ. */
import type { Page } from "playwright";
import type { ElementStates } from "../../refs/page/protocol.ts";
import { type AriaNode, type DriverNode, flatten } from "./driver_tree.ts";
import type { FrameSightings, Sighting } from "./sightings.ts";

/** Name of the selector engine that looks at both. */
export const SIGHTINGS = "sightings";

export interface Difference {
  what: "role" | "name" | "state" | "driver only" | "ours only" | "text";
  /** Absent for what the driver gives no ref: it has no box, or takes no pointer. */
  element?: Sighting;
  ours?: string;
  driver?: string;
  /** What only the driver lists. */
  node?: { role: string; name: string; isEmpty: boolean; ancestors: { role: string; name: string }[] };
  /** A text that is the value of a field which our reader masks. */
  isSecret?: true;
  /** A text that is drawn nowhere: it is for browsers that do not know the element. */
  isFallback?: true;
}

export interface Comparison {
  url: string;
  /** Nodes that both list. */
  both: number;
  /** Of those, the ones with the same role and name. */
  agreeing: number;
  differences: Difference[];
}

/** Roles without meaning, which our reader never lists: text stands for them. */
const WITHOUT_LINE = new Set(["generic", "fragment"]);

/** The driver needs long for the largest pages. */
const TIMEOUT_MS = 180_000;

/** The page must be loaded, and the engine {@link SIGHTINGS} registered. */
export async function compare(page: Page): Promise<Comparison> {
  const { nodes, texts } = flatten(await page.ariaSnapshotJSON({ mode: "ai", timeout: TIMEOUT_MS }));
  const frames = await Promise.all(
    page
      .frames()
      .map(async (frame) => JSON.parse((await frame.textContent(`${SIGHTINGS}=all`)) ?? "") as FrameSightings),
  );
  const comparison = new PageComparison(
    frames.flatMap((frame) => frame.elements),
    nodes,
  );
  comparison.compareTexts(texts, frames);
  const { both, agreeing, differences } = comparison;
  return { url: page.url(), both, agreeing, differences };
}

class PageComparison {
  readonly differences: Difference[] = [];
  both = 0;
  agreeing = 0;
  /** The driver's names by ref, before it left out those that its tree repeats. */
  readonly #names: ReadonlyMap<string, string>;

  constructor(elements: Sighting[], nodes: DriverNode[]) {
    this.#names = new Map(elements.flatMap(({ driver }) => (driver ? [[driver.ref, driver.name]] : [])));
    const listed = new Map(nodes.map((node) => [node.ref, node]));
    const unplaced = nodes.filter((node) => node.ref === undefined && !WITHOUT_LINE.has(node.role));
    for (const element of elements) {
      const { ours, driver } = element;
      const node = driver && listed.get(driver.ref);
      if (driver && WITHOUT_LINE.has(driver.role)) {
        if (ours) this.#compareUnplaced(element, unplaced);
      } else if (ours && driver) this.#compareBoth(element, driver, node);
      else if (ours) this.#compareUnplaced(element, unplaced);
      else if (node) this.#addDriverOnly(node, element);
    }
    for (const node of unplaced) this.#addDriverOnly(node);
  }

  /** Text as words: what stands in one line on one side may be several on the other. */
  compareTexts(texts: string[], frames: FrameSightings[]): void {
    const spoken = frames.map((frame) => frame.said).join("\n");
    const words = new Set(spoken.split(/\s+/));
    const said = squeeze(spoken);
    const secrets = new Set(frames.flatMap((frame) => frame.secrets));
    const fallbacks = new Set(frames.flatMap((frame) => frame.fallbacks));
    for (const text of texts) {
      if (text.split(/\s+/).every((word) => words.has(word) || said.includes(squeeze(word)))) continue;
      this.differences.push({
        what: "text",
        driver: text,
        ...(secrets.has(text) && { isSecret: true }),
        ...(fallbacks.has(text) && { isFallback: true }),
      });
    }
  }

  #compareBoth(element: Sighting, driver: { role: string; name: string }, node: DriverNode | undefined): void {
    const ours = element.ours ?? { role: "", name: "" };
    const before = this.differences.length;
    this.#compareField("role", element, ours.role, driver.role);
    // The driver names no frame and nothing that `aria-hidden` hides, on purpose: there is nothing to compare with.
    const isNamed = driver.role !== "iframe" && !(ours.hidden === "aria-hidden" && driver.name === "");
    if (isNamed) this.#compareField("name", element, ours.name, driver.name);
    this.both++;
    if (this.differences.length === before) this.agreeing++;
    if (node) this.#compareField("state", element, statesText(ours.states), statesText(node));
  }

  #compareField(what: Difference["what"], element: Sighting, ours: string, driver: string): void {
    if (ours !== driver) this.differences.push({ what, element, ours, driver });
  }

  /** What the driver gave no ref is matched by role and name, in order. */
  #compareUnplaced(element: Sighting, unplaced: DriverNode[]): void {
    const { role = "", name = "" } = element.ours ?? {};
    const same = unplaced.findIndex((node) => node.role === role && (node.name ?? "") === name);
    const [node] = same < 0 ? [] : unplaced.splice(same, 1);
    if (node) this.#compareBoth(element, { role: node.role, name: node.name ?? "" }, node);
    else this.differences.push({ what: "ours only", element, ours: line(role, name) });
  }

  #addDriverOnly(node: DriverNode, element?: Sighting): void {
    const { role } = node;
    const name = this.#nameOf(node);
    const ancestors = node.ancestors.map((ancestor) => ({ role: ancestor.role, name: this.#nameOf(ancestor) }));
    const isEmpty = name === "" && !node.text && !node.children?.length;
    this.differences.push({
      what: "driver only",
      driver: line(role, name),
      node: { role, name, isEmpty, ancestors },
      ...(element && { element }),
    });
  }

  #nameOf({ ref, name = "" }: AriaNode): string {
    return (ref === undefined ? undefined : this.#names.get(ref)) ?? name;
  }
}

/** States that both sides give, false left out as the driver does. */
function statesText(states: Partial<Pick<DriverNode, keyof ElementStates & keyof DriverNode>> | undefined): string {
  const { checked, pressed, disabled, expanded, active, invalid, level, selected } = states ?? {};
  return Object.entries({ checked, pressed, disabled, expanded, active, invalid: Boolean(invalid), level, selected })
    .filter(([, value]) => value)
    .map(([name, value]) => (value === true ? name : `${name}=${value}`))
    .join(" ");
}

function line(role: string, name: string): string {
  return `[${role}] ${JSON.stringify(name)}`;
}

/** Without white space and marks that nobody sees. */
export function squeeze(text: string): string {
  return text.replace(/[\s\u200b\u00ad]+/g, "");
}
