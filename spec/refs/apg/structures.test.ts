/** The patterns that lay things out: tabs, trees, grids, disclosures and the like, each driven to its documented end state by refs alone. */
import { describe, expect, it } from "vitest";
import { usePatterns } from "./patterns.ts";

const { click, focus, focused, js, lines, linesOf, open, press, ref, run, textOf } = usePatterns();

describe("tabs", () => {
  it("show the panel of the tab that is clicked, and its controls", async () => {
    await open("tabs");
    expect(await linesOf("tab")).toEqual(['[tab] "Ahlefeldt" selected', '[tab] "Lange-Müller"', '[tab] "Nielsen"']);
    await click('[tab] "Nielsen"');
    expect(await lines()).toEqual([
      '[heading] "Composers" level=1',
      '[tablist] "Composers"',
      '[tab] "Ahlefeldt"',
      '[tab] "Lange-Müller"',
      '[tab] "Nielsen" selected focused',
      '[tabpanel] "Nielsen"',
      '[button] "Play the fourth"',
    ]);
    expect(await js("p3.hidden || !p1.hidden")).toBe(false);
  });

  it("follow the arrow keys, round the ends", async () => {
    await open("tabs");
    await focus('[tab] "Ahlefeldt"');
    await press("ArrowLeft", "ArrowLeft");
    expect(await linesOf("tab")).toContain('[tab] "Lange-Müller" selected focused');
    expect(await linesOf("link")).toEqual(['[link] "Works by Lange-Müller"']);
    await press("Home");
    expect(await js("p1.hidden")).toBe(false);
  });
});

