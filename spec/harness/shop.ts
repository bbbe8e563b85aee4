/** A shop to be driven: search, a product, a cart and its total. Its designers come and go: `design` moves and renames everything. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Site } from "./site.ts";

const PRODUCTS = [
  { id: 1, name: "Desk lamp", price: 42 },
  { id: 2, name: "Floor mat", price: 19 },
  { id: 3, name: "Office chair", price: 120 },
];

type Product = (typeof PRODUCTS)[number];

/**
 * `first`: as it was when the flow was done. `moved`: other classes, other boxes around everything, another order, ads in between.
 * `changed`: the cart says its total in another way.
 */
export type Design = "first" | "moved" | "changed";

export class Shop implements AsyncDisposable {
  design: Design = "first";
  readonly site: Site;
  readonly #cart: Product[] = [];

  private constructor(site: Site) {
    this.site = site;
  }

  static async open(): Promise<Shop> {
    const site = await Site.serve({});
    const shop = new Shop(site);
    site.set("/", (_, response) => shop.#send(response, "Shop", "<h1>Welcome</h1>"));
    site.set("/offers", (_, response) => shop.#send(response, "Offers", "<h1>Offers</h1><p>None today</p>"));
    site.set("/search", (request, response) => shop.#search(request, response));
    for (const product of PRODUCTS)
      site.set(`/product/${product.id}`, (_, response) => shop.#product(product, response));
    site.set("/cart", (request, response) => shop.#inCart(request, response));
    return shop;
  }

  get url(): string {
    return this.site.url;
  }

  empty(): void {
    this.#cart.length = 0;
  }

  #search(request: IncomingMessage, response: ServerResponse): void {
    const query = new URL(request.url ?? "/", "http://shop").searchParams.get("q")?.toLowerCase() ?? "";
    const found = PRODUCTS.filter(({ name }) => name.toLowerCase().includes(query));
    const items = found.map(
      ({ id, name }) => `<li class="${this.#class("hit")}"><a href="/product/${id}">${name}</a></li>`,
    );
    this.#send(response, "Results", `<h1>${found.length} results</h1><ul>${items.join("")}</ul>`);
  }

  #product({ id, name, price }: Product, response: ServerResponse): void {
    const form = `<form method="post" action="/cart?id=${id}"><button class="${this.#class("buy")}">Add to cart</button></form>`;
    this.#send(response, name, `<h1>${name}</h1><p>€${price}.00</p>${form}`);
  }

  #inCart(request: IncomingMessage, response: ServerResponse): void {
    const id = Number(new URL(request.url ?? "/", "http://shop").searchParams.get("id"));
    const product = PRODUCTS.find((each) => each.id === id);
    if (request.method === "POST" && product) {
      this.#cart.push(product);
      response.writeHead(303, { location: "/cart" }).end();
      return;
    }
    const total = this.#cart.reduce((sum, { price }) => sum + price, 0);
    const says =
      this.design === "changed"
        ? "<p>Ask us what it comes to</p>"
        : `<p>Items: ${this.#cart.length}</p>\n<p>Total: €${total}.00</p>`;
    this.#send(
      response,
      "Cart",
      `<h1>Cart</h1><section aria-label="Summary" class="${this.#class("sum")}">${says}</section>`,
    );
  }

  #class(name: string): string {
    return this.design === "first" ? name : `x-${name.length}-${name}`;
  }

  #send(response: ServerResponse, title: string, main: string): void {
    const search = `<form action="/search" class="${this.#class("search")}"><label>Search <input type="search" name="q"></label><button>Find</button></form>`;
    const nav = `<nav><a href="/offers">Offers</a> <a href="/cart">Your cart</a></nav>`;
    const isMoved = this.design !== "first";
    const body = isMoved
      ? `<div><div class="ad"><p>Buy more</p></div><main class="w2"><div><div>${main}</div></div></main></div><footer><div>${nav}</div><div>${search}</div></footer>`
      : `<header>${search}${nav}</header><main>${main}</main>`;
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(`<!doctype html><title>${title}</title>${body}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.site[Symbol.asyncDispose]();
  }
}
