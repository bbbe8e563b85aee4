/**
 * Every way out for what a page says: each command that has something of a page in its answer is run on a page that says
 * one word everywhere, and has that word between marks or within quotes. A command that is not listed here fails.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import "../../commands/mod.ts";
import { allCommands, type FromPage } from "../../commands/command.ts";
import { pngOf } from "../harness/pictures.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";
import { writeSkill } from "../harness/skills.ts";

const WORD = "Sesame";

const PAGE = `<!doctype html><html lang="${WORD}"><head><title>${WORD} &quot; is
 open</title><meta name="description" content="${WORD}"><link rel="icon" href="/${WORD}.ico"></head><body>
<h1 data-x="${WORD}">${WORD}</h1>
<a href="/${WORD}">${WORD}</a><a id="save" href="/file" download="${WORD}.txt">Save</a>
<label>${WORD} <input id="field" value="${WORD}" placeholder="${WORD}"></label>
<label><input type="checkbox" id="box"> ${WORD}</label>
<select id="list" aria-label="${WORD}"><option>One</option><option>${WORD}</option></select>
<input type="file" id="files" aria-label="${WORD}">
<button id="go" aria-label="${WORD}" onclick="document.body.append(Object.assign(document.createElement('p'), { textContent: '${WORD} came' }))">Go</button>
<button id="ask" onclick="alert('${WORD}')">Ask</button>
<p draggable="true" id="from">${WORD} from</p><p id="onto" ondragover="event.preventDefault()">${WORD} onto</p>
<table><tr><th>${WORD}</th></tr><tr><td>${WORD}</td></tr></table>
<img alt="${WORD}" src="/${WORD}.png"><video src="/${WORD}.mp4" title="${WORD}"></video>
<iframe name="${WORD}" src="/frame"></iframe>
<style>h1 { --x: "${WORD}"; background: url("/${WORD}.png") }</style>
<script>console.log("${WORD}"); localStorage.setItem("${WORD}", "${WORD}"); document.cookie = "${WORD}=${WORD}";
fetch("/${WORD}.json"); </script></body></html>`;

/** What has to come before it. */
const BEFORE: Record<string, readonly string[]> = {
  forward: ["back"],
  "note.show": ["note", "save", "steer.example", `${WORD} works with Enter`],
  "skill.run": ["skill", "restore", "steer"],
};

