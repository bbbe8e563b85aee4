/** Downloads through the client: what is fetched, what is refused, and that nothing is left of what failed. */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect } from "../../../client.ts";
import { pngOf } from "../../harness/pictures.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";
import { artifacts, endless, file, files, redirect, refused } from "./downloads.ts";

const RED = pngOf(40, 30);

let site: Site;

let project: Project;

/** Where each test begins. */
let tab: string;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Files</title><a id="report" href="/files/report.csv">Report</a><a id="referred" href="/referred.txt">Referred</a>
      <img id="red" src="/red.png" alt="Red"><button>Nothing</button>
      <img id="inline" src="data:image/png;base64,${RED.toString("base64")}" alt="Inline">
      <a id="blob">Blob</a><a id="meta" href="http://169.254.169.254/latest">Meta</a>
      <video id="live" src="/live.m3u8"></video><iframe name="inner" src="/inner"></iframe>
      <script>blob.href = URL.createObjectURL(new Blob(["from memory ".repeat(200000)], { type: "text/plain" }));</script>`,
    "/inner": '<!doctype html><a href="/files/report.csv">In the frame</a>',
    "/login": (_request, response) =>
      response
        .writeHead(200, { "content-type": "text/html", "set-cookie": ["id=secret; HttpOnly; SameSite=Strict"] })
        .end("<!doctype html><title>In</title>"),
    "/private.txt": (request, response) => {
      const isKnown = (request.headers.cookie ?? "").includes("id=secret");
      response.writeHead(isKnown ? 200 : 403, { "content-type": "text/plain" }).end(isKnown ? "for you" : "no");
    },
    "/files/report.csv": file("a,b\r\n1,2\r\n", { "content-type": "text/csv" }),
    "/red.png": file(RED, { "content-type": "image/png" }),
    "/hop": redirect("/hop2"),
    "/hop2": redirect("/files/report.csv"),
    "/to-metadata": redirect("http://169.254.169.254/latest/meta-data"),
    "/zipped": (_request, response) =>
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" }).end(gzipSync("unzipped")),
    "/referred.txt": ({ headers }, response) =>
      response.writeHead(200, { "content-type": "text/plain" }).end(`from ${headers.referer}`),
    // Wraps its picture for those who would like a page best.
    "/wrapped.png": ({ headers }, response) => {
      const type = headers.accept?.includes("text/html") ? "text/html" : "image/png";
      response.writeHead(200, { "content-type": type }).end(type === "image/png" ? RED : "<!doctype html><img>");
    },
    "/worked/": `<!doctype html><title>Worked</title><script>
      ready = navigator.serviceWorker.register("sw.js").then(() => navigator.serviceWorker.ready).then(() => "ready")</script>`,
    "/worked/sw.js": `onfetch = (event) => event.respondWith(new Response("by the worker"))`,
    "/worked/plain.txt": file("by the server", { "content-type": "text/plain" }),
    "/nameless": file(RED, { "content-type": "application/octet-stream" }),
    "/evil": file("x", {
      "content-type": "text/plain",
      "content-disposition": 'inline; filename="../../.ssh/-auth keys;$(x).txt"',
    }),
    "/unicode": file("x", {
      "content-type": "text/plain",
      "content-disposition": "attachment; filename*=UTF-8''%C3%BCber.txt",
    }),
    "/endless": endless,
    "/live.m3u8": file("#EXTM3U", { "content-type": "text/plain" }),
    "/starts": `<!doctype html><title>Starts</title><a id="a" href="/hop" download>x</a><script>open("/"); a.click()</script>`,
    "/starts-meta": `<!doctype html><script>location = "/to-metadata"</script>`,
    "/attached": file("a,b\r\n", {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": "attachment; filename=list",
    }),
    "/starts-nothing": "<!doctype html><title>Nothing</title>",
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.run("goto", site.url, "--wait", "load");
  tab = await project.currentTab();
});

describe("download", () => {
  it("goes to the artifacts under its own name when no path is given", async () => {
    const result = await project.json("download", `${site.url}/files/report.csv`);
    expect(result).toMatchObject({ type: "text/csv", bytes: 10, url: `${site.url}/files/report.csv`, redirects: [] });
    expect(String(result.path)).toMatch(new RegExp(`^${join(project.stateDir, "artifacts")}/[a-z0-9-]+-report\\.csv$`));
    expect(readFileSync(String(result.path), "utf8")).toBe("a,b\r\n1,2\r\n");
  });

  it("goes to the path that is given, whose folders are made", async () => {
    expect(await project.run("download", `${site.url}/red.png`, "new/deep/red.png")).toBe(
      `Wrote ${join(project.dir, "new/deep/red.png")} (image/png, ${RED.length} bytes)`,
    );
    expect(readFileSync(join(project.dir, "new/deep/red.png"))).toEqual(RED);
  });

  it("brings the browser's cookies, also those that scripts do not see", async () => {
    expect(await refused(project, `${site.url}/private.txt`)).toMatchObject({
      kind: "navigation_failed",
      status: 403,
      hint: expect.stringContaining("Log in"),
    });
    await project.run("goto", `${site.url}/login`);
    await project.run("download", `${site.url}/private.txt`, "private.txt");
    expect(readFileSync(join(project.dir, "private.txt"), "utf8")).toBe("for you");
  });

  it("follows redirects, tells them, and keeps the cookies set on the way", async () => {
    const { url, redirects } = await project.json("download", `${site.url}/hop`);
    expect(url).toBe(`${site.url}/files/report.csv`);
    expect(redirects).toEqual([`${site.url}/hop`, `${site.url}/hop2`]);
    expect(await project.run("cookies")).toContain("hop");
  });

  it("takes what an element shows or leads to: by ref, by selector, in frames, in the page's memory", async () => {
    const bytesOf = async (...argv: string[]) => readFileSync(String((await project.json("download", ...argv)).path));
    expect(String(await bytesOf(await project.ref('"Report"')))).toBe("a,b\r\n1,2\r\n");
    expect(String(await bytesOf(await project.ref('"In the frame"')))).toBe("a,b\r\n1,2\r\n");
    expect(await bytesOf("--target", "#red")).toEqual(RED);
    expect(await bytesOf("--target", "#inline")).toEqual(RED);
    expect(String(await bytesOf("--target", "#blob"))).toBe("from memory ".repeat(200_000));
  });

  it("says which page an element's address is from", async () => {
    const { path } = await project.json("download", "--target", "#referred");
    expect(readFileSync(String(path), "utf8")).toBe(`from ${site.url}/`);
  });

  it("has the content as it was before it was packed for the way", async () => {
    await project.run("download", `${site.url}/zipped`, "plain.txt");
    expect(readFileSync(join(project.dir, "plain.txt"), "utf8")).toBe("unzipped");
  });

  it("gives the file an ending by its own bytes when nobody else does", async () => {
    const { path, type } = await project.json("download", `${site.url}/nameless`);
    expect([String(path).endsWith("-nameless.png"), type]).toEqual([true, "image/png"]);
  });

  it("takes nothing from a suggested name that means something to a shell or a file system", async () => {
    const { path } = await project.json("download", `${site.url}/evil`);
    expect(basename(String(path)).replace(/^[a-z0-9]+-[0-9a-f]{4}-/, "")).toMatch(
      /^[\p{L}\p{N}_][\p{L}\p{N}._ -]*\.txt$/u,
    );
    expect(String(path).startsWith(join(project.stateDir, "artifacts/"))).toBe(true);
    expect(String((await project.json("download", `${site.url}/unicode`)).path)).toMatch(/-über\.txt$/);
  });

  it("is what the server sends to those who take any kind of file, and no worker of the page has a say", async () => {
    const { path } = await project.json("download", `${site.url}/wrapped.png`);
    expect(readFileSync(String(path))).toEqual(RED);
    await project.run("goto", `${site.url}/worked/`);
    await project.run("js", "await ready");
    expect(await project.run("js", "await (await fetch('plain.txt')).text()")).toBe("by the server");
    await project.run("reload");
    expect(await project.run("js", "await (await fetch('plain.txt')).text()")).toBe("by the worker");
    const { path: plain } = await project.json("download", `${site.url}/worked/plain.txt`);
    expect(readFileSync(String(plain), "utf8")).toBe("by the server");
  });

  it("leaves the tab where it is, and opens none", async () => {
    await project.run("download", `${site.url}/red.png`);
    expect(await project.run("tabs")).toBe(`* ${tab} "Files" ${site.url}/`);
  });

  it("overwrites only what it made itself, unless --force is given", async () => {
    writeFileSync(join(project.dir, "theirs.csv"), "mine");
    expect(await project.refusal("download", `${site.url}/files/report.csv`, "theirs.csv")).toMatchObject({
      kind: "blocked_path",
    });
    expect(readFileSync(join(project.dir, "theirs.csv"), "utf8")).toBe("mine");
    await project.run("download", `${site.url}/files/report.csv`, "theirs.csv", "--force");
    await project.run("download", `${site.url}/files/report.csv`, "theirs.csv");
    expect(readFileSync(join(project.dir, "theirs.csv"), "utf8")).toBe("a,b\r\n1,2\r\n");
  });
});

describe("a download for a program", () => {
  it("tells how far it is, and leaves nothing when it is cancelled", async () => {
    const { port, token } = project.daemon()!;
    await using browse = await connect({ url: `ws://127.0.0.1:${port}/rpc`, token });
    const before = artifacts(project);
    const controller = new AbortController();
    const done: number[] = [];
    const call = browse.download(
      { url: `${site.url}/endless`, path: join(project.dir, "deep/half.bin"), maxMegabytes: 10_000 },
      {
        signal: controller.signal,
        onProgress: (progress) => {
          done.push(progress.done);
          if (progress.done > 1_000_000) controller.abort();
        },
      },
    );
    await expect(call).rejects.toMatchObject({ kind: "cancelled" });
    expect(done.at(-1)).toBeGreaterThan(1_000_000);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(artifacts(project)).toEqual(before);
    expect(files(project)).not.toContain("deep");
    // It has let go of the tab, and of the server.
    expect(await project.run("tabs")).toBe(`* ${tab} "Files" ${site.url}/`);
  });
});

