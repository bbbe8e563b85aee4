import { documentShell, repeat } from "./document_shell.ts";

/** 150 orders in six columns, the last of which acts. */
export function tablePage(): string {
  const row = (n: number) =>
    `<tr><td>${1000 + n}</td><td>Customer ${n}</td><td>2026-01-${String((n % 28) + 1).padStart(2, "0")}</td><td>${n * 7}.00</td>` +
    `<td>${n % 3 === 0 ? "Sent" : "Open"}</td><td><button type="button">Show</button></td></tr>`;
  const head = ["Order", "Customer", "Date", "Total", "State", "Action"].map((name) => `<th scope="col">${name}</th>`);
  return documentShell(
    "Orders",
    `<main><h1>Orders</h1><table><caption>All orders</caption><thead><tr>${head.join("")}</tr></thead><tbody>${repeat(150, row)}</tbody></table></main>`,
  );
}
