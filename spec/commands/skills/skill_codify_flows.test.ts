/** Flows of other kinds: which of them become skills. The table in docs/design/skills.md says what is found here. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Site } from "../../harness/site.ts";
import { SkillProject } from "../../harness/skill_project.ts";

let project: SkillProject;

beforeAll(() => {
  project = new SkillProject();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.cli(["session", "close", "default"]);
});

const page = (body: string) => `<!doctype html><meta charset="utf-8"><title>T</title>${body}`;

describe("skill codify makes a skill of", () => {
  it("a table over several pages, which it reads to the end", async () => {
    const rows = (from: number) =>
      [0, 1].map((at) => `<tr><td>Part ${from + at}</td><td>${from + at} €</td></tr>`).join("");
    const table = (from: number, next?: string) =>
      page(
        `<table><tr><th>Name</th><th>Price</th></tr>${rows(from)}</table>${next ? `<a href="${next}">Next</a>` : ""}`,
      );
    await using site = await Site.serve({ "/": table(1, "/2"), "/2": table(3, "/3"), "/3": table(5) });
    await project.run("goto", site.url);
    await project.run("table", await project.ref("[table]"));
    await project.run("click", await project.ref('[link] "Next"'));
    await project.run("table", await project.ref("[table]"));
    expect(await project.codify("parts")).not.toContain("Left out table");
    const parts = (await project.resultOf("parts")) as { Name: string }[];
    expect(parts.map(({ Name }) => Name)).toEqual(["Part 1", "Part 2", "Part 3", "Part 4", "Part 5", "Part 6"]);
    // With fewer pages, so that it takes less time to come to the last.
    const script = project.script("parts").replaceAll("50", "2");
    writeFileSync(join(project.skillDir("parts"), "script.ts"), script);
    await expect(project.resultOf("parts")).rejects.toThrow("There are more than 2 pages");
  });

  it("one of many hits that share the word that was searched for, which keeps its whole name, and says so before it asks", async () => {
    await using site = await Site.serve({
      "/": (request, response) => {
        const q = new URL(request.url ?? "/", "http://x").searchParams.get("q");
        const hits = [1, 2, 3, 4].map((at) => `<li><a href="/of?n=${at}">Desk ${q} ${at}</a></li>`).join("");
        const list = q === null ? "" : `<ul>${hits}<li><a href="/of?n=rare">Rare ${q} find</a></li></ul>`;
        response.end(page(`<form><label>Search <input name="q"></label><button>Go</button></form>${list}`));
      },
      "/of": (request, response) => response.end(page(`<main>Number: ${request.url?.split("=")[1]}</main>`)),
    });
    const search = async (link: string) => {
      await project.run("goto", site.url);
      await project.run("fill", await project.ref('[textbox] "Search"'), "lamp");
      await project.run("click", await project.ref('[button] "Go"'));
      await project.run("click", await project.ref(`[link] "${link}"`));
      await project.run("text", "main");
    };
    await search("Desk lamp 4");
    const shown = await project.codify("fourth", "--arg", "q=lamp");
    const [before = ""] = shown.split("Keep this skill?");
    expect(before).toContain("whatever --arg q is");
    expect(shown.split("export async function main")).toHaveLength(2);
    expect(await project.resultOf("fourth")).toMatchObject({ fields: { Number: "4" } });
    await search("Rare lamp find");
    await project.codify("rare", "--arg", "q=lamp", "--arg", "what=rare");
    expect(project.script("rare")).toContain("containing(args.what)");
    expect(await project.resultOf("rare")).toMatchObject({ fields: { Number: "rare" } });
  });

  it("a login and a read behind it, whose password is an argument that nobody is shown", async () => {
    await using site = await Site.serve({
      "/": page(
        `<form action="/home"><label>User <input name="u"></label><label>Password <input type="password" name="p"></label><button>Log in</button></form>`,
      ),
      "/home": (request, response) => {
        const { searchParams } = new URL(request.url ?? "/", "http://x");
        const isIn = searchParams.get("p") === "hunter2-secret";
        response.end(page(isIn ? `<section aria-label="Account">Balance: 12 €</section>` : "<p>Wrong</p>"));
      },
    });
    await project.run("goto", site.url);
    await project.run("fill", await project.ref('[textbox] "User"'), "ann");
    await project.run("fill", await project.ref('[textbox] "Password"'), "hunter2-secret");
    await project.run("click", await project.ref('[button] "Log in"'));
    await project.run("text", await project.ref('[region] "Account"'));
    const shown = await project.codify("balance", "--arg", "user=ann");
    expect(shown).not.toContain("hunter2");
    expect(await project.resultOf("balance", "--arg", "password=hunter2-secret")).toMatchObject({
      fields: { Balance: "12 €" },
    });
  });

  it("a search with suggestions, of which the one that is named is taken", async () => {
    const script = `const cities = ["Berlin", "Bern", "Bergen"];
      q.oninput = () => setTimeout(() => { list.innerHTML = cities.filter((city) => city.startsWith(q.value)).map((city) => "<li role=option>" + city + "</li>").join(""); }, 40);
      list.onclick = (event) => { q.value = event.target.textContent; list.innerHTML = ""; out.textContent = "Weather: sunny in " + q.value; };`;
    await using site = await Site.serve({
      "/": page(
        `<label>City <input id="q"></label><ul id="list" role="listbox" aria-label="Cities"></ul><output id="out" aria-label="Result"></output><script>${script}</script>`,
      ),
    });
    await project.run("goto", site.url);
    await project.run("type", "Ber", "--into", await project.ref('[textbox] "City"'));
    await project.run("click", await project.ref('[option] "Berlin"'));
    await project.run("text", "#out");
    await project.codify("weather", "--arg", "begin=Ber", "--arg", "city=Berlin");
    expect(await project.resultOf("weather", "--arg", "city=Bergen")).toMatchObject({
      fields: { Weather: "sunny in Bergen" },
    });
  });

  it("a list without an end, as far as it was scrolled", async () => {
    const script = `let count = 0; const more = () => { for (let at = 0; at < 10; at++) list.insertAdjacentHTML("beforeend", "<li style='height:90px'><a href=/item/" + ++count + ">Item " + count + "</a></li>"); };
      more(); addEventListener("scroll", () => { if (count < 50 && innerHeight + scrollY > document.body.scrollHeight - 50) more(); });`;
    await using site = await Site.serve({ "/": page(`<ul id="list"></ul><script>${script}</script>`) });
    await project.run("goto", site.url);
    await project.run("scroll", "--to", "bottom");
    await project.run("scroll", "--to", "bottom");
    const { links } = (await project.json("links")) as { links: unknown[] };
    await project.codify("items");
    expect(await project.resultOf("items")).toHaveLength(links.length);
  });

  it("a form in a frame", async () => {
    await using site = await Site.serve({
      "/": page(`<h1>Rates</h1><iframe src="/form" width="600" height="300"></iframe>`),
      "/form": page(`<form action="/rate"><label>Currency <input name="c"></label><button>Show</button></form>`),
      "/rate": (request, response) => {
        const currency = new URL(request.url ?? "/", "http://x").searchParams.get("c");
        response.end(page(`<p role="group" aria-label="Rate">Rate: 1.1 ${currency}</p>`));
      },
    });
    await project.run("goto", site.url);
    await project.run("fill", await project.ref('[textbox] "Currency"'), "USD");
    await project.run("click", await project.ref('[button] "Show"'));
    await project.run("text", await project.ref('[group] "Rate"'));
    await project.codify("rate", "--arg", "currency=USD");
    expect(await project.resultOf("rate", "--arg", "currency=CHF")).toMatchObject({ fields: { Rate: "1.1 CHF" } });
  });
});
