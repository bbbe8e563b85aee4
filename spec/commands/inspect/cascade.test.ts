/** Holds our cascade against Chromium's own: what wins by ours is what each property has computed to. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { INHERITED_PROPERTIES } from "../../../commands/inspect/styles/_cascade/inherited_properties.ts";
import { physicalName } from "../../../commands/inspect/styles/_cascade/logical_properties.ts";
import { readStyles } from "../../../commands/inspect/styles/_cascade/read.ts";
import { reportStyles, type StyleReport } from "../../../commands/inspect/styles/_cascade/report.ts";
import { withDebugNode } from "../../../refs/find/debug_node.ts";
import { openStage, type Stage } from "../../refs/act/stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

async function report(target: string): Promise<StyleReport> {
  const styles = await withDebugNode(stage.tab, await stage.ref(target), readStyles);
  return reportStyles(styles, { all: true });
}

/** By physical name: initial values. */
const PROPERTIES = [
  ["margin-left", "0px"],
  ["margin-top", "0px"],
  ["padding-left", "0px"],
  ["letter-spacing", "normal"],
  ["word-spacing", "0px"],
] as const;
const WRITTEN = ["margin-left", "margin", "margin-inline-start", "padding-left", "letter-spacing", "word-spacing"];
const SELECTORS = [
  ".a",
  "#t",
  "section",
  ".a.b",
  "#p > .b",
  ":is(.a, #none)",
  ":where(#t)",
  ".b:not(.c)",
  "#p",
  "div",
  ".a, .b",
];
const WRAPPERS = [
  "",
  "",
  "@layer one",
  "@layer two",
  "@layer one.inner",
  "@layer",
  "@media (min-width: 1px)",
  "@media (max-width: 1px)",
  "@supports (display: grid)",
  "@scope (#p)",
];

const declaration = fc.record({
  property: fc.constantFrom(...WRITTEN),
  // A length in most cases.
  keyword: fc.constantFrom("revert", "revert-layer", ...Array.from({ length: 10 }, () => undefined)),
  isImportant: fc.boolean(),
});
const rule = fc.record({
  selector: fc.constantFrom(...SELECTORS),
  wrapper: fc.constantFrom(...WRAPPERS),
  declarations: fc.array(declaration, { minLength: 1, maxLength: 3, size: "max" }),
});
/** Without a bias to the first values of each list, which would seldom let two properties compete. */
const page = fc.noBias(
  fc.record({
    rules: fc.array(rule, { minLength: 1, maxLength: 12, size: "max" }),
    own: fc.array(declaration, { maxLength: 3, size: "max" }),
    parents: fc.array(declaration, { maxLength: 3, size: "max" }),
    writing: fc.constantFrom("", "dir=rtl", 'style="writing-mode: vertical-rl"'),
  }),
);

/** Each declaration has a length of its own, so that the computed value tells which of them it is. */
function markup({ rules, own, parents, writing }: typeof page extends fc.Arbitrary<infer T> ? T : never): string {
  let length = 10;
  const text = (declarations: typeof own) =>
    declarations
      .map(({ property, keyword, isImportant }) => {
        return `${property}: ${keyword ?? `${++length}px`}${isImportant ? " !important" : ""}`;
      })
      .join("; ");
  const sheets = rules.map(({ selector, wrapper, declarations }) => {
    const block = `${selector} { ${text(declarations)} }`;
    return wrapper === "" ? block : `${wrapper} { ${block} }`;
  });
  const half = Math.ceil(sheets.length / 2);
  return `<!doctype html><style>@layer two, one;${sheets.slice(0, half).join("\n")}</style>
    <style>${sheets.slice(half).join("\n")}</style>
    <body ${writing}><div id="p" style="${text(parents)}"><section id="t" class="a b" style="${text(own)}">x</section></div>`;
}

