import { expect, test } from "vitest";
import type { Tab } from "../../../browser/tabs/tab.ts";
import { BrowseError } from "../../../errors.ts";
import { explained } from "../../../rpc/gate/deadline.ts";

const delay = { what: "the page", now: "it is on its way to http://slow.example/", hint: "Use `browse goto`" };
const leaving = { pendingNavigation: { delay } } as Tab;
const staying = { pendingNavigation: { delay: undefined } } as Tab;
const late = new BrowseError("timeout", "Timed out waiting for the page");
const other = new BrowseError("not_found", "There is no such thing");

test("a timeout within a command says what its page waits for", () => {
  const { kind, message, hint } = explained(late, performance.now() - 15_000, leaving) as BrowseError;
  expect(kind).toBe("timeout");
  expect(message).toMatch(/^Waited 15\d{3} ms for the page: it is on its way to http:\/\/slow\.example\/$/);
  expect(hint).toContain("browse goto");
});

test.each([
  ["a timeout in a page that stays", late, staying],
  ["a timeout without a tab", late, undefined],
  ["any other error", other, leaving],
])("%s is left as it is", (_what, error, tab) => {
  expect(explained(error, performance.now(), tab)).toBe(error);
});
