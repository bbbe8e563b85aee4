import { cpSync, existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Project } from "../harness/project.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Puts what is built where npm would, beside the packages that it brings along, and no others. Gives the client. */
function install(folder: string): string {
  const app = join(folder, "node_modules/browse");
  cpSync(join(ROOT, "dist"), join(app, "dist"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(app, "package.json"));
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: true }>;
  };
  for (const [path, { dev }] of Object.entries(packages)) {
    const isTop = path !== "" && path.lastIndexOf("node_modules/") === 0;
    if (dev || !isTop || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
  return join(app, "dist/browse.mjs");
}

test("what npm installs for users, without development packages, drives a page", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "browse-installed-"));
  const client = install(folder.path);
  expect(existsSync(join(folder.path, "node_modules/vitest"))).toBe(false);
  await using project = new Project({}, { client });
  cpSync(join(ROOT, "spec/fixtures/apg/disclosure.html"), join(project.dir, "page.html"));
  await project.run("load-html", "page.html");
  expect(await project.run("snapshot", "-i")).toMatch(/@e\d+ \[button\]/);
  expect(await project.run("js", "await Promise.resolve(1 + 1)")).toBe("2");
  expect(await project.run("markdown", "--article")).toMatch(/\w/);
  expect(await project.json("a11y")).toHaveProperty("violations");
  expect(await project.run("pdf", "--toc")).toContain(".pdf");
});