describe("the declaration that wins", () => {
  it("is the one that the browser has computed from, whatever competes", async () => {
    await fc.assert(
      fc.asyncProperty(page, async (made) => {
        await stage.show(markup(made));
        const [own, parent] = [await report("#t"), await report("#p")];
        for (const [property, initial] of PROPERTIES) {
          const without = INHERITED_PROPERTIES.has(property) ? parent.computed[property] : initial;
          expect([property, own.applied[property]?.value ?? without]).toEqual([property, own.computed[property]]);
        }
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it.each([
    ["an outer rule over :host", "#plain", "1px"],
    ["the inner :host when both are important", "#insisting", "2px"],
    ["a part's rule from outside over its own tree's", ".inner", "3px"],
    ["a slotted element's own tree over ::slotted", "#light", "4px"],
  ])("is %s", async (_what, target, expected) => {
    await stage.show(`<!doctype html><style>
        x-card { outline-offset: 1px } #insisting { outline-offset: 9px !important }
        x-card::part(in) { outline-offset: 3px } #light { outline-offset: 4px }
      </style><x-card id="plain"><b id="light">x</b></x-card><x-card id="insisting"></x-card>
      <script>
        for (const host of document.querySelectorAll("x-card")) {
          const own = host.id === "plain" ? "8px" : "2px !important";
          host.attachShadow({ mode: "open" }).innerHTML = "<style>:host { outline-offset: " + own + " }" +
            ".inner { outline-offset: 7px } ::slotted(b) { outline-offset: 6px }</style><slot></slot>" +
            (host.id === "plain" ? "<i class=inner part=in style='outline-offset: 5px'>y</i>" : "");
        }
      </script>`);
    const { applied, computed } = await report(target);
    expect(computed["outline-offset"]).toBe(expected);
    expect(applied["outline-offset"]?.value).toBe(expected);
  });

  it("is an animation's over all that is not important, and a transition's over everything", async () => {
    await stage.show(`<!doctype html><style>
      @keyframes grow { from, to { outline-offset: 3px; letter-spacing: 3px } }
      #t { animation: grow 100s; outline-offset: 1px; letter-spacing: 5px !important }</style>
      <p id="t" style="outline-offset: 2px">x</p>`);
    const { applied, computed } = await report("#t");
    expect(computed).toMatchObject({ "outline-offset": "3px", "letter-spacing": "5px" });
    expect(applied["outline-offset"]).toEqual({ value: "3px", from: "animation grow" });
    expect(applied["letter-spacing"]?.value).toBe("5px");
  });
});

describe("inherited properties", () => {
  it("are those that Chromium hands down", async () => {
    await stage.show("<!doctype html><div id=p><span id=c></span></div>");
    const asked = await stage.tab.page.evaluate(probeInheritance, VALUES);
    const inherited = Object.keys(asked).filter((name) => asked[name]);
    // The first computes from its parent, the others are not handed down by definition.
    const known = new Set([...INHERITED_PROPERTIES, "user-select", "unicode-bidi", "app-region"]);
    expect(inherited.length).toBeGreaterThan(80);
    expect(inherited.filter((name) => !known.has(name))).toEqual([]);
    expect(Object.keys(asked).filter((name) => !asked[name] && INHERITED_PROPERTIES.has(name))).toEqual([]);
  });
});

/** For each property one of these is another than its initial value, or it is not asked about. */
const VALUES = (
  "7px 3 0.5 red none auto normal hidden visible bold italic center right inside circle uppercase pre nowrap rtl vertical-rl " +
  "collapse pointer hide show break-all anywhere small-caps underline over under left fill stroke dark light round middle end " +
  "evenodd block flex absolute scroll both upright open manual balance monospace 200% disc keep-all"
).split(" ");

function probeInheritance(values: string[]): Record<string, boolean> {
  const [parent, child] = ["p", "c"].map((id) => document.getElementById(id) as HTMLElement) as [
    HTMLElement,
    HTMLElement,
  ];
  const of = (element: HTMLElement, name: string) => getComputedStyle(element).getPropertyValue(name);
  const found: Record<string, boolean> = {};
  for (const name of getComputedStyle(child)) {
    const [initial, childs] = [of(parent, name), of(child, name)];
    for (const value of values) {
      parent.style.setProperty(name, value);
      const changed = of(parent, name);
      if (changed !== initial) found[name] = of(child, name) === changed && childs !== changed;
      parent.style.cssText = "";
      if (changed !== initial) break;
    }
  }
  return found;
}

describe("a logical property", () => {
  it.each([
    ["margin-inline-start", "horizontal-tb", "ltr", "margin-left"],
    ["margin-inline-start", "horizontal-tb", "rtl", "margin-right"],
    ["padding-block-end", "vertical-rl", "ltr", "padding-left"],
    ["inset-inline-end", "vertical-lr", "ltr", "bottom"],
    ["inset-inline-start", "sideways-lr", "ltr", "bottom"],
    ["border-block-start-color", "horizontal-tb", "ltr", "border-top-color"],
    ["border-start-end-radius", "horizontal-tb", "ltr", "border-top-right-radius"],
    ["border-start-end-radius", "vertical-rl", "ltr", "border-bottom-right-radius"],
    ["min-inline-size", "vertical-rl", "ltr", "min-height"],
    ["overflow-block", "horizontal-tb", "ltr", "overflow-y"],
    ["color", "horizontal-tb", "ltr", "color"],
  ])("%s in %s %s is %s", (name, writingMode, direction, expected) => {
    expect(physicalName(name, { writingMode, direction })).toBe(expected);
  });
});
