import { describe, expect, test } from "vitest";
import type { CliExecResult } from "../../../rpc/protocol.ts";
import type { BareClient } from "../wire/bare_client.ts";
import { startWire } from "../wire/wire.ts";

async function exec(client: BareClient, argv: string[], more: object = {}): Promise<CliExecResult> {
  const { result, error } = await client.call("cli.exec", { argv, cwd: "/tmp", version: "0.1.0", ...more });
  if (error) throw new Error(error.message);
  return result as unknown as CliExecResult;
}

describe("cli.exec", () => {
  test("prints the command's text on a line", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    expect(await exec(client, ["echo", "hello", "you"])).toEqual({ stdout: "hello you\n", stderr: "", exitCode: 0 });
    expect(await exec(client, ["echo", "line\n"])).toMatchObject({ stdout: "line\n" });
    expect(await exec(client, ["echo", ""])).toMatchObject({ stdout: "" });
  });

  test("prints the typed result and nothing else with --json", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const { stdout } = await exec(client, ["echo", "--json", "a\u001b[31m\u009b"]);
    expect(stdout).toBe('{"text":"a\\u001b[31m\\u009b"}\n');
  });

  test("escapes what would drive the terminal", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const { stdout } = await exec(client, ["echo", "a\u001b]0;title\u0007\r\0b\tc\u007f\u009b"]);
    expect(stdout).toBe("a\\x1b]0;title\\x07\\x0d\\x00b\tc\\x7f\\x9b\n");
  });

  test("passes on where and as whom the call runs", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    await exec(client, ["echo", "x", "--tab", "t2", "--timeout", "5s"], { session: "from-env" });
    await exec(client, ["--session", "named", "echo", "x"], { session: "from-env" });
    const [first, second] = wire.seen;
    expect(first?.caller).toMatchObject({ cwd: "/tmp", client: "browse-cli/0.1.0", via: "local" });
    expect(first?.options).toMatchObject({
      session: "from-env",
      tab: "t2",
      timeoutMs: 5_000,
      print: { format: "text" },
    });
    expect(second?.options).toMatchObject({ session: "named" });
  });

  test("reads standard input for -", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    expect(await exec(client, ["echo", "-"], { stdin: "piped" })).toMatchObject({ stdout: "piped\n" });
    expect(await exec(client, ["echo", "-"])).toMatchObject({ exitCode: 2, stdout: "" });
  });

  test("sends warnings ahead, to standard error", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    await exec(client, ["echo", "x"]);
    expect(await client.notification("output")).toMatchObject({ stream: "stderr", text: "Warning: Mind the gap\n" });
    expect(await client.notification("progress")).toMatchObject({ done: 1, total: 2, unit: "steps" });
  });

  test("announces an action before it begins", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    client.send({ jsonrpc: "2.0", id: 1, method: "cli.exec", params: { argv: ["act", "a"], cwd: "/", version: "1" } });
    expect(await client.notification("accepted")).toEqual({ id: 1 });
    await wire.gate.arrival("a");
    wire.gate.release("a");
    expect((await client.answer(1)).result).toMatchObject({ stdout: "a ran 1\n" });
  });

  test("reports a failure, a hint, and the kind's exit code", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const { stdout, stderr, exitCode } = await exec(client, ["fail"]);
    expect([stdout, exitCode]).toEqual(["", 1]);
    expect(stderr).toMatch(/^Error: The button is covered by "<div>"\nHint: .+\n$/);
    expect((await exec(client, ["fail", "--quiet"])).stderr).toBe('Error: The button is covered by "<div>"\n');
  });

  test("reports a failure as one line of JSON with --json", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const { stdout, stderr } = await exec(client, ["fail", "--json"]);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(stderr)).toEqual({
      error: { kind: "covered", message: 'The button is covered by "<div>"', hint: expect.any(String), by: "div" },
    });
  });

  test.each([
    [["ehco", "x"], "echo"],
    [["echo", "--tiems", "2"], "--times"],
    [["echo", "x", "--times", "x"], "--times"],
    [["--wrong", "echo"], "--wrong"],
  ])("ends %j with exit code 2 and says what is accepted", async (argv, named) => {
    await using wire = await startWire();
    const client = await wire.connect();
    const { stderr, exitCode } = await exec(client, argv);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(named);
    expect(wire.seen).toHaveLength(0);
  });

  test("keeps the cause of a fault of ours for the log", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const { stderr, exitCode } = await exec(client, ["fail", "plainly"]);
    expect(exitCode).toBe(1);
    expect(stderr).not.toContain("secret");
    expect(wire.logged.some(({ cause }) => String(cause).includes("A secret detail"))).toBe(true);
  });

  test.each([
    [[], "Overview\n"],
    [["--help"], "Overview\n"],
    [["--json"], "Overview\n"],
    [["--version"], "9.9.9\n"],
    [["echo", "--help"], "Help for echo\n"],
    [["--help", "echo"], "Help for echo\n"],
    [["hold", "-h"], "Help for hold\n"],
    [["echo", "--", "--help"], "--help\n"],
  ])("%j prints what it asks for", async (argv, stdout) => {
    await using wire = await startWire();
    const client = await wire.connect();
    expect(await exec(client, argv)).toEqual({ stdout, stderr: "", exitCode: 0 });
  });

  test("refuses a launch flag that the running browser does not have", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    expect(await exec(client, ["echo", "x", "--headed"])).toMatchObject({ stdout: "", exitCode: 1 });
    expect(wire.seen).toHaveLength(0);
  });

  test.each([{ cwd: "relative" }, { argv: "echo x" }, { argv: [1] }, { version: undefined }, { extra: 1 }])(
    "with %j is refused as a call",
    async (more) => {
      await using wire = await startWire();
      const client = await wire.connect();
      const { error } = await client.call("cli.exec", { argv: [], cwd: "/", version: "1", ...more });
      expect(error).toMatchObject({ code: -32602, data: { kind: "invalid_params" } });
    },
  );
});
