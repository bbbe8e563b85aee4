import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { Session } from "../../../browser/sessions/session.ts";
import { clickElement } from "../../../refs/act/click.ts";
import { observeEffects } from "../../../refs/effects/effects.ts";
import { resolve } from "../../../refs/find/target.ts";
import { pageProbe } from "../../../refs/page_probe.ts";
import { registerReader } from "../../../refs/reader.ts";
import { rootToken } from "../../../security/tokens/token.ts";
import { launchPlainChromium } from "../../harness/plain_chromium.ts";

test("a session's tab hears of the tabs that its page opens, those without an opener too, and of no others", async () => {
  await registerReader();
  await using browser = await launchPlainChromium();
  let last = 0;
  const session = new Session(await browser.newContext(), {
    probe: pageProbe,
    name: "default",
    artifactsDir: tmpdir(),
    dialogPolicy: "accept",
    nextTabId: () => `t${++last}`,
  });
  const tab = await session.newTab(rootToken());
  const { signal } = new AbortController();
  await tab.page.setContent(
    `<a href="about:blank#one" target=_blank>One</a><a href="about:blank#two" rel=noopener>Two</a>`,
  );
  const opens = async (target: string, modifiers: "Control"[] = []) => {
    using observer = observeEffects(tab, { signal: AbortSignal.timeout(60_000), settles: true });
    await clickElement(tab, await resolve(tab, target, { signal }), { signal, modifiers });
    return await observer.settle(signal);
  };
  expect(await opens("text=One")).toEqual({ opened: ["t2"], openedUrls: [expect.any(String)] });
  expect(await opens("text=Two", ["Control"])).toEqual({ opened: ["t3"], openedUrls: [expect.any(String)] });
  const heard: string[] = [];
  tab.events.on("opened", ({ id }) => heard.push(id));
  await session.newTab(rootToken());
  expect(heard).toEqual([]);
});
