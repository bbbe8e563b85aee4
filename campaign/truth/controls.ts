/** Controls that each do one thing some time after they were acted on: what a page can do to who has just pressed it. */

export type Deed = "mutated" | "navigated" | "opened" | "error" | "focused" | "nothing";

export interface Control {
  name: string;
  /** The body of the function that the page calls when it was acted on. */
  script: string;
  /** What comes of it in the end, as far as it matters to who acted. */
  deed: Deed;
}

const NEAR = "near.textContent = 'Changed ' + performance.now()";
const FAR = "far.append(Object.assign(document.createElement('p'), { textContent: 'Added' }))";
const LATE_MS = [0, 16, 50, 100, 250, 500, 900, 1_500, 2_000];
const ANSWER_MS = [0, 50, 200, 500, 900, 1_500, 3_000, 5_000];

function changes(name: string, script: string): Control {
  return { name, script, deed: "mutated" };
}

const AT_ONCE: Control[] = [
  changes("text", NEAR),
  changes("elsewhere", FAR),
  changes("a class", "near.className = near.className + 'a'"),
  changes("its own text", "event.currentTarget.append('!')"),
  changes("many nodes", "for (let i = 0; i < 500; i++) far.append(document.createElement('i'))"),
  changes("a node that goes again", `${FAR}; setTimeout(() => far.lastChild.remove(), 80)`),
  changes(
    "text in a shadow tree",
    "(near.shadowRoot ?? near.attachShadow({ mode: 'open' })).innerHTML += '<p>In</p>'; near.id = 'near'",
  ),
  { name: "nothing", script: "", deed: "nothing" },
  { name: "only reads", script: "near.getBoundingClientRect()", deed: "nothing" },
];

const IN_A_TURN: Control[] = [
  changes("a microtask", `queueMicrotask(() => { ${NEAR} })`),
  changes("a promise", `Promise.resolve().then(() => Promise.resolve()).then(() => { ${NEAR} })`),
  changes(
    "a message channel",
    `const c = new MessageChannel(); c.port1.onmessage = () => { ${NEAR} }; c.port2.postMessage(1)`,
  ),
  changes("an animation frame", `requestAnimationFrame(() => { ${NEAR} })`),
  changes("two animation frames", `requestAnimationFrame(() => requestAnimationFrame(() => { ${FAR} }))`),
  changes("an idle callback", `requestIdleCallback(() => { ${NEAR} })`),
  changes("a resize observer", `near.style.height = '40px'; new ResizeObserver(() => { ${FAR} }).observe(near)`),
  changes("an intersection observer", `new IntersectionObserver(() => { ${FAR} }).observe(far)`),
  changes("a worker", `const w = new Worker('/worker.js'); w.onmessage = () => { ${NEAR} }; w.postMessage(1)`),
  changes("an animation's end", `near.animate([{ opacity: 0 }, { opacity: 1 }], 200).onfinish = () => { ${FAR} }`),
  changes("an interval", `let n = 0; const i = setInterval(() => { ${NEAR}; if (++n === 5) clearInterval(i) }, 60)`),
  changes("a debounce", `clearTimeout(window.waiting); window.waiting = setTimeout(() => { ${NEAR} }, 300)`),
];

const LATE: Control[] = LATE_MS.flatMap((ms) => [
  changes(`a timer of ${ms} ms`, `setTimeout(() => { ${NEAR} }, ${ms})`),
]);

const ANSWERED: Control[] = ANSWER_MS.map((ms) =>
  changes(`an answer after ${ms} ms`, `fetch('/answer?ms=${ms}').then((r) => r.text()).then(() => { ${NEAR} })`),
);

const TROUBLED: Control[] = [
  { name: "throws", script: "throw new Error('Broken')", deed: "error" },
  { name: "throws later", script: "setTimeout(() => { throw new Error('Broken later') }, 120)", deed: "error" },
  { name: "rejects", script: "Promise.reject(new Error('Rejected'))", deed: "error" },
  changes(
    "an answer of 500",
    `fetch('/answer?ms=50&status=500').then((r) => { near.textContent = 'Failed ' + r.status })`,
  ),
  changes("no answer at all", `fetch('/answer?cut').catch(() => { near.textContent = 'No connection' })`),
  { name: "changes and throws", script: `${NEAR}; throw new Error('Half')`, deed: "mutated" },
];

const LEAVING: Control[] = [
  ...[0, 50, 300, 900, 1_500].map(
    (ms): Control => ({
      name: `goes elsewhere after ${ms} ms`,
      script: ms === 0 ? "location = '/other?' + number" : `setTimeout(() => { location = '/other?' + number }, ${ms})`,
      deed: "navigated",
    }),
  ),
  { name: "goes to a hash", script: "location.hash = 'part' + performance.now()", deed: "navigated" },
  { name: "pushes an address", script: "history.pushState({}, '', location.pathname + '?pushed')", deed: "navigated" },
  {
    name: "answers, then goes",
    script: "fetch('/answer?ms=300').then(() => { location = '/other?' + number })",
    deed: "navigated",
  },
  { name: "opens a tab", script: "window.open('/other?' + number)", deed: "opened" },
  { name: "opens a tab later", script: "setTimeout(() => window.open('/other?' + number), 400)", deed: "opened" },
  { name: "moves the focus", script: "other.focus()", deed: "focused" },
];

const GROWING: Control[] = [
  changes(
    "a list that loads more",
    `fetch('/answer?ms=150').then(() => { for (let i = 0; i < 20; i++) far.append(document.createElement('li')) })`,
  ),
  changes("a chain of answers", `fetch('/answer?ms=100').then(() => fetch('/answer?ms=100')).then(() => { ${FAR} })`),
  changes(
    "a toast that goes",
    `far.innerHTML = '<p role=status>Saved</p>'; setTimeout(() => { far.innerHTML = '' }, 600)`,
  ),
  changes("a skeleton, then content", `near.textContent = 'Loading'; fetch('/answer?ms=400').then(() => { ${NEAR} })`),
  changes("beside a beacon", `navigator.sendBeacon('/answer?ms=3000'); ${NEAR}`),
  changes("beside a stream", `window.stream ??= new EventSource('/stream'); setTimeout(() => { ${NEAR} }, 100)`),
];

export const CONTROLS: readonly Control[] = [
  ...AT_ONCE,
  ...IN_A_TURN,
  ...LATE,
  ...ANSWERED,
  ...TROUBLED,
  ...LEAVING,
  ...GROWING,
];
