/** A rebuild that fails, against a real Chromium: nothing has changed. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { goTo } from "../../../browser/navigation/navigation.ts";
import { rebuildSession } from "../../../browser/sessions/rebuild.ts";
import type { Session } from "../../../browser/sessions/session.ts";
import { sessionStateOf } from "../../../browser/sessions/session_state.ts";
import { loadHtml } from "../../../commands/navigate/_load_html.ts";
import { resolve } from "../../../refs/find/target.ts";
import { takeSnapshot } from "../../../refs/snapshot/snapshot.ts";
import { rootToken } from "../../../security/tokens/token.ts";
import type { Site } from "../../harness/site.ts";
import { failing, Rebuilding, signal, WAIT } from "./rebuilding.ts";

let rebuilding: Rebuilding;
let site: Site;
let session: Session;

beforeAll(async () => {
  rebuilding = await Rebuilding.begin();
  ({ site } = rebuilding);
});

afterAll(async () => await rebuilding[Symbol.asyncDispose]());

beforeEach(async () => {
  await rebuilding.openSession();
  ({ session } = rebuilding);
});

afterEach(async () => await rebuilding.closeSession());

describe("A rebuild that fails", () => {
  it("leaves context, pages, refs and storage as they were", async () => {
    const tab = await rebuilding.tabAt("/one");
    const gone = await rebuilding.tabAt("/two");
    const { nodes } = await takeSnapshot(tab, { interactive: true, signal });
    await tab.page.evaluate(() => document.body.append("typed since"));
    site.set("/two", (request) => request.socket.destroy());
    const before = { context: session.context, page: tab.page, count: rebuilding.browser.contexts().length };
    await failing(rebuildSession(session, { signal }));
    expect(session.context).toBe(before.context);
    expect(tab.page).toBe(before.page);
    expect(session.tabs).toEqual([tab, gone]);
    expect(await gone.page.title()).toBe("two");
    expect(await tab.page.evaluate(() => document.body.textContent)).toContain("typed since");
    expect((await resolve(tab, nodes[0]!.ref!, { signal })).name).toBe("one button");
    expect(rebuilding.browser.contexts()).toHaveLength(before.count);
    expect(rebuilding.closed).toBe(0);
  });

  it("leaves loaded HTML where it was", async () => {
    const tab = await session.newTab(rootToken());
    await loadHtml(tab, Buffer.from("<title>Kept</title>"), { fileName: "draft.html", ...WAIT });
    const gone = await rebuilding.tabAt("/three");
    site.set("/three", (request) => request.socket.destroy());
    await failing(rebuildSession(session, { signal }));
    await tab.page.reload();
    expect(await tab.page.title()).toBe("Kept");
    await session.close(gone);
  });

  it("ends when the call is called off, and leaves the session as it was", async () => {
    const tab = await rebuilding.tabAt("/one");
    const before = session.context;
    const call = new AbortController();
    site.set("/calls-off", () => call.abort());
    await goTo(tab, `${site.url}/one#here`, WAIT);
    const image = await sessionStateOf(session);
    image.tabs[0]!.history = { urls: [`${site.url}/calls-off`], index: 0 };
    await failing(rebuildSession(session, { signal: call.signal, image }));
    expect(session.context).toBe(before);
    expect(await tab.page.title()).toBe("one");
  });
});
