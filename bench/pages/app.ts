import { documentShell, repeat } from "./document_shell.ts";

const STYLE = `<style>.card{display:inline-block;width:200px;border:1px solid #ccc;margin:4px;padding:4px}.meta{color:#555}</style>`;
/** Elements in one card. */
const CARD_ELEMENTS = 10;

/** An application of cards with about so many elements, three of each ten interactive. */
export function appPage(elements: number): string {
  const card = (n: number) =>
    `<div class="card"><div class="head"><h3>Task ${n}</h3><a href="/app?task=${n}">Open ${n}</a></div>` +
    `<div class="meta"><span>Owner ${n % 17}</span><span>Due in ${n % 30} days</span></div>` +
    `<input type="checkbox" aria-label="Done ${n}"><button type="button">Archive <b>${n}</b></button></div>`;
  const cards = repeat(Math.round(elements / CARD_ELEMENTS), card);
  return documentShell(`${elements} elements`, `<main><h1>Tasks</h1>${cards}</main>`, STYLE);
}
