/** The page that the examples of the commands work on, and the files that they name. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const EXAMPLE_BODY = `<nav><a href="/">Home</a> <a href="/about">About</a></nav>
<main>
  <button id="add">Add to cart</button>
  <p id="cart">Your cart is empty</p>
  <p>Lamp, 20 €</p>
  <label>Search <input type="search" value="chair"></label>
  <label>Size <select><option>Small</option><option>Large</option></select></label>
  <label><input type="checkbox"> Gift wrap</label>
  <label>Receipts <input type="file"></label>
  <p id="receipts" ondragover="event.preventDefault()" ondrop="event.preventDefault()">Drop receipts here</p>
  <table><tr><th>Size<th>Price<tr><td>Small<td>20 €</table><img src="/lamp.png" alt="Lamp">
</main>`;

export function writeExampleFiles(folder: string): void {
  writeFileSync(join(folder, "receipt.txt"), "Lamp, 20 €\n");
  writeFileSync(join(folder, "receipt.html"), "<!doctype html><title>Receipt</title><p>Lamp, 20 €</p>\n");
  writeFileSync(join(folder, "cookies.txt"), ".shop.example\tTRUE\t/\tFALSE\t0\tcart\tlamp\n");
  writeFileSync(join(folder, "look.txt"), "title\nsnapshot -i\n");
  writeFileSync(join(folder, "count-links.js"), "document.querySelectorAll('a').length\n");
  mkdirSync(join(folder, "shots"), { recursive: true });
}
