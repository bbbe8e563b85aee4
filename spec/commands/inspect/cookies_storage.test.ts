import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": "<!doctype html><title>Here</title>",
    "/login": (_request, response) =>
      response
        .writeHead(200, {
          "content-type": "text/html",
          "set-cookie": [
            "theme=dark; Path=/",
            "session_token=plain-looking-secret; Path=/; HttpOnly; SameSite=Strict",
            `flavour=${JWT}; Path=/`,
            "sid=short1; HttpOnly; Path=/",
          ],
        })
        .end(`<script>
          localStorage.setItem("language", "pt");
          localStorage.setItem("accessToken", "plain-looking-secret");
          localStorage.setItem("blob", "${JWT}");
          sessionStorage.setItem("step", "2");
        </script>`),
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("cookies", () => {
  it("are none at first", async () => {
    expect(await project.run("cookies")).toBe("No cookies");
  });

  it("are listed, secrets redacted by their name and by their shape", async () => {
    await project.run("goto", `${site.url}/login`);
    const listed = await project.run("cookies");
    expect(listed).toContain("127.0.0.1/ theme=dark");
    expect(listed).toMatch(/session_token=\[redacted\] HttpOnly SameSite=Strict/);
    expect(listed).toContain("flavour=[redacted]");
    const typed = JSON.stringify(await project.json("cookies"));
    for (const secret of ["plain-looking-secret", JWT, "short1"]) {
      expect(listed).not.toContain(secret);
      expect(typed).not.toContain(secret);
    }
  });

  it("can be narrowed to a host and its subdomains", async () => {
    await project.run("goto", `${site.url}/login`);
    expect(await project.run("cookies", "--domain", "127.0.0.1")).toContain("theme=dark");
    for (const domain of ["shop.example", "7.0.0.1"]) {
      expect(await project.run("cookies", "--domain", domain)).toBe("No cookies");
    }
    expect(await project.refusal("cookies", "--domain=")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });
});

describe("storage", () => {
  it("is listed, secrets redacted by their name and by their shape", async () => {
    await project.run("goto", `${site.url}/login`);
    const listed = await project.run("storage");
    expect(listed).toContain("local language=pt");
    expect(listed).toContain("local accessToken=[redacted]");
    expect(listed).toContain("local blob=[redacted]");
    expect(listed).toContain("session step=2");
    expect(JSON.stringify(await project.json("storage"))).not.toContain("plain-looking-secret");
    expect(await project.run("storage", "--local")).not.toContain("session step");
    expect(await project.run("storage", "--session")).toBe("session step=2");
  });

  it("shows a value of several lines on one: none of them reads as another item", async () => {
    await project.run("goto", site.url);
    await project.run("js", "localStorage.setItem('draft', 'one\\r\\nsession role=admin')");
    expect(await project.run("storage", "--local")).toContain('local draft="one\\r\\nsession role=admin"');
    await project.run("js", "localStorage.removeItem('draft')");
  });

  it.each(["Map.prototype.get = () => 1", "Object.entries = () => []", "Storage.prototype.getItem = () => 'lie'"])(
    "is read and saved as it is on a page that has replaced a built-in function: %s",
    async (script) => {
      site.set("/lies", `<script>localStorage.kept = "true"; sessionStorage.step = "3"; ${script}</script>`);
      await project.run("goto", `${site.url}/lies`);
      expect(await project.run("storage")).toMatch(/^local kept=true$/m);
      expect(await project.run("storage", "--session")).toBe("session step=3");
      await project.run("storage", "set", "kept", "again");
      expect(await project.run("storage", "--local")).toContain("local kept=again");
      expect(await project.run("state", "save", "lies")).toContain("1 tab");
      // A script's own value travels by the page's functions: that it may not arrive is said as it is.
      const answer = await project.cli(["js", "({ a: [1] })"]);
      if (answer.exitCode !== 0) expect(answer.stderr).toContain("replaced built-in functions");
    },
  );

  it("takes an item, and never echoes or journals it", async () => {
    await project.run("goto", site.url);
    const set = await project.cli(["storage", "set", "note", "hunter2 in plain words"]);
    expect(set).toMatchObject({ exitCode: 0, stdout: 'Set "note"\n', stderr: "" });
    expect(await project.run("js", "localStorage.note")).toBe("hunter2 in plain words");
    const { stdout } = await project.cli(["storage", "set", "note", "hunter2 again", "--session", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ set: "note" });
    expect(await project.run("js", "sessionStorage.note")).toBe("hunter2 again");
    const journal = await project.journal();
    expect(journal).toContain('"storage"');
    expect(journal).not.toContain("hunter2");
  });

  it("takes --session for the area after its name, and for the session before it", async () => {
    await project.run("goto", site.url);
    await project.run("storage", "set", "tray", "1", "--session");
    expect(await project.run("storage", "--session")).toContain("session tray=1");
    expect(await project.run("--session", "elsewhere", "storage", "--session")).toBe("Nothing is stored");
    expect(await project.refusal("storage", "--session", "elsewhere")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
    });
  });

  it("refuses a value it cannot set without showing it", async () => {
    await project.run("goto", "about:blank");
    const answer = await project.cli(["storage", "set", "note", "hunter2"]);
    expect(answer.exitCode).toBe(1);
    expect(answer.stdout + answer.stderr).not.toContain("hunter2");
    expect(answer.stderr).toContain("Storage needs an http or https page");
  });

  it("tells how `set` is written", async () => {
    await project.run("goto", site.url);
    expect(await project.refusal("storage", "set", "lonely")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
      hint: expect.stringContaining("browse storage set <key> <value>"),
    });
    expect(await project.refusal("storage", "get", "theme")).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("set"),
    });
  });
});
