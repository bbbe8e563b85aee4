/** Passwords that pages send under names of their own: typed in every way, looked for in everything that is told or kept. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Project } from "../harness/project.ts";
import { SharedProject } from "../harness/shared_project.ts";
import { Site } from "../harness/site.ts";

const SECRETS = ["hunter & B2", "geheim99", "tippen77", "form-pass-5"];

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>In</title><form method=post action=/in>
      <input type=password name=pw aria-label=One><input type=password name="user[pass]" aria-label=Two>
      <input type=password name=kennwort aria-label=Three><input type=password name=zzz aria-label=Four>
      <input name=plain aria-label=Plain><button>Send</button></form>
      <script>document.forms[0].addEventListener("submit", () => {
        const [first, second] = document.querySelectorAll("input");
        console.log("sends " + first.value);
        navigator.sendBeacon("/in?q=" + encodeURIComponent(first.value), JSON.stringify({ k: second.value }));
      });</script>`,
    "/in": (_request, response) => response.setHeader("content-type", "text/html").end("<title>Done</title>Done"),
  });
  project = await SharedProject.open();
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

it("are masked in requests, archives, the console and the journal, and what is no secret is not", async () => {
  await project.run("goto", site.url);
  await project.run("fill", "label=One", "hunter & B2");
  await project.run("type", "label=Two", "geheim99");
  await project.run("focus", "label=Three");
  for (const key of "tippen77") await project.run("press", key);
  const { stderr } = await project.cli(["fill-form", "-"], {
    stdin: '{"label=Four":"form-pass-5","label=Plain":"visible"}',
  });
  expect(stderr).toBe("");
  await project.run("click", "text=Send");
  const { entries } = (await project.json("network", "--filter", "/in")) as { entries: { id: number }[] };
  const shown = await Promise.all(entries.map(async ({ id }) => await project.run("network", String(id))));
  await project.run("network", "--har", "all.har");
  const told = [
    ...shown,
    await project.run("console"),
    await project.run("network"),
    readFileSync(join(project.dir, "all.har"), "utf8"),
    await project.journal(),
  ].join("\n");
  expect(told).toContain("plain=visible");
  for (const secret of SECRETS) {
    for (const form of [secret, encodeURIComponent(secret), encodeURIComponent(secret).replaceAll("%20", "+")]) {
      expect(told).not.toContain(form);
    }
  }
});

it("are in no answer of an address that carries them", async () => {
  const { host } = new URL(site.url);
  expect(await project.run("goto", `http://ana:s3cret@${host}/`)).toBe(`Navigated to ${site.url}/ (200)`);
  expect(await project.run("url")).toBe(`${site.url}/`);
  expect(await project.run("tabs")).not.toContain("s3cret");
});
