import * as v from "valibot";
import type { Tab } from "../../browser/tabs/tab.ts";
import { refOfFirst, resolve } from "../../refs/find/target.ts";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";
import { type Audit, type AuditedElement, audit } from "./_axe_audit.ts";

/** Elements of a rule that the text shows; the typed answer has all of them. */
const MAX_SHOWN = 10;
const MAX_REFS = 100;

const RuleSchema = v.strictObject({
  id: v.string(),
  impact: v.pipe(v.nullable(v.string()), v.description("critical, serious, moderate or minor")),
  help: v.string(),
  helpUrl: v.string(),
  tags: v.array(v.string()),
  elements: v.array(
    v.strictObject({
      ref: v.exactOptional(
        v.pipe(v.string(), v.description("Of the first elements, outside of frames and shadow roots")),
      ),
      selector: v.string(),
      html: v.string(),
      summary: v.pipe(v.string(), v.description("What to change")),
      frames: v.exactOptional(
        v.pipe(v.array(v.string()), v.description("Selectors of the iframes around it, from the outside in")),
      ),
    }),
  ),
});

type Rule = v.InferOutput<typeof RuleSchema>;

export default defineCommand({
  name: "a11y",
  category: "inspect",
  summary: "Test the page, or an element, against accessibility rules",
  description:
    "The rules are those of axe-core. It runs apart from the page, in every frame, and leaves the page untouched.",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "page",
  fromPage: "whole",
  timeoutMs: 60_000,
  params: v.strictObject({
    target: v.exactOptional(Target),
    tags: v.exactOptional(
      v.pipe(
        v.string(),
        v.regex(/^[\w.-]+(?:,[\w.-]+)*$/, "must be tags with commas between them: wcag2a,wcag2aa"),
        v.description("Only rules with one of these tags, such as wcag2a,wcag21aa,best-practice"),
      ),
    ),
  }),
  cli: { positional: ["target"] },
  result: v.strictObject({
    violations: v.array(RuleSchema),
    incomplete: v.pipe(v.array(RuleSchema), v.description("What only a person can judge")),
    passes: v.array(v.string()),
  }),
  examples: ["browse a11y", "browse a11y main --tags wcag2a,wcag2aa"],
  async run({ tab, signal }, { target, tags }) {
    const ref = target === undefined ? undefined : await resolve(tab, target, { signal });
    return await withRefs(tab, await audit(tab, { ref, tags: tags?.split(",") }), signal);
  },
  render({ violations, incomplete, passes }) {
    const review = incomplete.length === 0 ? "" : `, ${incomplete.length} for a person to judge`;
    const head = `${violations.length} rules violated, ${passes.length} passed${review}`;
    return [
      head,
      ...violations.flatMap(ruleLines),
      ...incomplete.map(({ id, help, elements }) => `judge ${id}: ${help} (${elements.length})`),
    ].join("\n");
  },
});

/** Of each rule's elements those that are shown. */
async function withRefs(tab: Tab, found: Audit, signal: AbortSignal): Promise<Audit> {
  const shown = found.violations.flatMap(({ elements }) => elements.slice(0, MAX_SHOWN));
  const selectors = new Set(shown.flatMap(({ selector, frames }) => (frames ? [] : [selector])));
  const refs = new Map(
    await Promise.all(
      [...selectors].slice(0, MAX_REFS).map(async (css) => [css, await refOfFirst(tab, css, signal)] as const),
    ),
  );
  const named = (element: AuditedElement): AuditedElement => {
    const ref = element.frames ? undefined : refs.get(element.selector);
    return ref === undefined ? element : { ref, ...element };
  };
  return {
    ...found,
    violations: found.violations.map((rule) => ({ ...rule, elements: rule.elements.map(named) })),
  };
}

function ruleLines({ id, impact, help, helpUrl, elements }: Rule): string[] {
  const shown = elements.slice(0, MAX_SHOWN).flatMap(({ ref, selector, summary, frames = [] }) => {
    const place = [selector, ...frames.toReversed()].join(" in ");
    return [`  ${ref === undefined ? "" : `${ref} `}${place}`, `    ${summary}`];
  });
  const more = elements.length > MAX_SHOWN ? [`  … and ${elements.length - MAX_SHOWN} more`] : [];
  return [`${impact ?? "unrated"} ${id}: ${help} (${helpUrl})`, ...shown, ...more];
}
