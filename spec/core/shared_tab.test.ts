/** A tab that is lent to an agent, as the agent finds it. */
import { expect, test } from "vitest";
import { connect } from "../../client.ts";
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
  const { key, url } = await project.json("pair", "ann", "--share", id);
  const answer = await fetch(`${url}/pair`, { method: "POST", body: String(key), headers: { accept: "text/plain" } });
  const token = (await answer.text()).trim();
  await using agent = await connect({ url: `${String(url).replace("http", "ws")}/rpc`, token });

  const before = site.requests.length;
  await expect(agent.call("back", { tab: id })).rejects.toMatchObject({ kind: "not_found" });
  await project.run("js", "history.back()", "--tab", id);
  expect(await agent.call("title", { tab: id })).toEqual({ title: "Lent" });
  await agent.call("goto", { tab: id, url: `${site.url}/later` });
  expect(await agent.call("back", { tab: id })).toMatchObject({ url: `${site.url}/lent` });
  expect(site.requests.slice(before)).not.toContain("GET /secret");
  expect(await project.refusal("pair", "bob", "--share", "t99")).toMatchObject({ kind: "tab_gone" });
});