describe("a tree", () => {
  it("opens and closes the branch that is clicked, also over its open children", async () => {
    await open("tree");
    expect(await linesOf("treeitem")).toEqual(['[treeitem] "Projects" collapsed', '[treeitem] "Letters" collapsed']);
    await click('[treeitem] "Projects"');
    await click('[treeitem] "Drafts"');
    await click('[treeitem] "second.txt"');
    expect(await textOf("file")).toBe("second.txt");
    expect(await linesOf("treeitem")).toEqual([
      '[treeitem] "Projects" expanded',
      '[treeitem] "plan.txt"',
      '[treeitem] "Drafts" expanded',
      '[treeitem] "first.txt"',
      '[treeitem] "second.txt" selected focused',
      '[treeitem] "budget.txt"',
      '[treeitem] "Letters" collapsed',
    ]);
    await click('[treeitem] "Projects"');
    expect(await textOf("file")).toBe("Projects");
    expect(await linesOf("treeitem")).toEqual([
      '[treeitem] "Projects" selected collapsed focused',
      '[treeitem] "Letters" collapsed',
    ]);
  });

  it("is walked by arrow keys", async () => {
    await open("tree");
    await focus('[treeitem] "Projects"');
    await press("ArrowRight", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight", "Enter");
    expect(await textOf("file")).toBe("first.txt");
    await press("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft");
    expect(await linesOf("treeitem")).toContain('[treeitem] "Projects" collapsed focused');
  });
});

describe("a treegrid", () => {
  it("shows its rows with their states, and opens the one that is clicked", async () => {
    await open("treegrid");
    const rows = await linesOf("row");
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatch(/^\[row\] "Treegrids are great .*" expanded level=1$/);
    await click('[row] "Lunch');
    expect((await linesOf("row")).at(-1)).toMatch(/^\[row\] "re: Lunch .*" level=2$/);
    expect(await js("rows[5].hidden")).toBe(false);
    await click('[row] "Treegrids are great');
    expect((await linesOf("row"))[0]).toMatch(/ collapsed focused level=1$/);
    expect(await linesOf("row")).toHaveLength(3);
  });

  it("is walked by rows and into their links, and opens a message", async () => {
    await open("treegrid");
    await focus('[row] "Treegrids are great');
    await press("ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "Enter");
    expect(await textOf("opened")).toBe("re: Are too");
    await press("ArrowLeft", "ArrowRight");
    expect(await linesOf("link")).toContain('[link] "dan@example.com"');
    await press("ArrowLeft", "ArrowRight");
    expect(await focused()).toMatch(/example\.com/);
    await click('[row] "re: Treegrids are great', "--double");
    expect(await textOf("opened")).toBe("re: Treegrids are great");
  });
});

describe("a grid", () => {
  it("shows its cells, is walked and edited by keys", async () => {
    await open("grid");
    expect(await linesOf("gridcell")).toHaveLength(9);
    await click('[gridcell] "2 Jan"');
    await press("ArrowRight", "ArrowDown");
    expect(await linesOf("gridcell")).toContain('[gridcell] "Down town grocery" focused');
    await press("Enter");
    expect(await linesOf("textbox")).toEqual(['[textbox] "Description" value="Down town grocery" focused']);
    await run("fill", await ref('[textbox] "Description"'), "Corner shop");
    await press("Enter");
    expect(await linesOf("gridcell")).toContain('[gridcell] "Corner shop" focused');
    await press("Control+End");
    expect(await focused()).toBe("9");
    expect(await js("body.rows[1].cells[1].textContent")).toBe("Corner shop");
  });

  it("is sorted by its headers, and its refs stay with their cells", async () => {
    await open("grid");
    const coffee = await ref('[gridcell] "Hot coffee"');
    await click('[button] "Amount"');
    expect(await js("[...body.rows].map((row) => row.cells[2].textContent)")).toEqual(["9", "25", "100"]);
    expect((await linesOf("gridcell"))[1]).toBe('[gridcell] "Hot coffee"');
    await click('[columnheader] "Description"');
    expect(await js("body.rows[2].cells[1].textContent")).toBe("Hot coffee");
    await run("click", coffee, "--double");
    expect(await js("document.querySelector('input').value")).toBe("Hot coffee");
    await press("Escape");
    expect(await linesOf("gridcell")).toContain('[gridcell] "Hot coffee" focused');
  });
});

describe("a disclosure", () => {
  it("shows and hides what it controls", async () => {
    await open("disclosure");
    const QUESTION = '[button] "What do I do if I have a permit?"';
    expect(await linesOf("link")).toEqual([]);
    await click(QUESTION);
    expect(await lines()).toEqual(expect.arrayContaining([`${QUESTION} expanded focused`, '[link] "See the map"']));
    await press("Enter");
    expect(await lines()).toContain(`${QUESTION} collapsed focused`);
    expect(await js("a1.hidden")).toBe(true);
  });

  it("of HTML does so too", async () => {
    await open("disclosure");
    await click('"What does it cost?"');
    expect((await lines()).find((line) => line.includes("What does it cost?"))).toContain(" expanded");
    expect(await linesOf("link")).toEqual(['[link] "See all prices"']);
    expect(await js("document.querySelector('details').open")).toBe(true);
  });

  it("of a navigation closes its neighbor, and itself at Escape", async () => {
    await open("disclosure");
    await click('[button] "About"');
    await click('[button] "Academics"');
    expect(await linesOf("link")).toEqual(['[link] "Calendar"']);
    await press("Escape");
    expect(await linesOf("button")).toEqual(
      expect.arrayContaining(['[button] "About" collapsed', '[button] "Academics" collapsed focused']),
    );
    await click('[button] "About"');
    expect(await click('[link] "Facts"')).toContain("#facts");
  });
});

describe("an accordion", () => {
  it("opens one section at a time and keeps its open header from closing", async () => {
    await open("accordion");
    expect(await linesOf("button")).toEqual([
      '[button] "Personal information" expanded disabled',
      '[button] "Billing address" collapsed',
      '[button] "Shipping" collapsed',
    ]);
    await click('[button] "Billing address"');
    await run("check", await ref('[checkbox] "Same as delivery"'));
    expect(await linesOf("checkbox")).toEqual(['[checkbox] "Same as delivery" checked focused']);
    await focus('[button] "Billing address"');
    await press("ArrowDown", "Space");
    await run("check", await ref('[radio] "Fast"'));
    expect(await lines()).toEqual([
      '[heading] "Checkout" level=1',
      '[button] "Personal information" collapsed',
      '[button] "Billing address" collapsed',
      '[button] "Shipping" expanded disabled',
      '[region] "Shipping"',
      '[radio] "Slow"',
      '[radio] "Fast" checked focused',
    ]);
    expect(await js("document.querySelector('[name=same]').checked && !s3.hidden && s1.hidden && s2.hidden")).toBe(
      true,
    );
  });
});

describe("a carousel", () => {
  it("is stopped, moved by its buttons and by its tabs", async () => {
    await open("carousel");
    await click('[button] "Stop automatic slide show"');
    expect(await linesOf("button")).toContain('[button] "Start automatic slide show" focused');
    await click('[tab] "Slide 4"');
    expect(await lines()).toEqual([
      '[heading] "Television" level=1',
      '[region] "Highlighted shows"',
      '[button] "Start automatic slide show"',
      '[tablist] "Slides"',
      '[tab] "Slide 1"',
      '[tab] "Slide 2"',
      '[tab] "Slide 3"',
      '[tab] "Slide 4" selected focused',
      '[button] "Previous slide"',
      '[button] "Next slide"',
      '[tabpanel] "4 of 4"',
      '[link] "Tea at the villa"',
    ]);
    await click('[button] "Next slide"');
    expect(await linesOf("link")).toEqual(['[link] "Foyle\'s war"']);
    await click('[button] "Previous slide"');
    await focus('[tab] "Slide 4"');
    await press("ArrowLeft");
    expect(await linesOf("tab")).toContain('[tab] "Slide 3" selected focused');
    expect(await js("current()")).toBe(2);
  });
});
