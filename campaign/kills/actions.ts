/** Command lines with an effect that the page's server can count. */

export interface Action {
  argv: readonly string[];
  /** The element and event that the page tells of, each time it happens; absent where the request itself is counted. */
  event?: readonly [selector: string, type: string];
  /** It asks for an address, which may be asked for again: what ended it is told plainly. */
  isPlain?: boolean;
}

/** Where a request is counted; `COUNT` in command lines stands for it. */
export const COUNT = "COUNT";

export const ACTIONS: readonly Action[] = [
  { argv: ["click", "#pay"], event: ["#pay", "click"] },
  { argv: ["click", "#pay", "--no-settle"], event: ["#pay", "click"] },
  { argv: ["click", "role=button[name=Pay]"], event: ["#pay", "click"] },
  { argv: ["press", "Enter"], event: ["#pay", "click"] },
  { argv: ["fill", "#name", "x"], event: ["#name", "input"] },
  { argv: ["fill-form", '{"#name":"x"}'], event: ["#name", "input"] },
  { argv: ["select", "#size", "Large"], event: ["#size", "change"] },
  { argv: ["check", "#gift"], event: ["#gift", "change"] },
  { argv: ["upload", "#file", "receipt.txt"], event: ["#file", "change"] },
  { argv: ["drop", "#zone", "receipt.txt"], event: ["#zone", "drop"] },
  { argv: ["goto", COUNT], isPlain: true },
  { argv: ["newtab", COUNT], isPlain: true },
  { argv: ["download", COUNT, "got.txt", "--force"], isPlain: true },
  { argv: ["js", `fetch("${COUNT}", { mode: "no-cors" }).then(() => 1)`] },
  { argv: ["load-html", "--html", `<script src="${COUNT}"></script>`], isPlain: true },
  { argv: ["chain", '[["title"],["click","#pay"]]'], event: ["#pay", "click"] },
  { argv: ["batch", "--commands", '[["click","#pay"]]'], event: ["#pay", "click"] },
  { argv: ["tab-each", "click", "#pay"], event: ["#pay", "click"] },
];

/** `press` goes where the focus is. The request is over before the handler is, so that none is lost on the way. */
export function actionPage({ event }: Action, countPath: string): string {
  const listen = event
    ? `document.querySelector("${event[0]}").addEventListener("${event[1]}", (event) => {
         event.preventDefault();
         const request = new XMLHttpRequest();
         request.open("POST", "${countPath}", false);
         request.send();
       });`
    : "";
  return `<!doctype html><html lang=en><title>Pay</title>
<button id=pay autofocus>Pay</button> <input id=name aria-label=Name>
<select id=size aria-label=Size><option>Small<option>Large</select>
<label><input id=gift type=checkbox> Gift</label> <input id=file type=file aria-label=File>
<p id=zone ondragover="event.preventDefault()">Drop here</p>
<script>document.querySelector("#pay").focus(); ${listen}</script></html>`;
}
