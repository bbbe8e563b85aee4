/** Why a Chromium did not come up, by what the driver tells of it. */
import { expect, test, vi } from "vitest";
import { launchError, launchStory } from "../../../browser/process/launch_error.ts";

const PATH = "/opt/chromium";

function reasonOf(text: string, name = "Error"): string {
  const error = Object.assign(new Error(text), { name });
  return launchError(error, PATH).message.replace(`Chromium at "${PATH}" did not start`, "");
}

test.each([
  [": too many open files", "[pid=7][err] FATAL: pipe(): Too many open files (24)"],
  [": too many open files", "browserType.launch: Failed to launch: Error: spawn /opt/chromium EMFILE"],
  [": it got no memory", "[pid=7][err] Cannot reserve address space for the heap: Cannot allocate memory"],
  [": there is no display for a window", "[pid=7][err] Missing X server or $DISPLAY"],
  [": the disk is full", "[pid=7][err] write: No space left on device"],
  [": it was killed by SIGSEGV", "<process did exit: exitCode=null, signal=SIGSEGV>"],
  [": it ended at once, with exit code 3", "<process did exit: exitCode=3, signal=null>"],
  ["", "Target page, context or browser has been closed"],
])("is told as %j", (reason, text) => {
  expect(reasonOf(text)).toBe(reason);
});

test("is not guessed from the flags that it was started with", () => {
  expect(
    reasonOf("browserType.launch: failed\n<launching> /opt/chromium --ozone-platform=x11 --disable-namespace-sandbox"),
  ).toBe("");
});

test("is that it takes too long when nothing else is known", () => {
  expect(reasonOf("browserType.launch: Timeout 30000ms exceeded.", "TimeoutError")).toBe(
    ": it did not come up within 30 s",
  );
});

test("blames a temporary folder that nothing can be made in", () => {
  vi.stubEnv("TMPDIR", "/nowhere/at/all");
  try {
    const { message } = launchError(new Error("Target page, context or browser has been closed"), PATH);
    expect(message).toBe('Cannot use the temporary folder "/nowhere/at/all": it does not exist');
  } finally {
    vi.unstubAllEnvs();
  }
});

test("is in the log with what it said, once each", () => {
  const text = "[pid=7][err] one\n[pid=7][err] two\nCall log:\n  - [pid=7][err] one";
  const story = launchStory(launchError(new Error(text), PATH));
  expect(story.split("\n")).toEqual([`Chromium at "${PATH}" did not start. It said last:`, "    one", "    two"]);
});
