/** Everything by which a page can say something, and how it says `P` there. Scripts run when the page has loaded. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** What Chromium takes of a header, and a little less. */
const MAX_HEADER = 60_000;
/** Deep enough to overflow whoever walks it by calling itself. */
const DEEP = 20_000;

export interface Channel {
  /** Run in the page, where `P` is the payload. */
  script?: string;
  /** Answers the page's own request in a special way, headers included; the body follows. */
  head?: (response: ServerResponse, payload: string) => void;
  /** Answers `/side`, which the page's script asks for. */
  side?: (request: IncomingMessage, response: ServerResponse, payload: string) => void;
}

const DEEP_OBJECT = `let deep = {}; for (let i = 0; i < ${DEEP}; i++) deep = { [P.slice(0, 50)]: deep };`;
const ELEMENT = (tag: string, set: string) =>
  `const e = document.createElement("${tag}"); ${set}; document.body.append(e);`;
const BLOB = (type: string) => `URL.createObjectURL(new Blob([P], { type: "${type}" }))`;

const SCRIPTS = {
  title: "document.title = P",
  path: 'history.pushState({}, "", "/x/" + P)',
  query: 'history.pushState({}, "", "?" + P)',
  hash: "location.hash = P",
  "history state": 'history.pushState({ P }, "", "/state")',
  "history replaced": 'history.replaceState(null, "", "/replaced?" + P)',
  "window.name": "window.name = P",
  "console.log": "console.log(P)",
  "console.error": "console.error(new Error(P))",
  "console.table": "console.table([{ a: P, [P.slice(0, 1000)]: 1 }])",
  "console.group": "console.group(P); console.info(P); console.groupEnd()",
  "console.trace": "console.trace(P)",
  "console.assert": "console.assert(false, P)",
  "console.dir": `${DEEP_OBJECT} console.dir(deep)`,
  "console.log of many": "for (let i = 0; i < 300; i++) console.log(P.slice(0, 20000), i)",
  "console.log of formats": 'console.log("%s%c%o%d" + P.slice(0, 1000), P, P, P, P)',
  "console.count": "console.count(P); console.time(P); console.timeEnd(P)",
  "uncaught error": "setTimeout(() => { throw new Error(P) })",
  "uncaught object": "setTimeout(() => { throw { message: P, stack: P, name: P } })",
  "rejected promise": "Promise.reject(P)",
  "error's stack": "setTimeout(() => { const e = new Error('x'); e.stack = P; e.name = P; throw e })",
  sourceURL: ELEMENT("script", 'e.textContent = "console.log(1)\\n//# sourceURL=http://x/" + P'),
  sourceMappingURL: ELEMENT("script", 'e.textContent = "console.log(1)\\n//# sourceMappingURL=http://x/" + P'),
  "fetch address": 'fetch("/side?" + P).catch(() => {})',
  "fetch header": 'fetch("/side", { headers: { "x-a": P } }).catch(() => {})',
  "fetch method": 'fetch("/side", { method: P.slice(0, 100) || "GET" }).catch(() => {})',
  "fetch body": 'fetch("/side", { method: "POST", body: P }).catch(() => {})',
  beacon: 'navigator.sendBeacon("/side", P.slice(0, 60000))',
  "data address": ELEMENT("img", 'e.alt = "x"; e.src = "data:image/png;base64," + P'),
  link: ELEMENT("a", "e.textContent = P; e.href = P"),
  button: ELEMENT("button", "e.textContent = P"),
  "aria-label": ELEMENT("button", 'e.textContent = "x"; e.setAttribute("aria-label", P)'),
  "aria-description": ELEMENT("button", 'e.textContent = "x"; e.setAttribute("aria-description", P)'),
  "aria-labelledby": ELEMENT("button", 'e.setAttribute("aria-labelledby", P)'),
  role: ELEMENT("div", 'e.textContent = "x"; e.setAttribute("role", P)'),
  "title attribute": ELEMENT("button", "e.title = P"),
  placeholder: ELEMENT("input", "e.placeholder = P"),
  value: ELEMENT("input", "e.value = P; e.name = P"),
  password: ELEMENT("input", 'e.type = "password"; e.value = P; e.placeholder = P'),
  textarea: ELEMENT("textarea", "e.value = P"),
  editable: ELEMENT("div", "e.contentEditable = true; e.textContent = P"),
  label: ELEMENT("label", 'e.textContent = P; e.append(document.createElement("input"))'),
  options: ELEMENT("select", "for (let i = 0; i < 50; i++) e.add(new Option(P.slice(0, 100000), P.slice(0, 100000)))"),
  alt: ELEMENT("img", 'e.alt = P; e.src = "/lamp.png"'),
  "id and class": ELEMENT("button", 'e.id = P; e.className = P; e.textContent = "x"'),
  attributes: ELEMENT(
    "button",
    'e.dataset.a = P; e.textContent = "x"; for (let i = 0; i < 500; i++) e.setAttribute("data-" + i, P.slice(0, 1000))',
  ),
  text: ELEMENT("p", "e.textContent = P"),
  "many texts": `for (let i = 0; i < 3000; i++) { ${ELEMENT("p", "e.textContent = P.slice(0, 300)")} }`,
  "nested elements": `let at = document.body; for (let i = 0; i < 3000; i++) { const e = document.createElement("div"); at.append(e); at = e; } at.textContent = P.slice(0, 1000)`,
  comment: "document.body.append(document.createComment(P))",
  table: ELEMENT("table", "const c = e.insertRow().insertCell(); c.textContent = P; e.createCaption().textContent = P"),
  meta: 'for (const n of ["description", "og:title", "twitter:card"]) { const m = document.createElement("meta"); m.name = n; m.setAttribute("property", n); m.content = P; document.head.append(m); }',
  "json-ld":
    'const s = document.createElement("script"); s.type = "application/ld+json"; s.textContent = JSON.stringify({ "@type": "Product", name: P }); document.head.append(s)',
  svg: ELEMENT(
    "div",
    'e.innerHTML = "<svg role=img><title></title><text></text></svg>"; e.querySelector("title").textContent = P; e.querySelector("text").textContent = P',
  ),
  heading: ELEMENT("h2", "e.textContent = P"),
  "live region": ELEMENT("div", 'e.setAttribute("role", "alert"); e.textContent = P'),
  language: "document.documentElement.lang = P",
  base: 'const b = document.createElement("base"); b.href = "http://x/" + P; document.head.append(b)',
  "custom element":
    'customElements.define("x-a", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<button></button>"; this.shadowRoot.firstChild.textContent = P } }); document.body.append(document.createElement("x-a"))',
  "closed root": ELEMENT("div", 'e.attachShadow({ mode: "closed" }).textContent = P'),
  "nested roots":
    'let at = document.body; for (let i = 0; i < 300; i++) { const e = document.createElement("div"); at.append(e); at = e.attachShadow({ mode: "open" }); } at.textContent = P.slice(0, 1000)',
  "css content":
    'const s = document.createElement("style"); s.textContent = "main::before { content: \'" + CSS.escape(P) + "\' }"; document.head.append(s)',
  "css rule":
    'const s = document.createElement("style"); s.textContent = "main { --x: " + P + "; font-family: \'" + CSS.escape(P) + "\' }"; document.head.append(s)',
  font: 'document.fonts.add(new FontFace(P.slice(0, 100000) || "x", "url(/side)"))',
  "page size": ELEMENT(
    "style",
    'e.textContent = "@page { size: 20in 200in }"; document.body.append(P.slice(0, 100000))',
  ),
  "performance marks": "performance.mark(P); performance.measure(P)",
  alert: "setTimeout(() => alert(P))",
  confirm: "setTimeout(() => confirm(P))",
  prompt: "setTimeout(() => prompt(P, P))",
  beforeunload: "onbeforeunload = (event) => { event.preventDefault(); return (event.returnValue = P) }",
  "download name": ELEMENT("a", `e.download = P; e.href = ${BLOB("text/plain")}; e.click()`),
  "data download": ELEMENT("a", 'e.download = ""; e.href = "data:application/x-foo;base64," + P; e.click()'),
  "served download": ELEMENT("a", 'e.href = "/side"; e.click()'),
  "frame's name": ELEMENT("iframe", 'e.name = P; e.srcdoc = "<p>in a frame"'),
  "frame's document": ELEMENT("iframe", "e.srcdoc = P"),
  "frame's address": ELEMENT("iframe", 'e.src = "data:text/html," + P'),
  "file frame": ELEMENT("iframe", 'e.src = "file:///etc/passwd"'),
  "many frames":
    "for (let i = 0; i < 60; i++) { " +
    ELEMENT("iframe", "e.name = P.slice(0, 1000); e.srcdoc = P.slice(0, 1000)") +
    " }",
  "nested frames":
    'let at = document; for (let i = 0; i < 20; i++) { const f = at.createElement("iframe"); at.body.append(f); at = f.contentDocument; } at.body.append(P.slice(0, 1000))',
  "busy frame": ELEMENT(
    "iframe",
    'e.srcdoc = "<script>setTimeout(() => { const end = Date.now() + 3000; while (Date.now() < end); }, 100)</" + "script>"',
  ),
  worker: `new Worker(${BLOB("text/javascript")}, { name: P.slice(0, 100000) }).onerror = () => {}`,
  "WebSocket address": 'new WebSocket("ws://" + location.host + "/socket?" + P)',
  "WebSocket message": 'const s = new WebSocket("ws://" + location.host + "/socket"); s.onopen = () => s.send(P)',
  EventSource: 'new EventSource("/side")',
  localStorage:
    "try { localStorage.setItem(P.slice(0, 1000), P) } catch { localStorage.setItem('x', P.slice(0, 1000000)) }",
  sessionStorage:
    "try { sessionStorage.setItem(P.slice(0, 1000), P) } catch { sessionStorage.setItem('x', P.slice(0, 1000000)) }",
  IndexedDB:
    'indexedDB.open(P.slice(0, 100000) || "x", 1).onupgradeneeded = ({ target }) => target.result.createObjectStore(P.slice(0, 1000)).put(P, 1)',
  cookie: 'document.cookie = "a=" + P.slice(0, 4000); document.cookie = P.slice(0, 200) + "=1"',
  clipboard: "navigator.clipboard?.writeText(P).catch(() => {})",
  popup: 'window.open("about:blank", P.slice(0, 1000))',
  "overridden prototypes":
    'JSON.stringify = Array.prototype.map = Function.prototype.call = () => { throw P }; Object.defineProperty(Object.prototype, "kind", { get() { throw P } })',
} as const;

