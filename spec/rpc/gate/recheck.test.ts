/** What the user's policy says of a page holds for the page that a call finds when its turn has come, not for the one before. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { BrowseError } from "../../../errors.ts";
import { Gate } from "../../harness/gate.ts";
import { Site } from "../../harness/site.ts";

const page = (deed: string) => `<!doctype html><title>Shop</title><button onclick="fetch('/${deed}')">Press</button>`;

let gate: Gate;
let shop: Site;
let bank: Site;
let paid: number;

beforeAll(async () => {
  [gate, shop, bank] = [await Gate.open(), await Site.serve({ "/": page("liked") }), await Site.serve({})];
  bank.set("/", (_request, response) => void setTimeout(() => response.end(page("paid")), 300));
  bank.set("/paid", (_request, response) => {
    paid++;
    response.end();
  });
});
afterAll(async () => {
  await gate[Symbol.asyncDispose]();
  for (const site of [shop, bank]) await site[Symbol.asyncDispose]();
});
beforeEach(async () => {
  paid = 0;
  gate.policy = [];
  await gate.call(gate.root, "goto", { url: shop.url });
});

const atBank = () => bank.url.replace("127.0.0.1", "localhost");
const press = async () => await gate.call(gate.root, "click", { target: "button" });
const failing = async (call: Promise<unknown>) =>
  await call.then(
    () => undefined,
    (error: BrowseError) => error.kind,
  );

it("refuses a press that waited behind the load of a page where presses are denied", async () => {
  gate.policy = [{ do: "deny", command: ["click"], host: ["localhost"] }];
  const load = gate.call(gate.root, "goto", { url: atBank() });
  expect(await failing(press())).toBe("forbidden");
  await load;
  expect(paid).toBe(0);
});
