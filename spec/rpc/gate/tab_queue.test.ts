/** Calls on one tab that are sent without waiting for the answers: they run in the order in which they were sent. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browse, connect } from "../../../client.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const COUNTER = `<!doctype html><title>0</title><button onclick="document.title = Number(document.title) + 1">More</button>`;

let site: Site;
let project: Project;
let browse: Browse;

beforeAll(async () => {
  site = await Site.serve({ "/": COUNTER, "/next": "<!doctype html><title>Next</title>" });
  project = await SharedProject.open();
  await project.run("goto", site.url);
  browse = await connected();
});

async function connected(): Promise<Browse> {
  const { port, token } = project.daemon()!;
  return await connect({ url: `ws://127.0.0.1:${port}/rpc`, token });
}

afterAll(async () => {
  await browse.close();
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

test("what is read right behind an action is read after it", async () => {
  await browse.goto({ url: site.url });
  for (let count = 1; count <= 10; count++) {
    const [, { title }] = await Promise.all([browse.click({ target: "button" }), browse.title()]);
    expect(title).toBe(String(count));
  }
});

test("and so on the tab that is named, by calls of other connections too", async () => {
  const { id } = await browse.newtab({ url: site.url });
  const tab = String(id);
  await using other = await connected();
  const order: string[] = [];
  const noted = async (what: string, call: Promise<unknown>) => void (await call.then(() => order.push(what)));
  await Promise.all([
    noted("goto", browse.goto({ url: `${site.url}/next` }, { tab })),
    noted("text", browse.text({}, { tab })),
    noted("back", browse.back({}, { tab })),
    noted(
      "title",
      browse.title({}, { tab }).then(({ title }) => expect(title).toBe("0")),
    ),
  ]);
  expect(order).toEqual(["goto", "text", "back", "title"]);
  expect((await other.title({}, { tab })).title).toBe("0");
  await browse.closetab({ id: tab });
});

test("one that ends before its turn lets those behind it pass", async () => {
  const slow = browse.reload({});
  const late = browse.text({}, { timeoutMs: 1 }).catch((error: unknown) => error);
  const last = browse.title();
  expect(await late).toMatchObject({ kind: expect.stringMatching(/timeout/) });
  expect(await last).toMatchObject({ title: expect.any(String) });
  await slow;
});
