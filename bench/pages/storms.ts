/** Pages that do one thing as often as they can, for as long as they are open: what they must not harm is the others. */
import { documentShell } from "./document_shell.ts";

/** Each is run once the page has loaded. */
const SCRIPTS = {
  pushState: `setInterval(() => { for (let i = 0; i < 50; i++) history.pushState({}, "", "?" + Math.random()) }, 10)`,
  hash: `setInterval(() => { for (let i = 0; i < 50; i++) location.hash = Math.random() }, 10)`,
  console: `const line = "x".repeat(1000); setInterval(() => { for (let i = 0; i < 2000; i++) console.log(line, i) }, 10)`,
  errors: `setInterval(() => { for (let i = 0; i < 200; i++) Promise.reject(new Error("no " + i)) }, 10)`,
  popups: `setInterval(() => { for (let i = 0; i < 10; i++) open("about:blank#" + Math.random()) }, 10)`,
  downloads: `const file = URL.createObjectURL(new Blob(["x".repeat(1e6)]));
    setInterval(() => Object.assign(document.createElement("a"), { href: file, download: "file.bin" }).click(), 10)`,
  frames: `setInterval(() => {
      for (let i = 0; i < 5; i++) document.body.append(Object.assign(document.createElement("iframe"), { srcdoc: "<p>frame" }));
      while (document.querySelectorAll("iframe").length > 50) document.querySelector("iframe").remove();
    }, 10)`,
  alerts: `setTimeout(() => { while (true) alert("again") }, 10)`,
  fetches: `setInterval(() => { for (let i = 0; i < 50; i++) fetch("/none?" + Math.random()).catch(() => 0) }, 10)`,
  growth: `setInterval(() => {
      for (let i = 0; i < 500; i++) document.body.append(Object.assign(document.createElement("p"), { textContent: "line " + i }));
    }, 10)`,
  workers: `const script = URL.createObjectURL(new Blob(["close()"]));
    setInterval(() => { for (let i = 0; i < 5; i++) new Worker(script) }, 10)`,
  sockets: `setInterval(() => { for (let i = 0; i < 20; i++) new WebSocket("ws://" + location.host + "/none") }, 10)`,
  titles: `setInterval(() => { document.title = "x".repeat(5e6) + Math.random() }, 10)`,
  busy: `setTimeout(() => { while (true); }, 100)`,
  logLoop: `setTimeout(() => { const line = "x".repeat(1000); while (true) console.log(line) }, 100)`,
  leaving: `onbeforeunload = (event) => event.preventDefault();
    document.addEventListener("visibilitychange", () => { while (true); });
    addEventListener("pagehide", () => { while (true); })`,
} as const;

export type StormName = keyof typeof SCRIPTS;

export const STORM_NAMES = Object.keys(SCRIPTS) as StormName[];

/** Undefined when no storm has that name. */
export function stormPage(name: string): string | undefined {
  if (!Object.hasOwn(SCRIPTS, name)) return undefined;
  return documentShell(
    `Storm: ${name}`,
    `<h1>${name}</h1><p>The page under the storm</p><script>addEventListener("load", () => { ${SCRIPTS[name as StormName]} })</script>`,
  );
}
