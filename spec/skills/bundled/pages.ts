/** Sites that the skills that ship are run against: what they say of themselves is what real ones do. */
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { type Page, Site } from "../../harness/site.ts";

const PASSWORD = "correct horse";

function html(title: string, body: string): string {
  return `<!doctype html><title>${title}</title>${body}`;
}

const loginForm = (said = "") =>
  html(
    "Log in",
    `<form method="post" action="/login">${said}<label>User <input name="user"></label>
     <label>Password <input type="password" name="pw"></label><button type="button">Show</button><button>Log in</button></form>`,
  );

/** Takes one password, and repeats what else it is given. */
const login: Page = async (request: IncomingMessage, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  if (request.method !== "POST") return void response.end(loginForm());
  const given = new URLSearchParams(await text(request)).get("pw");
  if (given === PASSWORD) return void response.writeHead(303, { location: "/home" }).end();
  response.end(loginForm(`<p role="alert">Wrong password: ${given}</p>`));
};

const find: Page = ({ url = "" }, response) => {
  const query = new URL(url, "http://localhost").searchParams.get("q") ?? "";
  const found = query === "lamp" ? ["Desk lamp", "Oil lamp"] : [];
  const items = found.map((name, index) => `<li><h3><a href="/lamp/${index}">${name}</a></h3></li>`).join("");
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(
    html(
      "Results",
      `<nav><ul><li><a href="/all">All lamps</a></li></ul></nav><main><h1>${found.length} results for ${query}</h1><ol>${items}</ol></main>
       <footer><a href="/imprint">Imprint of the lamp shop</a></footer>`,
    ),
  );
};

const header = `<header><form action="/find" role="search"><input name="q" aria-label="Find"><button>Go</button></form></header>`;

/** A page whose results come later, by a script, and whose box is shown by a button. */
const scripted = html(
  "Shop",
  `<button aria-label="Search" onclick="box.hidden = false">🔍</button><input id="box" type="search" hidden onkeydown="if (event.key === 'Enter') look()">
   <main id="out"></main><script>
   function look() { setTimeout(async () => { await fetch("/slow"); out.innerHTML = '<article><a href="/lamp/9">Lamp of ' + box.value + '</a></article>'; }, 50); }
   </script>`,
);

const paragraph =
  "<p>Two rivers meet here, and the older one is slower than the other, which comes from the hills.</p>";

export async function serveSite(): Promise<Site> {
  return await Site.serve({
    "/login": login,
    "/home": html("Home", `<h1>Welcome</h1><a href="/out">Log out</a>`),
    "/sign-up": html(
      "Join",
      `<form method="post"><input type="password"><input type="password"><button>Join</button></form>`,
    ),
    "/get": html(
      "Log in",
      `<form action="/found"><input name="u"><input type="password" name="p"><button>Log in</button></form>`,
    ),
    "/shop": html("Shop", `${header}<main><h1>Shop</h1></main>`),
    "/find": find,
    "/scripted": scripted,
    "/slow": "",
    "/plain": html("Plain", `<label>Your name <input></label>`),
    "/article": html(
      "Two rivers",
      `<nav><a href="/">Home</a></nav><article><h2>Where they meet</h2>${paragraph.repeat(20)}</article><footer>Ends here</footer>`,
    ),
    "/tables": html(
      "Ships",
      `<h2>Today</h2><table><caption>Arrivals</caption><tr><th>Ship</th><th>Cargo</th></tr><tr><td>Ida, of Lundby</td><td>the "best" salt</td></tr>
       <tr hidden><td>Ghost</td><td>none</td></tr></table><h2>Tomorrow</h2><table><tr><td rowspan="2">Nora</td><td>a<br>b</td></tr><tr><td>c</td></tr></table>`,
    ),
  });
}

interface Linked {
  /** Pages of the site, each of which links to the next eight below it. */
  pages: number;
  robots?: string;
  sitemap?: string;
}

/** A site of many pages, all of which can be reached from the first. */
export async function serveLinked({ pages, robots, sitemap }: Linked): Promise<Site> {
  const plain =
    (type: string, body: string): Page =>
    (_, response) =>
      void response.writeHead(200, { "content-type": type }).end(body);
  const below = (page: number) =>
    Array.from({ length: 8 }, (_, link) => page * 8 + link + 1)
      .filter((each) => each < pages)
      .map((each) => `<li><a href="/page/${each}#top">Page ${each}</a></li>`);
  const paths = Array.from({ length: pages }, (_, page) => [
    page === 0 ? "/" : `/page/${page}`,
    html(
      `Page ${page}`,
      `<h1>Page ${page}</h1><ul>${below(page).join("")}</ul><a href="https://elsewhere.example/">Elsewhere</a>`,
    ),
  ]);
  return await Site.serve({
    ...Object.fromEntries(paths),
    ...(robots !== undefined && { "/robots.txt": plain("text/plain", robots) }),
    ...(sitemap !== undefined && { "/sitemap.xml": plain("application/xml", sitemap) }),
  });
}

export const RIGHT_PASSWORD = PASSWORD;