/** What each command is run with, which may be several times. */
const LINES: Record<string, readonly (readonly string[])[]> = {
  goto: [["SITE"]],
  reload: [[]],
  "load-html": [["--html", `<title>${WORD}</title>`]],
  back: [[]],
  forward: [[]],
  "stop-loading": [[]],
  title: [[]],
  text: [[], ["h1"]],
  html: [[], ["h1"]],
  markdown: [[]],
  links: [[]],
  media: [[]],
  data: [[]],
  table: [["table"]],
  forms: [[]],
  find: [[WORD]],
  value: [["#field"]],
  attrs: [["h1"]],
  a11y: [[]],
  accessibility: [[]],
  css: [["h1"]],
  inspect: [["h1"]],
  "ux-audit": [[]],
  perf: [[]],
  console: [[]],
  network: [[]],
  cookies: [[]],
  storage: [[]],
  dialog: [[]],
  frame: [["iframe"], ["main"]],
  js: [["document.title"]],
  eval: [["read.js"]],
  cdp: [["Page.getFrameTree"]],
  wait: [["h1"]],
  box: [["h1"]],
  snapshot: [[], ["-i"], ["-D"]],
  diff: [["SITE", "SITE/frame"]],
  click: [["#go"], ["#go", "-i"], ["#ask"]],
  fill: [["#field", WORD]],
  "fill-form": [[JSON.stringify({ "#field": WORD })]],
  type: [[WORD, "--into", "#field"]],
  press: [["Tab"]],
  select: [["#list", WORD]],
  check: [["#box"]],
  uncheck: [["#box"]],
  hover: [["#go"]],
  focus: [["#field"]],
  scroll: [["bottom"]],
  drag: [["#from", "#onto"]],
  drop: [["#onto", "read.js"]],
  upload: [["#files", "read.js"]],
  "dialog-accept": [],
  "dialog-dismiss": [],
  style: [["h1", "color", "red"]],
  cleanup: [[]],
  "mouse.move": [["1", "1"]],
  "mouse.down": [[]],
  "mouse.up": [[]],
  "mouse.wheel": [["0", "10"]],
  download: [["SITE/frame"]],
  scrape: [["images"]],
  archive: [[]],
  screenshot: [[]],
  prettyscreenshot: [[]],
  pdf: [[]],
  "record.start": [[]],
  "record.stop": [[]],
  "trace.start": [[]],
  "trace.stop": [[]],
  watch: [[], []],
  "watch.stop": [[]],
  "state.show": [["kept"]],
  newtab: [["SITE"]],
  tab: [["TAB"]],
  tabs: [[]],
  closetab: [[]],
  journal: [[]],
  events: [["console", "--since", "0", "--for", "200ms"]],
  chain: [["title | text h1 | click '#go'"]],
  batch: [["lines.txt"]],
  "tab-each": [["title"]],
  "note.show": [["steer.example"]],
  "skill.check": [["steer"]],
  // Needs a person: commands/skills/skill_codify.test.ts.
  "skill.codify": [],
  "skill.list": [[]],
  "skill.rm": [["steer"]],
  "skill.run": [["steer"]],
  "skill.show": [["steer"]],
  "skill.test": [["steer"]],
  "skill.trust": [["steer", "--revoke"]],
};

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": PAGE,
    [`/${WORD}.png`]: (_, response) =>
      void response.writeHead(200, { "content-type": "image/png" }).end(pngOf(300, 300)),
    "/frame": `<!doctype html><title>${WORD}</title><p>${WORD}</p>`,
  });
  project = new Project();
  writeFileSync(join(project.dir, "read.js"), "return document.title");
  writeFileSync(join(project.dir, "lines.txt"), "title\ntext h1\n");
  await project.run("goto", site.url);
  await project.run("state", "save", "kept");
  writeSkill(project.stateDir, "steer", {
    manifest: `source: human\ntriggers: ["${WORD}"]`,
    host: "shop.example",
    body: `log("${WORD}"); return "${WORD}";`,
    files: { "script.spec.ts": `import test from "node:test";\ntest("${WORD}", () => console.log("${WORD}"));\n` },
  });
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const MARKED = /⟦page ([0-9a-f]{8})[^⟧\n]*⟧\n[\s\S]*?⟦\/page \1⟧/g;
const QUOTED = /"(?:[^"\\\n]|\\.)*"/g;

/** The lines that have the page's word neither between marks nor within quotes, nor in an address. */
function bare(printed: string): string[] {
  const ours = printed
    .replace(MARKED, "")
    .replace(QUOTED, '""')
    .replace(/\bhttps?:\/\/\S+/g, "");
  return ours.split("\n").filter((line) => line.includes(WORD));
}

describe("every command says how much of its answer is a page's", () => {
  const all = allCommands().filter(({ fromPage }) => fromPage !== "nothing");
  it.each(all.map(({ name, fromPage }): [string, FromPage] => [name, fromPage]))("%s: %s", async (name, fromPage) => {
    const lines = LINES[name];
    expect(lines, `no line is written for "${name}" in this file`).toBeDefined();
    for (const words of lines ?? []) {
      for (const path of ["/frame", "/"]) await project.run("goto", `${site.url}${path}`);
      if (BEFORE[name]) await project.run(...BEFORE[name]);
      const tab = await project.currentTab();
      const argv = [...name.split("."), ...words.map((word) => word.replace("SITE", site.url).replace("TAB", tab))];
      const { stdout, stderr, exitCode } = await project.printed(argv);
      expect(exitCode, `${argv.join(" ")}: ${stderr}`).toBe(0);
      expect(bare(stdout), stdout).toEqual([]);
      expect(bare(stderr), stderr).toEqual([]);
      const marks = stdout.match(/⟦page /g)?.length ?? 0;
      if (fromPage === "whole") expect(marks, `${argv.join(" ")}: ${stdout}${stderr}`).toBe(1);
      if (fromPage === "parts") expect(marks).toBeLessThanOrEqual(1);
    }
  });
});
