import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BrowseError } from "../../../errors.ts";
import { ENVIRONMENT, readEnvironment } from "../../../security/process/environment.ts";

function errorOf(env: Record<string, string>): BrowseError {
  try {
    readEnvironment(env);
  } catch (error) {
    if (error instanceof BrowseError) return error;
  }
  return expect.unreachable(`${JSON.stringify(env)} was accepted`);
}

describe("settings from the environment", () => {
  test("without any variable are the defaults, frozen", () => {
    const settings = readEnvironment({ PATH: "/bin" });
    expect(settings).toEqual({
      port: 0,
      idleTimeoutMs: 1_800_000,
      home: join(homedir(), ".browse"),
      session: "default",
      headed: false,
      noSandbox: false,
      maxHtmlBytes: 52_428_800,
      security: "on",
      modelDirs: [],
      unknown: [],
    });
    expect(Object.isFrozen(settings)).toBe(true);
  });

  test("are typed, trimmed, and paths are absolute", () => {
    expect(
      readEnvironment({
        BROWSE_PORT: " 8080 ",
        BROWSE_IDLE_TIMEOUT: "0",
        BROWSE_STATE_DIR: "state",
        BROWSE_HOME: "~/b",
        BROWSE_HEADED: "Yes",
        BROWSE_NO_SANDBOX: "0",
        BROWSE_SECURITY: "OFF",
        BROWSE_MODEL_DIR: ["small", "", "~/large"].join(delimiter),
        BROWSE_PROXY: "socks5://127.0.0.1:1080",
        BROWSE_URL: "ws://127.0.0.1:9222/rpc",
        BROWSE_SESSION: "",
      }),
    ).toMatchObject({
      port: 8080,
      idleTimeoutMs: 0,
      stateDir: resolve("state"),
      home: join(homedir(), "b"),
      modelDirs: [resolve("small"), join(homedir(), "large")],
      headed: true,
      noSandbox: false,
      security: "off",
      proxy: "socks5://127.0.0.1:1080",
      url: "ws://127.0.0.1:9222/rpc",
      session: "default",
    });
  });

  test.each([
    ["BROWSE_PORT", "65536"],
    ["BROWSE_PORT", "-1"],
    ["BROWSE_PORT", "80a"],
    ["BROWSE_PORT", "1e3"],
    ["BROWSE_IDLE_TIMEOUT", "30m"],
    ["BROWSE_IDLE_TIMEOUT", "1.5"],
    ["BROWSE_MAX_HTML_BYTES", "0"],
    ["BROWSE_HEADED", "maybe"],
    ["BROWSE_SECURITY", "low"],
    ["BROWSE_MODEL_DIR", "a\0b"],
    ["BROWSE_MODEL_DIR", Array(9).fill("a").join(delimiter)],
    ["BROWSE_SESSION", "../x"],
    ["BROWSE_URL", "localhost:80"],
    ["BROWSE_URL", "file:///x"],
    ["BROWSE_URL", "wss://example.com/rpc"],
    ["BROWSE_URL", "https://example.com"],
    ["BROWSE_PROXY", "ftp://x"],
    ["BROWSE_STATE_DIR", "a\0b"],
  ])("%s=%j is an error of usage that names the variable and what it accepts", (name, value) => {
    const error = errorOf({ [name]: value });
    expect(error.kind).toBe("invalid_params");
    const variable = Object.values(ENVIRONMENT).find((each) => each.name === name);
    expect(error.message).toContain(name);
    expect(error.message).toContain(variable?.accepts);
  });

  test("a malformed secret is not shown in its error", () => {
    expect(errorOf({ BROWSE_TOKEN: "my secret" }).message).not.toContain("my secret");
    expect(errorOf({ BROWSE_PROXY: "ftp://ann:pw@x" }).message).not.toContain("pw");
  });

  test("names nobody knows are listed", () => {
    expect(
      readEnvironment({ BROWSE_PROT: "1", BROWSE_ARGS: "", BROWSE_CDP_URL: "ws://x", OTHER: "x" }).unknown,
    ).toEqual(["BROWSE_ARGS", "BROWSE_CDP_URL", "BROWSE_PROT"]);
  });

  test("any text is either accepted or an error that names its variable", () => {
    const name = fc.constantFrom(...Object.values(ENVIRONMENT).map((variable) => variable.name));
    fc.assert(
      fc.property(name, fc.string(), (variable, value) => {
        try {
          readEnvironment({ [variable]: value });
        } catch (error) {
          expect(error).toMatchObject({ kind: "invalid_params", message: expect.stringContaining(variable) });
        }
      }),
    );
  });
});
