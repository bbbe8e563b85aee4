/** The pages of the tasks: small, and as lively as the real ones. */

import type { Page, Site } from "../../spec/harness/site.ts";
import { serveWidgets } from "../../spec/harness/widgets.ts";

export async function serveTasks(): Promise<Site> {
  const site = await serveWidgets("lists", "board");
  for (const [path, html] of Object.entries(PAGES)) site.set(path, `<!doctype html><meta charset=utf-8>${html}`);
  site.set("/api/ok", answer(200, 150));
  site.set("/api/slow", answer(200, 300));
  let saves = 0;
  site.set("/api/save", (request, response) => answer(saves++ % 2 === 0 ? 500 : 200, 100)(request, response));
  return site;
}

function answer(status: number, ms: number): Exclude<Page, string> {
  return (_request, response) => void setTimeout(() => response.writeHead(status).end("{}"), ms);
}

const SAY = `<script>const say = (text) => { document.querySelector("[role=status]").textContent = text; };</script>`;
const NAV = `<header><nav>${["Home", "Shop", "Orders", "Account", "Help", "Contact"].map((name) => `<a href="#${name}">${name}</a> `).join("")}</nav></header>`;
const GOODS = [
  "Floor lamp",
  "Desk lamp",
  "Oak table",
  "Oak stool",
  "Rug",
  "Mirror",
  "Clock",
  "Shelf",
  "Vase",
  "Bench",
  "Bowl",
  "Candle",
];

