/** An element's styles as an answer: what each rule declares, and what has become of it. */
import { type CascadeOptions, cascade, type Outcome } from "./cascade.ts";
import type { Styles } from "./read.ts";
import type { Source } from "./sources.ts";
import { type DeclarationState, isInherited, isInheritedProperty, stateOf } from "./states.ts";

export interface RuleReport extends Pick<Source, "kind" | "origin" | "selector" | "specificity" | "conditions"> {
  /** `address:line`. */
  source?: string;
  declarations: { name: string; value: string; important?: true; state: DeclarationState }[];
}

export interface StyleReport {
  /** The strongest first, as far as no `!important` says otherwise. */
  rules: RuleReport[];
  /** Of ancestors, the nearest first: what comes down to the element, or would. */
  inherited: { from: string; rules: RuleReport[] }[];
  pseudoElements: { name: string; rules: RuleReport[] }[];
  /** The winning declaration of each property that one was declared for. */
  applied: Record<string, { value: string; from: string }>;
  computed: Record<string, string>;
}

interface ReportOptions {
  /** The browser's own rules too, and every computed value. */
  all: boolean;
}

/** Told even when nothing was declared for them. */
const ALWAYS_COMPUTED = ["display", "position", "width", "height", "color", "background-color", "font-size"];

export function reportStyles(styles: Styles, { all }: ReportOptions): StyleReport {
  const options: CascadeOptions = {
    writing: {
      writingMode: styles.computed.get("writing-mode") ?? "horizontal-tb",
      direction: styles.computed.get("direction") ?? "ltr",
    },
    treeScope: styles.treeScope,
    allProperties: [...styles.computed.keys()],
  };
  const isShown = ({ origin }: Source) => all || origin !== "user-agent";
  const outcome = cascade(styles.own, options);
  const applied = appliedOf(outcome, isShown);
  const inherited = inheritedReports(styles, outcome, options, isShown, applied);
  return {
    rules: ruleReports(styles.own.filter(isShown), outcome, options),
    inherited,
    pseudoElements: styles.pseudoElements.flatMap(({ name, sources }) => {
      const rules = ruleReports(sources.filter(isShown), cascade(sources, options), options);
      return rules.length === 0 ? [] : [{ name, rules }];
    }),
    applied: Object.fromEntries(applied),
    computed: Object.fromEntries(
      [...styles.computed].filter(([name]) => all || applied.has(name) || ALWAYS_COMPUTED.includes(name)),
    ),
  };
}

type Applied = Map<string, { value: string; from: string }>;

function appliedOf({ winners }: Outcome, isShown: (source: Source) => boolean, where = ""): Applied {
  const shown = [...winners].filter(([, { source }]) => isShown(source));
  return new Map(
    shown.map(([property, { source, declaration }]) => [
      property,
      { value: declaration.value, from: `${nameOf(source)}${where}` },
    ]),
  );
}

/** `.card h2 (shop.css:12)`. */
function nameOf({ kind, selector, location }: Source): string {
  const name = kind === "rule" ? selector : [kind.replace("-", " "), selector].join(" ").trim();
  return location === undefined ? name : `${name} (${location})`;
}

function ruleReports(
  sources: readonly Source[],
  outcome: Outcome,
  options: CascadeOptions,
  isTaken?: (property: string) => boolean,
): RuleReport[] {
  return sources.toReversed().map((source) => {
    const { kind, origin, selector, specificity, location, conditions, written } = source;
    return {
      kind,
      origin,
      selector,
      ...(specificity && { specificity }),
      ...(location !== undefined && { source: location }),
      conditions,
      declarations: written.map((one) => ({
        name: one.name,
        value: one.value,
        ...(one.important && { important: true as const }),
        state: stateOf(source, one, outcome, options, isTaken),
      })),
    };
  });
}

const FROM_PARENT = /^(?:inherit|unset)$/i;

/** Adds to `applied` what comes down from ancestors. */
function inheritedReports(
  { inherited, registered }: Styles,
  own: Outcome,
  options: CascadeOptions,
  isShown: (source: Source) => boolean,
  applied: Applied,
): StyleReport["inherited"] {
  const decided = new Set<string>();
  const decide = ({ winners }: Outcome) => {
    for (const [property, { declaration }] of winners) {
      if (isInheritedProperty(property, registered) && !FROM_PARENT.test(declaration.value)) decided.add(property);
    }
  };
  decide(own);
  return inherited.flatMap(({ from, sources }) => {
    const comingDown = sources.map((source) => onlyInherited(source, registered));
    const outcome = cascade(comingDown, options);
    const taken = new Set(decided);
    const shown = comingDown.filter((source) => isShown(source) && source.written.length > 0);
    const rules = ruleReports(shown, outcome, options, (property) => taken.has(property));
    for (const [property, entry] of appliedOf(outcome, isShown, `, inherited from ${from}`)) {
      const isPassedOn = FROM_PARENT.test(entry.value);
      if (!taken.has(property) && !isPassedOn) applied.set(property, entry);
    }
    decide(outcome);
    return rules.length === 0 ? [] : [{ from, rules }];
  });
}

function onlyInherited(source: Source, registered: ReadonlyMap<string, boolean>): Source {
  return {
    ...source,
    written: source.written.filter((one) => isInherited(one, registered)),
    longhands: source.longhands.filter(({ name }) => isInheritedProperty(name, registered)),
  };
}