const SERVED: Readonly<Record<string, Channel>> = {
  "response header": { head: (response, payload) => response.setHeader("x-a", header(payload)) },
  "many headers": {
    head: (response, payload) => {
      for (let i = 0; i < 100; i++) response.setHeader(`x-${i}`, header(payload).slice(0, 500));
    },
  },
  "status text": { head: (response, payload) => (response.statusMessage = header(payload).slice(0, 1000)) },
  "Set-Cookie": {
    head: (response, payload) => response.setHeader("set-cookie", [`a=${cookie(payload)}`, `${cookie(payload)}=1`]),
  },
  "Content-Type": {
    script: 'fetch("/side").catch(() => {})',
    side: (_request, response, payload) => {
      response.writeHead(200, { "content-type": `text/${header(payload).slice(0, 1000) || "x"}` }).end("x");
    },
  },
  "Content-Disposition": {
    script: ELEMENT("a", 'e.href = "/side"; e.click()'),
    side: (_request, response, payload) => {
      const name = header(payload).replaceAll(/["\\]/g, "");
      response.writeHead(200, { "content-disposition": `attachment; filename="${name}"` }).end("x");
    },
  },
  redirect: {
    script: 'fetch("/side").catch(() => {})',
    side: (_request, response, payload) => {
      response.writeHead(302, { location: `/lamp.png?${encodeURIComponent(header(payload))}` }).end();
    },
  },
  "served events": {
    script: 'new EventSource("/side").onmessage = ({ data }) => console.log(data)',
    side: (_request, response, payload) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${payload.slice(0, 10_000_000)}\n\n`);
    },
  },
  "response body": {
    script: 'fetch("/side").then((r) => r.text()).catch(() => {})',
    side: (_request, response, payload) => {
      response.writeHead(200, { "content-type": "application/json" }).end(payload.slice(0, 10_000_000));
    },
  },
};

/** Every channel by name. */
export const CHANNELS: Readonly<Record<string, Channel>> = {
  ...Object.fromEntries(Object.entries(SCRIPTS).map(([name, script]) => [name, { script }])),
  ...SERVED,
};

/** What HTTP lets stand in a header. */
function header(payload: string): string {
  return payload.slice(0, MAX_HEADER).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?");
}

function cookie(payload: string): string {
  return header(payload)
    .replaceAll(/[;=,\s]/g, "_")
    .slice(0, 4_000);
}