const PAGES: Readonly<Record<string, string>> = {
  "/login": `<title>Log in</title>${NAV}<form onsubmit="event.preventDefault(); enter(this)">
    <label>Email <input type=email name=email></label><label>Password <input type=password name=password></label>
    <button>Log in</button><p role=alert></p></form><script>async function enter(form) {
      await fetch("/api/ok"); if (form.password.value === "lovelace") location.href = "/home";
      else document.querySelector("[role=alert]").textContent = "Wrong password"; }</script>`,
  "/home": `<title>Home</title>${NAV}<h1>Welcome, Ada</h1><p>You have 3 messages.</p>`,
  "/second-factor": `<title>Sign in</title>${NAV}<main><label>User <input id=user></label><button onclick="next()">Continue</button></main>
    <script>async function next() { const user = document.getElementById("user").value; await fetch("/api/slow");
      document.querySelector("main").innerHTML = "<p>We sent a code</p><label>Code <input inputmode=numeric></label><button>Verify</button>";
      document.querySelector("button").onclick = async () => { await fetch("/api/ok");
        document.querySelector("main").innerHTML = "<h1>Signed in as " + user + "</h1>"; }; }</script>`,
  "/shop": `<title>Shop</title>${NAV}<p id=cart>0 items</p><p role=status></p>${SAY}
    <ul>${GOODS.map((name) => `<li><h3>${name}</h3><p>Nice. 20 €</p><button onclick="add('${name}')">Add to cart</button></li>`).join("")}</ul>
    <script>let count = 0; async function add(name) { await fetch("/api/ok"); say(name + " added");
      document.getElementById("cart").textContent = ++count + " items"; }</script>`,
  "/checkout": `<title>Check out</title>${NAV}<form onsubmit="event.preventDefault(); order()"><label>Name <input required></label>
    <label>Email <input type=email required></label>
    <label>Country <select><option>Spain<option>Portugal<option>France</select></label><button>Place order</button></form><div id=done></div>
    <script>async function order() { await fetch("/api/slow"); document.getElementById("done").innerHTML = "<h2>Order 1042 confirmed</h2>"; }</script>`,
  "/app": `<title>App</title><nav><a href="/app/inbox" onclick="return go('Inbox')">Inbox</a> <a href="/app/invoices" onclick="return go('Invoices')">Invoices</a></nav>
    <main><p>Loading…</p></main><script>
    function go(name) { history.pushState({}, "", "/app/" + name.toLowerCase()); show(name); return false; }
    async function show(name) { const main = document.querySelector("main"); main.innerHTML = "<p>Loading…</p>"; await fetch("/api/ok");
      main.innerHTML = "<h1>" + name + "</h1>" + (name === "Invoices" ? [5, 6, 7, 8].map((n) =>
        "<article><h2>Invoice A-" + n + "</h2><button onclick='total(this, " + n + ")'>Open</button></article>").join("") : "<p>Nothing new</p>"); }
    async function total(button, n) { await fetch("/api/ok"); button.insertAdjacentHTML("afterend", "<p>Total: " + (n * 30 + 4) + " €</p>"); }
    show("Inbox");</script>`,
  "/table": `<title>Orders</title>${NAV}<aside id=panel></aside><table><tr><th>Order<th>Customer<th>State<th></tr>${Array.from(
    { length: 200 },
    (_, n) =>
      `<tr><td>Order ${n + 1}<td>Customer ${n + 1}<td>paid<td><button onclick="details(${n + 1})">Details</button></tr>`,
  ).join("")}</table>
    <script>async function details(n) { await fetch("/api/ok"); document.getElementById("panel").innerHTML = "<h2>Order " + n + ": paid on 3 May</h2>"; }</script>`,
  "/todo": `<title>Tasks</title>${NAV}<label>New task <input id=task></label><button onclick="add()">Add</button><ul></ul><p id=count>0 of 0 done</p>
    <script>function add() { const list = document.querySelector("ul"); const label = list.appendChild(document.createElement("li")).appendChild(document.createElement("label"));
      label.innerHTML = "<input type=checkbox onchange='tell()'> "; label.append(document.getElementById("task").value); tell(); }
    function tell() { document.getElementById("count").textContent = document.querySelectorAll(":checked").length + " of " + document.querySelectorAll("li").length + " done"; }</script>`,
  "/people": `<title>People</title>${NAV}<p role=status></p>${SAY}<ul>${["Ana", "Bob", "Cy", "Dee"].map((name) => `<li><b>${name}</b> <button onclick="ask('${name}', this)">Delete</button></li>`).join("")}</ul>
    <dialog></dialog><script>function ask(name, button) { const dialog = document.querySelector("dialog");
      dialog.innerHTML = "<h2>Delete " + name + "?</h2><button>Cancel</button><button>Yes, delete</button>"; dialog.showModal();
      dialog.lastChild.onclick = async () => { await fetch("/api/ok"); dialog.close(); button.closest("li").remove(); say(name + " was deleted"); }; }</script>`,
  "/mail": `<title>Mail</title>${NAV}<h1>Your order</h1><button aria-haspopup=menu onclick="menu.hidden = !menu.hidden">Actions</button>
    <ul role=menu id=menu hidden><li role=menuitem tabindex=0>Reply</li><li role=menuitem tabindex=0 onclick="archive()">Archive</li></ul>
    <p role=status></p>${SAY}<script>async function archive() { menu.hidden = true; await fetch("/api/ok");
      document.querySelector("[role=status]").innerHTML = "Archived <button onclick='back()'>Undo</button>"; }
    async function back() { await fetch("/api/ok"); say("Back in the inbox"); }</script>`,
  "/framed": `<title>Delivery</title>${NAV}<h1>Delivery</h1><iframe title=Wizard src="/wizard" width=500 height=300></iframe>`,
  "/wizard": `<title>Wizard</title><main></main><script>
    const pages = ["<label>Postcode <input></label><button onclick='step(1)'>Next</button>", "<label>Street <input></label><button onclick='step(2)'>Next</button>",
      "<p>All there.</p><button onclick='step(3)'>Finish</button>", "<h2>We will come on Monday</h2>"];
    const step = (n) => { document.querySelector("main").innerHTML = pages[n]; }; step(0);</script>`,
  "/grows": `<title>Items</title>${NAV}<p role=status></p>${SAY}<ul></ul><button onclick="more()">Load more</button><script>let count = 0;
    function add() { for (let n = 0; n < 20; n++) { const name = "Item " + ++count; const item = document.createElement("li");
      item.innerHTML = "<span>" + name + "</span> <button>Star</button>"; item.lastChild.onclick = () => say("Starred " + name);
      document.querySelector("ul").append(item); } }
    async function more() { await fetch("/api/slow"); add(); } add();</script>`,
  "/save": `<title>Page</title>${NAV}<label>Title <input id=title></label><button onclick="save()">Save</button><p id=told></p><script>
    async function save() { const { ok } = await fetch("/api/save", { method: "POST" });
      document.getElementById("told").innerHTML = ok ? "Saved as " + document.getElementById("title").value : "Could not save <button onclick='save()'>Try again</button>"; }</script>`,
  "/consent": `<title>News</title>${NAV}<h1>News</h1><label>Email <input></label><button onclick="subscribe()">Subscribe</button><p role=status></p>${SAY}
    <div id=wall style="position: fixed; inset: 0; background: #fff"><h2>We value your privacy</h2><button>Manage</button><button onclick="wall.remove()">Accept all</button></div>
    <script>async function subscribe() { await fetch("/api/ok"); say("Thank you"); }</script>`,
  "/files": `<title>Files</title>${NAV}<div id=bar></div><p role=status></p>${SAY}<div id=files>${["notes.txt", "report.pdf", "photo.jpg", "song.mp3"].map((name) => `<div class=file data-name="${name}" style="cursor: pointer">${name}</div>`).join("")}</div>
    <script>document.getElementById("files").addEventListener("click", ({ target }) => { const name = target.dataset.name; if (!name) return;
      document.getElementById("bar").innerHTML = "<span>1 selected</span> <button>Remove</button>";
      document.querySelector("#bar button").onclick = async () => { await fetch("/api/ok"); target.remove(); say(name + " was removed"); }; });</script>`,
};
