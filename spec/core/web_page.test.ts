/** Every way in, tried by a page that the browser shows, with the root token and without. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Gate } from "../harness/gate.ts";
import type { Site } from "../harness/site.ts";
import type { Wire } from "../rpc/wire/wire.ts";
import { ROOT, WaysIn } from "./ways_in.ts";

let waysIn: WaysIn;
let gate: Gate;
let site: Site;
let tunnel: Wire;
let local: Wire;
let home: string;

beforeAll(async () => {
  waysIn = await WaysIn.open();
  ({ gate, site, tunnel, local, home } = waysIn);
});

afterAll(() => waysIn[Symbol.asyncDispose]());

beforeEach(() => waysIn.forget());

describe("A web page", () => {
  /** What the page gets to know, running this script. */
  async function inPage(expression: string, url = home): Promise<unknown> {
    const { id } = await gate.call(gate.root, "newtab", { url });
    const { value } = await gate.call(gate.root, "js", { code: expression }, { tab: String(id) });
    return value;
  }

  const doors = () => [local, tunnel].map(({ server }) => server.port);
  const hosts = () =>
    doors().flatMap((port) => ["127.0.0.1", "localhost", "rebinding.example"].map((name) => `${name}:${port}`));

  it("can read nothing and call nothing by fetch, from any origin, with the token or without", async () => {
    const results = await inPage(`(async () => {
      const tries = [];
      for (const host of ${JSON.stringify(hosts())})
        for (const path of ["/health", "/rpc", "/pair", "/daemon.json", "/"])
          for (const method of ["GET", "POST"])
            for (const mode of ["cors", "no-cors"])
              for (const headers of [{}, { authorization: "Bearer ${ROOT}" }])
                tries.push(["http://" + host + path, { method, mode, headers, ...(method === "POST" && { body: "{}" }) }]);
      const read = async ([url, how]) => {
        const answer = await fetch(url, how);
        return answer.type === "opaque" ? "opaque" : await answer.text();
      };
      return [...new Set(await Promise.all(tries.map((one) => read(one).catch(() => "refused"))))].toSorted();
    })()`);
    expect(results).toEqual(["opaque", "refused"]);
    expect([...local.seen, ...tunnel.seen]).toEqual([]);
    expect(new Set(waysIn.recorded().map(([reason]) => reason))).toEqual(new Set(["origin", "host"]));
  });

  it("opens no WebSocket, with the token or without", async () => {
    const opened = await inPage(`Promise.all(${JSON.stringify(hosts())}.flatMap((host) =>
      [["browse.v1"], ["browse.v1", "bearer.${ROOT}"]].map((protocols) => new Promise((resolve) => {
        const socket = new WebSocket("ws://" + host + "/rpc", protocols);
        socket.onopen = () => resolve(true);
        socket.onerror = () => resolve(false);
      }))))`);
    expect(opened).toEqual(Array(12).fill(false));
    expect(waysIn.recorded()).toHaveLength(12);
  });

  it("has its forms refused", async () => {
    for (const [index, port] of doors().entries()) {
      const action = `http://127.0.0.1:${port}/${index === 0 ? "pair" : "rpc"}`;
      const field = `<input name='{"key":"' value='"}'>`;
      site.set("/form", `<form method=post enctype=text/plain action="${action}">${field}<button>Go</button></form>`);
      const tab = String((await gate.call(gate.root, "newtab", { url: `${home}/form` })).id);
      await gate.call(gate.root, "click", { target: "text=Go" }, { tab });
      expect(await gate.call(gate.root, "text", {}, { tab })).toMatchObject({
        text: expect.stringContaining("Forbidden"),
      });
    }
    expect(waysIn.recorded()).toEqual(Array(2).fill(["origin", undefined]));
  });

  it("gets nothing by a name of its own that leads to this machine", async () => {
    for (const port of doors()) {
      const { id } = await gate.call(gate.root, "newtab", { url: `http://rebinding.example:${port}/health` });
      const read = `fetch("/health").then(async (answer) => [answer.status, await answer.text()])`;
      const { value } = await gate.call(gate.root, "js", { code: read }, { tab: String(id) });
      expect(value).toEqual([403, "Forbidden\n"]);
    }
    expect(waysIn.recorded().every(([reason]) => reason === "host")).toBe(true);
  });
});
