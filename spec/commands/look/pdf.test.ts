/** PDFs, opened by a reader of its own: pages, sizes, text, bookmarks, structure. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getDocumentProxy, getResolvedPDFJS } from "unpdf";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

/** Points in an inch. */
const POINTS = 72;

const BOOK = `<!doctype html><html lang="en"><title>The book</title><style>
    body { display: flex; flex-direction: column; background: white } h1, h2 { break-before: page }
    a { display: none !important } .red { background: rgb(255, 0, 0); height: 50px }
  </style>
  <p>Preface</p><h1 id="one">First <em>chapter</em></h1><p class="red">Red</p><h2>Section "a" &amp; b</h2><p>Text</p>
  <h1 id="twice">Second</h1><h2 id="twice">Third</h2><h3>Deep</h3><h4>Too deep</h4><h2 style="display:none">Hidden</h2>`;

/** A word in two corners of each page. */
const ENDS = `<!doctype html><title>Ends</title><style>p { position: fixed; margin: 0; font: 20px/20px monospace }</style>
  <p style="left: 0; top: 0">First</p><p style="right: 0; bottom: 0">Last</p>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/": BOOK, "/plain": "<!doctype html><title>Plain</title><p>No headings", "/ends": ENDS });
  project = await SharedProject.open();
  await project.run("goto", site.url);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

interface Opened {
  pages: string[];
  /** Points. */
  width: number;
  height: number;
  outline: { title: string; items: { title: string }[] }[] | null;
  isTagged: boolean;
  /** Texts of links on the first page, with the page each leads to. */
  links: { fragment: string; page: number }[];
  fills: string[];
}

async function print(...argv: string[]): Promise<Opened> {
  const { path } = await project.json("pdf", ...argv);
  return await open(String(path));
}

async function open(path: string): Promise<Opened> {
  const { OPS } = await getResolvedPDFJS();
  const document = await getDocumentProxy(new Uint8Array(readFileSync(path)));
  const pages: string[] = [];
  const fills = new Set<string>();
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    pages.push(items.map((item) => ("str" in item ? item.str : "")).join(" "));
    const { fnArray, argsArray } = await page.getOperatorList();
    for (const [index, operation] of fnArray.entries()) {
      if (operation === OPS.setFillRGBColor) fills.add(String(argsArray[index]));
    }
  }
  const first = await document.getPage(1);
  const [left = 0, bottom = 0, right = 0, top = 0] = first.view;
  const destinations = (await document.getDestinations()) as Record<string, [never]>;
  const links: Opened["links"] = [];
  for (const { dest } of await first.getAnnotations()) {
    const [place] = destinations[String(dest)] ?? [];
    if (place) links.push({ fragment: String(dest), page: 1 + (await document.getPageIndex(place)) });
  }
  return {
    pages,
    width: right - left,
    height: top - bottom,
    outline: (await document.getOutline()) as Opened["outline"],
    isTagged: (await document.getMarkInfo())?.Marked === true,
    links,
    fills: [...fills],
  };
}

/** Chromium rounds to units of its own, below a point. */
function expectPoints(points: number, inches: number): void {
  expect(Math.abs(points - inches * POINTS)).toBeLessThan(1);
}

describe("pdf", () => {
  it("goes to the artifacts without a path, upright on letter paper, and says how large it is", async () => {
    const { path, bytes, paper } = await project.json("pdf");
    expect(String(path).startsWith(join(project.stateDir, "artifacts/page-"))).toBe(true);
    expect(readFileSync(String(path)).length).toBe(bytes);
    expect(paper).toEqual({ width: 8.5, height: 11 });
    const { pages, width, height, outline, isTagged, fills } = await open(String(path));
    expect([width, height]).toEqual([8.5 * POINTS, 11 * POINTS]);
    expect(pages).toHaveLength(5);
    expect(pages[1]).toMatch(/First\s+chapter/);
    expect([outline, isTagged]).toEqual([null, false]);
    expect(fills.some((fill) => /255,0,0|#ff0000/i.test(fill))).toBe(false);
  });

  it("is on the paper that is asked for", async () => {
    const a5 = await print("--format", "a5");
    expectPoints(a5.width, 148 / 25.4);
    expectPoints(a5.height, 210 / 25.4);
    const own = await print("--width", "10cm", "--height", "4in", "--margin", "5mm");
    expectPoints(own.width, 10 / 2.54);
    expectPoints(own.height, 4);
  });

  it("has margins on each side as they are asked for, and room for a header or footer", async () => {
    await project.run("goto", `${site.url}/ends`);
    /** From the paper's edges to the words in the corners. */
    const spaces = async (...argv: string[]) => {
      const { path } = await project.json("pdf", ...argv);
      const document = await getDocumentProxy(new Uint8Array(readFileSync(String(path))));
      const { items } = await (await document.getPage(1)).getTextContent();
      const placeOf = (word: string) => {
        const item = items.find((one) => "str" in one && one.str.includes(word));
        if (!item || !("transform" in item)) throw new Error(`No ${word} on the page`);
        return {
          left: Number(item.transform[4]),
          right: Number(item.transform[4]) + item.width,
          y: Number(item.transform[5]),
        };
      };
      const [first, last] = [placeOf("First"), placeOf("Last")];
      return [first.left, 11 * POINTS - first.y, 8.5 * POINTS - last.right, last.y];
    };
    const narrow = await spaces("--margin", "0");
    const wide = await spaces(
      ...["--margin", "0", "--margin-left", "2in", "--margin-top", "1in"],
      ...["--margin-right", "0.5in", "--margin-bottom", "1.5in"],
    );
    for (const [index, inches] of [2, 1, 0.5, 1.5].entries()) expectPoints(wide[index]! - narrow[index]!, inches);
    const plain = await spaces();
    const numbered = await spaces("--page-numbers");
    const headed = await spaces("--header", "Head");
    for (const [index, mm] of [10, 10, 10, 10].entries()) expectPoints(plain[index]! - narrow[index]!, mm / 25.4);
    for (const [index, mm] of [10, 10, 10, 20].entries()) expectPoints(numbered[index]! - narrow[index]!, mm / 25.4);
    for (const [index, mm] of [10, 20, 10, 10].entries()) expectPoints(headed[index]! - narrow[index]!, mm / 25.4);
    await project.run("goto", site.url);
  });

  it("has backgrounds when they are asked for", async () => {
    const { fills } = await print("--background");
    expect(fills.some((fill) => /255,0,0|#ff0000/i.test(fill))).toBe(true);
  });

  it("has bookmarks of its headings with --outline, and structure with --tagged", async () => {
    const outlined = await print("--outline");
    expect(outlined.outline?.map(({ title, items }) => [title, items.map((item) => item.title)])).toEqual([
      ["First chapter", ['Section "a" & b']],
      ["Second", ["Third"]],
    ]);
    expect(outlined.isTagged).toBe(true);
    const tagged = await print("--tagged");
    expect([tagged.isTagged, tagged.outline]).toEqual([true, null]);
  });

  it("has page numbers, or a header and footer whose places are filled in", async () => {
    const numbered = await print("--page-numbers");
    expect(numbered.pages.map((text) => /(\d) \/ (\d)/.exec(text)?.[0])).toEqual([
      "1 / 5",
      "2 / 5",
      "3 / 5",
      "4 / 5",
      "5 / 5",
    ]);
    const { pages } = await print(
      "--header",
      "Top of <span class='title'></span>",
      "--footer",
      "Bottom of page <b class='pageNumber'></b>",
    );
    expect(pages[1]).toMatch(/Top of\s+The book/);
    expect(pages[1]).toMatch(/Bottom of page\s+2/);
  });

  it("has a table of contents with links and the right pages, and leaves the page as it was", async () => {
    const before = await project.run("html");
    const { pages, links } = await print("--toc", "--page-numbers");
    expect(pages).toHaveLength(6);
    expect(pages[0]).toMatch(/^Contents/);
    const entries = [/First chapter\s+3/, /Section "a" & b\s+4/, /Second\s+5/, /Third\s+6/, /Deep\s+6/];
    for (const entry of entries) expect(pages[0]).toMatch(entry);
    expect(pages[0]).not.toMatch(/Too deep|Hidden/);
    expect(links.map(({ page }) => page)).toEqual([3, 4, 5, 6, 6]);
    expect(pages[2]).toMatch(/3 \/ 6/);
    expect(await project.run("html")).toBe(before);
  });

  it("says that a page without headings has no contents to list", async () => {
    await project.run("goto", `${site.url}/plain`);
    const before = await project.run("html");
    expect(await project.refusal("pdf", "none.pdf", "--toc")).toMatchObject({ kind: "not_found" });
    expect(existsSync(join(project.dir, "none.pdf"))).toBe(false);
    expect(await project.run("html")).toBe(before);
    await project.run("goto", site.url);
  });

  it.each([
    [["--format", "a4", "--width", "10cm", "--height", "10cm"], "--format and --width"],
    [["--width", "10cm"], "given together"],
    [["--page-numbers", "--footer", "x"], "--page-numbers and --footer"],
    [["--format", "a99"], "letter"],
    [["--margin", "wide"], "must be a length"],
    [["--width", "-1cm", "--height", "1cm"], "--width"],
    [["--margin", "6in"], "leave no room"],
    [["--width", "0", "--height", "0"], "leave no room"],
    [["a.pdf", "b.pdf"], "Unexpected argument"],
  ])("refuses %j", async (argv, reason) => {
    const refusal = await project.refusal("pdf", ...argv);
    expect(refusal).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(refusal.message).toContain(reason);
  });

  it.each(["page.png", "page", "page.pdf.ts", "daemon.ts"])("refuses the name %s, and leaves no file", async (name) => {
    expect(await project.refusal("pdf", name)).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(existsSync(join(project.dir, name))).toBe(false);
  });
});

describe("pdf --from-file", () => {
  beforeEach(() => mkdirSync(join(project.dir, "options"), { recursive: true }));

  const write = (payload: unknown): string => {
    writeFileSync(
      join(project.dir, "options/print.json"),
      typeof payload === "string" ? payload : JSON.stringify(payload),
    );
    return "options/print.json";
  };

  it("takes the same options from a file, beside those on the command line", async () => {
    const path = write({ format: "a4", pageNumbers: true, header: "Over each page" });
    const { pages, width, isTagged } = await print("--from-file", path, "--tagged");
    expectPoints(width, 210 / 25.4);
    expect(pages[0]).toContain("Over each page");
    expect(pages[0]).toContain("1 / 5");
    expect(isTagged).toBe(true);
  });

  it.each([
    ["not json", "it is not JSON"],
    ["[1]", "unknown option"],
    ['"text"', "an object of options"],
    [{ format: "a99" }, '"format"'],
    [{ path: "/etc/passwd.pdf" }, 'unknown option "path"'],
    [{ force: true }, 'unknown option "force"'],
    [{ pageNumbers: "yes" }, '"pageNumbers" takes'],
    [{ margin: "wide" }, '"margin" must be a length'],
  ])("refuses %j", async (payload, reason) => {
    const refusal = await project.refusal("pdf", "bad.pdf", "--from-file", write(payload));
    expect(refusal).toMatchObject({ kind: "invalid_params", message: expect.stringContaining(reason) });
    expect(existsSync(join(project.dir, "bad.pdf"))).toBe(false);
  });

  it("refuses what a flag gives too, and files that may not be read", async () => {
    const path = write({ format: "a4" });
    expect(await project.refusal("pdf", "--from-file", path, "--format", "a5")).toMatchObject({
      kind: "invalid_params",
    });
    expect(await project.refusal("pdf", "--from-file", "/etc/passwd")).toMatchObject({ kind: "blocked_path" });
    expect(await project.refusal("pdf", "--from-file", ".browse/daemon.json")).toMatchObject({ kind: "blocked_path" });
    expect(await project.refusal("pdf", "--from-file", "nowhere.json")).toMatchObject({ kind: "not_found" });
  });
});
