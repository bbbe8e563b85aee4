/** A tab that is lent to an agent, as the agent finds it. */
import { expect, test } from "vitest";
import { type Browse, connect } from "../../client.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

test("A tab that is lent leads to no page that it showed before", async () => {
  await using site = await Site.serve({
    "/secret": "<title>Secret</title>",
    "/lent": "<title>Lent</title>",
    "/later": "<title>Later</title>",
  });
  await using project = new Project();
  const { id } = (await project.json("newtab", `${site.url}/secret`)) as { id: string };
  await project.run("goto", `${site.url}/lent`);
  await using agent = await lend(project, id);

  const before = site.requests.length;
  await expect(agent.call("back", { tab: id })).rejects.toMatchObject({ kind: "not_found" });
  await project.run("js", "history.back()", "--tab", id);
  expect(await agent.call("title", { tab: id })).toEqual({ title: "Lent" });
  await agent.call("goto", { tab: id, url: `${site.url}/later` });
  expect(await agent.call("back", { tab: id })).toMatchObject({ url: `${site.url}/lent` });
  expect(site.requests.slice(before)).not.toContain("GET /secret");
  expect(await project.refusal("pair", "bob", "--share", "t99")).toMatchObject({ kind: "tab_gone" });
});

test("A tab that is lent tells nothing of what commands had noted in it before", async () => {
  await using site = await Site.serve({
    "/secret":
      "<title>Secret</title><button>Secret</button><script>setTimeout(() => document.body.append('Secret'), 500)</script>",
    "/lent": "<title>Lent</title><button>Press</button>",
  });
  await using project = new Project();
  const { id } = (await project.json("newtab", `${site.url}/secret`)) as { id: string };
  const { nodes } = (await project.json("snapshot", "-i")) as { nodes: { ref: string }[] };
  const ref = String(nodes[0]?.ref);
  await project.run("watch", "--every", "200ms");
  await project.run("style", ref, "color", "red");
  await project.run("wait", "text=Secret");
  await project.run("goto", `${site.url}/lent`);
  await project.run("snapshot");
  await project.run(
    "js",
    "fetch('/secret?Secret', { method: 'PATCH' }); setTimeout(() => { throw Error('Secret') }); 1",
  );
  await project.run("wait", "--idle");
  await using agent = await lend(project, id);

  const told = [
    await agent.watch({}, { tab: id }),
    await agent.inspect({ history: true }, { tab: id }),
    await agent.click({ target: "button" }, { tab: id }),
    await agent.snapshot({ diff: true }, { tab: id }),
    await agent.click({ target: ref }, { tab: id }).catch((error: Error) => error.message),
  ];
  expect(JSON.stringify(told)).not.toMatch(/secret/i);
  expect(told[1]).toMatchObject({ history: [] });
  expect(told[3]).toMatchObject({ comparison: { outcome: "first" } });
  expect(told[4]).toBe(`${ref} was given out before the tab was lent`);
});

test("Frames of other hosts than an agent's show nothing any more once it works in a tab that is lent to it", async () => {
  await using site = await Site.serve({
    "/other": "<button>Pay</button>",
    "/own": "<button>Mine</button>",
  });
  const other = `${site.url.replace("127.0.0.1", "localhost")}/other`;
  site.set("/page", `<h1>Page</h1><iframe src="${other}"></iframe><iframe src="/own"></iframe>`);
  await using project = new Project();
  const { id } = (await project.json("newtab", `${site.url}/page`)) as { id: string };
  await project.run("wait", "--load");
  expect(await project.run("text")).toContain("Pay");
  await using agent = await lend(project, id, "--domains", "127.0.0.1");

  const { text } = await agent.text({}, { tab: id });
  expect(text).toContain("Mine");
  expect(text).not.toContain("Pay");
  await expect(agent.frame({ url: "*other*" }, { tab: id })).rejects.toMatchObject({ kind: "not_found" });
});

test("Of a tab that shows what is outside its domains, an agent to whom it was lent is told the name alone", async () => {
  await using site = await Site.serve({ "/": "<title>Secret</title>" });
  await using project = new Project();
  const { id } = (await project.json("newtab", site.url)) as { id: string };
  await using agent = await lend(project, id, "--domains", "localhost", "--private");
  const { tabs } = (await agent.tabs()) as { tabs: { id: string }[] };
  expect(tabs.filter((tab) => tab.id === id)).toEqual([{ id, current: expect.any(Boolean) }]);
});

/** As an agent that was paired with it. */
async function lend(project: Project, tab: string, ...limits: string[]): Promise<Browse> {
  const { key, url } = await project.json("pair", "ann", "--share", tab, ...limits);
  const answer = await fetch(`${url}/pair`, { method: "POST", body: String(key), headers: { accept: "text/plain" } });
  const token = (await answer.text()).trim();
  return await connect({ url: `${String(url).replace("http", "ws")}/rpc`, token });
}
