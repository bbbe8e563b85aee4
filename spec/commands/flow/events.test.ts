/** What a page does, as whoever follows it hears of it. */
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { Following, Lively, type Told } from "./lively.ts";

let lively: Lively;
let project: Project;

beforeAll(async () => {
  lively = await Lively.open();
  ({ project } = lively);
});

afterAll(() => lively[Symbol.asyncDispose]());

describe("events", () => {
  let tab: string;
  let told: Told[];
  const of = (topic: string) => told.filter((one) => one.topic === topic).map(({ data }) => data);

  beforeAll(async () => {
    told = await lively.visit();
    tab = String(of("console")[0]?.tab);
  });

  it("tell what the page said, with arguments, place and stack", () => {
    expect(of("console")).toContainEqual({
      session: "default",
      tab,
      id: 1,
      level: "log",
      text: "ready",
      location: expect.stringMatching(/\/lively:6:\d+$/),
    });
    expect(of("console")).toContainEqual(
      expect.objectContaining({
        level: "error",
        text: "went wrong {code: 7}",
        arguments: ["went wrong", "{code: 7}"],
        stack: expect.stringMatching(/^at outer \(.*\/lively:5:\d+\)\nat .*onclick \(/),
      }),
    );
    expect(of("console")).toContainEqual(expect.objectContaining({ text: "from the worker", tab }));
    const service = of("console").find(({ text }) => text === "from the service worker");
    expect(service).toMatchObject({ serviceWorker: true, session: "default" });
    expect(service).not.toHaveProperty("tab");
    expect(of("console")).toContainEqual(
      expect.objectContaining({ text: "TypeError: No lamp", uncaught: true, stack: expect.stringContaining("lively") }),
    );
  });

  it("tell requests with what came of them, redirects joined to what led there, and the messages of sockets", () => {
    const network = of("network");
    const old = network.find(({ event, url }) => event === "request" && String(url).includes("/old"));
    expect(network).toContainEqual(expect.objectContaining({ event: "response", id: old?.id, status: 302 }));
    expect(network).toContainEqual(
      expect.objectContaining({ event: "finished", redirectedFrom: old?.id, status: 200, bytes: 3, type: "fetch" }),
    );
    expect(network).toContainEqual(
      expect.objectContaining({
        event: "closed",
        type: "websocket",
        frames: { sent: 2, received: 3, sentBytes: 6, receivedBytes: 11 },
      }),
    );
  });

  it("tell the life of the tab, its dialogs, and what was done to it", () => {
    const page = of("page").map(({ event }) => event);
    expect(page).toEqual(expect.arrayContaining(["opened", "navigated", "load", "title", "workerStarted"]));
    expect(of("page")).toContainEqual(expect.objectContaining({ event: "title", title: "Gone" }));
    expect(of("dialog")).toEqual([expect.objectContaining({ type: "alert", message: "Sure?", outcome: "accepted" })]);
    const click = of("activity").filter(({ command }) => command === "click");
    expect(click).toEqual([
      expect.objectContaining({ phase: "started", params: { target: "#go" } }),
      expect.objectContaining({ phase: "ended", call: click[0]?.call, outcome: "ok", tab, ms: expect.any(Number) }),
    ]);
  });

  it("are numbered without a hole in each topic", () => {
    for (const topic of new Set(told.map((one) => one.topic))) {
      const numbers = told.filter((one) => one.topic === topic).map(({ seq }) => seq);
      expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    }
  });

  it("are for people without --json: time, tab, topic and what it was", async () => {
    const lines = (await project.run("events", "console", "--history", "--for", "200ms")).split("\n");
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} t\d+ +console +log ready \(http/);
    expect(lines.join("\n")).not.toContain("\x1b");
  });

  it("can be narrowed, and asked for from a number on", async () => {
    const errors = await project.run("events", "console", "--filter", "level=error", "--since", "0", "--for", "200ms");
    expect(errors.split("\n").every((line) => line.includes(" error "))).toBe(true);
    const after = of("console").length - 1;
    const last = await project.run("events", "console", "--since", String(after), "--for", "200ms", "--json");
    expect(last.split("\n").slice(0, -1)).toHaveLength(1);
    expect(await project.refusal("events", "--filter", "color=red")).toMatchObject({ flag: "--filter", exitCode: 2 });
    expect(await project.refusal("events", "consol")).toMatchObject({ kind: "invalid_params" });
  });

  it("end without a complaint when their reader goes, and on Ctrl-C", async () => {
    const piped = new Following(project, ["console", "--history"]);
    await piped.until((lines) => lines.length >= 2);
    piped.child.stdout.destroy();
    const exit = once(piped.child, "exit");
    // It notices with the next line that it cannot write. 141 is what a pipe's end gives.
    await project.run("js", "console.log('one more')");
    expect(await exit).toEqual([141, null]);
    expect(piped.stderr).toBe("");

    const following = new Following(project, ["console", "--history"]);
    await following.until((lines) => lines.length > 0);
    expect(await following.interrupt()).toBe(130);
    expect(following.stderr).toBe("");
    await expect.poll(async () => (await project.json("status")).events).toMatchObject({ subscriptions: 0 });
  });

  it("kept in hundreds are shown from the newest 50 on, and how many are older is said", async () => {
    await project.run("js", "for (let i = 0; i < 300; i++) console.log('line ' + i)");
    const { stdout, stderr } = await project.cli(["events", "console", "--history", "--for", "200ms"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(50);
    expect(lines.at(-1)).toContain("line 299");
    const older = Number(/(\d+) older events are kept: --since 0 shows them first/.exec(stderr)?.[1]);
    const all = await project.run("events", "console", "--since", "0", "--for", "200ms");
    expect(all.split("\n")).toHaveLength(50 + older);
  });

  it("of several lines cannot be taken for several, however the lines end", async () => {
    await project.run("js", "console.log('one\\r\\ntwo\\nthree')");
    const text = await project.run("events", "console", "--history", "--for", "200ms");
    expect(text).toContain("one\n  two\n  three");
    expect(text).not.toContain("\r");
  });

  it("are counted in the status, with the calls", async () => {
    const { calls, events } = (await project.json("status")) as { calls: { command: string }[]; events: object };
    expect(calls).toContainEqual({
      command: "click",
      outcomes: { ok: 1 },
      p50: expect.any(Number),
      p95: expect.any(Number),
      p99: expect.any(Number),
      max: expect.any(Number),
    });
    expect(events).toEqual({ subscriptions: 0, queued: 0, dropped: 0 });
  });

  it("that are refusals go to the topic `security`, and into the journal", async () => {
    await project.refusal("goto", "javascript:alert(1)");
    const told = await project.run("events", "security", "--history", "--for", "200ms", "--json");
    expect(JSON.parse(told.split("\n").find((line) => line.includes('"denied"')) ?? "")).toMatchObject({
      topic: "security",
      data: { event: "denied", command: "goto", reason: "blocked_url" },
    });
    const { entries } = await project.json("journal", "--last", "20");
    expect(entries).toContainEqual(expect.objectContaining({ command: "goto", outcome: "blocked_url" }));
  });
});