describe("download --navigate", () => {
  /** Of a page that starts no download: it gets its time, so this begins beside the other tests. */
  let none: ReturnType<Project["refusal"]>;

  beforeAll(() => {
    none = project.refusal("download", `${site.url}/starts-nothing`, "--navigate");
  });

  it("takes the download that a page starts, and none of the tabs that it opens", async () => {
    const { path, url, type } = await project.json("download", `${site.url}/starts`, "--navigate");
    expect(type).toBe("text/csv");
    expect(url).toBe(`${site.url}/files/report.csv`);
    expect(readFileSync(String(path), "utf8")).toBe("a,b\r\n1,2\r\n");
    expect(await project.run("tabs")).toBe(`* ${tab} "Files" ${site.url}/`);
  });

  it("is held to the URL policy at every hop", async () => {
    expect(await refused(project, `${site.url}/starts-meta`, "--navigate")).toMatchObject({ kind: "blocked_url" });
  });

  it("tells the type that the server gives for a file that is the address itself", async () => {
    expect(await project.json("download", `${site.url}/attached`, "--navigate")).toMatchObject({ type: "text/csv" });
  });

  it("says when the page starts none", async () => {
    expect(await none).toMatchObject({
      kind: "not_found",
      hint: expect.stringContaining("--navigate"),
    });
  });
});
