/** The driver's texts in our words: each is a kind that a caller can act upon, and none is a fault of ours. */
import { expect, test } from "vitest";
import { translateDriverError } from "../../../browser/driver/errors.ts";

const told = (text: string, to?: string) => {
  const { kind, message } = translateDriverError(new Error(text), to);
  return { kind, message };
};

test.each([
  ["cdpSession.send: Protocol error (Page.captureScreenshot): Not attached to an active page", "detached"],
  ["cdpSession.send: Protocol error (Page.printToPDF): Printing failed", "detached"],
  ["cdpSession.send: Protocol error (Page.captureScreenshot): Unable to capture screenshot", "detached"],
  ["page.reload: Page crashed", "tab_gone"],
  ["page.goto: net::ERR_UNSAFE_PORT at http://127.0.0.1:1/", "navigation_failed"],
])("%s is %s", (text, kind) => {
  expect(told(text).kind).toBe(kind);
});

test("a load that fails names its address, the driver's before the one that was asked for", () => {
  expect(told("page.goBack: net::ERR_CONNECTION_RESET", "http://a/").message).toBe(
    'Cannot load "http://a/": the server cut the connection',
  );
  expect(told("page.goto: net::ERR_SSL_PROTOCOL_ERROR at https://b/", "http://a/").message).toMatch(
    /^Cannot load "https:\/\/b\/": the server and the browser find no way to talk TLS/,
  );
});
