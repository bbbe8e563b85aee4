/** The page with the controls, and a server that hears from it what has really happened. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { CONTROLS, type Deed } from "./controls.ts";

/** What the page, or the server, has seen happen. */
export interface Witnessed {
  deed: Exclude<Deed, "nothing"> | "acted";
  /** Milliseconds of the machine's clock. */
  at: number;
}

/** Tells of everything that the document does, from inside; told before the page is left. */
const OBSERVER = `
  const tell = (deed) => navigator.sendBeacon("/seen?" + number, JSON.stringify({ deed, at: Date.now() }));
  new MutationObserver(() => tell("mutated")).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (how) {
    const root = attach.call(this, how);
    new MutationObserver(() => tell("mutated")).observe(root, { subtree: true, childList: true, characterData: true });
    return root;
  };
  addEventListener("error", () => tell("error"));
  addEventListener("unhandledrejection", () => tell("error"));
  addEventListener("focusin", (event) => { if (event.target.id === "other") tell("focused"); });
  addEventListener("hashchange", () => tell("navigated"));
  const push = history.pushState;
  history.pushState = function (...given) { push.apply(this, given); tell("navigated"); };`;

export class Stage implements AsyncDisposable {
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #witnessed = new Map<string, Witnessed[]>();
  /** Requests of controls that have no answer yet. */
  unanswered = 0;

  static async open(): Promise<Stage> {
    const stage = new Stage();
    await new Promise<void>((resolve) => stage.#server.listen(0, "127.0.0.1", resolve));
    return stage;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What happened in the case of that number, in order. */
  witnessed(number: number): Witnessed[] {
    return (this.#witnessed.get(String(number)) ?? []).toSorted((a, b) => a.at - b.at);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search, searchParams } = new URL(request.url ?? "/", "http://stage");
    const [number = ""] = search.slice(1).split("&");
    switch (pathname) {
      case "/stage":
        return void response.setHeader("content-type", "text/html").end(page(searchParams));
      case "/seen":
        this.#note(number, JSON.parse(await text(request)) as Witnessed);
        return void response.writeHead(204).end();
      case "/other":
        this.#note(number, { deed: "navigated", at: Date.now() });
        return void response
          .setHeader("content-type", "text/html")
          .end("<!doctype html><title>Other</title><button id=idle>Idle</button>");
      case "/worker.js":
        return void response.setHeader("content-type", "text/javascript").end("onmessage = () => postMessage(1)");
      case "/stream":
        return void response.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n");
      case "/answer":
        return this.#answerLate(searchParams, response);
      default:
        return void response.writeHead(404).end();
    }
  }

  #answerLate(asked: URLSearchParams, response: ServerResponse): void {
    if (asked.has("cut")) return void response.destroy();
    this.unanswered++;
    setTimeout(
      () => {
        this.unanswered--;
        response.writeHead(Number(asked.get("status") ?? 200)).end("Answer");
      },
      Number(asked.get("ms")),
    );
  }

  #note(number: string, witnessed: Witnessed): void {
    const all = this.#witnessed.get(number) ?? [];
    this.#witnessed.set(number, [...all, witnessed]);
  }
}

/** `/stage?17&control=3`: the third control, for case 17. */
function page(asked: URLSearchParams): string {
  const [number] = [...asked.keys()];
  const script = CONTROLS[Number(asked.get("control"))]?.script ?? "";
  return `<!doctype html><title>Stage</title>
    <button id=button>Button</button> <input id=field aria-label=Field> <input type=checkbox id=box aria-label=Box>
    <select id=list aria-label=List><option>One<option>Two</select> <button id=hover>Hover</button>
    <button id=idle>Idle</button> <input id=other aria-label=Other>
    <p id=near>Near</p><div id=far></div>
    <script>
      const number = ${Number(number)};
      const act = (event) => { tell("acted"); ${script} };
      ${OBSERVER}
      button.onclick = act; field.oninput = act; box.onchange = act; list.onchange = act; hover.onmouseenter = act;
    </script>`;
}
