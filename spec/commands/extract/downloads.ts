/** Files that a server sends, and what a download that is refused has to leave behind: nothing. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Project } from "../../harness/project.ts";
import type { Page } from "../../harness/site.ts";

export const file =
  (body: string | Buffer, headers: Record<string, string> = {}): Page =>
  (_request, response) =>
    response.writeHead(200, { "content-length": Buffer.byteLength(body), ...headers }).end(body);

export const redirect =
  (location: string): Page =>
  (_request, response) =>
    response.writeHead(302, { location, "set-cookie": "hop=1" }).end();

/** Never ends. */
export const endless: Page = (_request, response) => {
  response.writeHead(200, { "content-type": "application/octet-stream" });
  const send = () => {
    while (!response.destroyed && response.write(Buffer.alloc(64_000)));
    if (!response.destroyed) response.once("drain", send);
  };
  send();
};

export const artifacts = (project: Project) => readdirSync(join(project.stateDir, "artifacts"));
export const files = (project: Project) =>
  readdirSync(project.dir).filter((name) => name !== ".browse" && name !== "home");

/** A download that must fail, and leave nothing: no file, no folder, no tab. */
export async function refused(project: Project, ...argv: string[]): Promise<Awaited<ReturnType<Project["refusal"]>>> {
  const found = async () => [artifacts(project), files(project), await project.json("tabs")];
  const before = await found();
  const refusal = await project.refusal("download", ...argv);
  expect(await found()).toEqual(before);
  return refusal;
}
