/** Twenty tasks of the kinds that agents are given. */
import { button, field, listBox, part, type Task } from "./task.ts";

export const TASKS: readonly Task[] = [
  {
    name: "log in after a wrong password",
    path: "/login",
    steps: [
      { do: "fill", on: field(/Email/), value: "ada@shop.example" },
      { do: "fill", on: field(/Password/), value: "wrong" },
      { do: "click", on: button(/Log in/), sees: /Wrong password/ },
      { do: "fill", on: field(/Password/), value: "lovelace" },
      { do: "click", on: button(/Log in/), leads: true, sees: /Welcome, Ada/ },
    ],
  },
  {
    name: "log in with a second factor",
    path: "/second-factor",
    steps: [
      { do: "fill", on: field(/User/), value: "ada" },
      { do: "click", on: button(/Continue/) },
      { do: "fill", on: field(/Code/), value: "123456" },
      { do: "click", on: button(/Verify/), sees: /Signed in as ada/ },
    ],
  },
  {
    name: "put one of many into the cart",
    path: "/shop",
    steps: [
      { do: "click", on: button(/Add to cart/, /Desk lamp/), sees: /Desk lamp added/ },
      { do: "click", on: button(/Add to cart/, /Oak stool/), sees: /Oak stool added/ },
      { do: "read", sees: /2 items/ },
    ],
  },
  {
    name: "check out, with a field left empty",
    path: "/checkout",
    steps: [
      { do: "fill", on: field(/Name/), value: "Ada" },
      { do: "click", on: button(/Place order/), sees: /Email/ },
      { do: "fill", on: field(/Email/), value: "ada@shop.example" },
      { do: "choose", on: listBox(/Country/), value: "Portugal" },
      { do: "click", on: button(/Place order/), sees: /Order 1042 confirmed/ },
    ],
  },
  ...(
    [
      ["tom-select", /Clinic/, "Estrela"],
      ["React Select", /City/, "Porto"],
      ["Material's Autocomplete", /Town/, "Coimbra"],
      ["Material's Select", /Size/, "Large"],
      ["Shoelace's select", /Language/, "Português"],
    ] as const
  ).map(
    ([of, name, value]): Task => ({
      name: `choose from ${of}`,
      path: "/lists.html",
      steps: [{ do: "choose", on: listBox(name), value, isCustom: true, sees: new RegExp(value) }],
    }),
  ),
  {
    name: "find a number in a single-page app",
    path: "/app",
    steps: [
      { do: "click", on: button(/Invoices/), sees: /Invoice A-7/ },
      { do: "click", on: button(/Open/, /Invoice A-7/), sees: /Total: 214 €/ },
    ],
  },
  {
    name: "open a row of a long table",
    path: "/table",
    steps: [{ do: "click", on: button(/Details/, /Order 137/), sees: /Order 137: paid on 3 May/ }],
  },
  {
    name: "add to a list and tick it off",
    path: "/todo",
    steps: [
      { do: "fill", on: field(/New task/), value: "Call Ana" },
      { do: "click", on: button(/Add/) },
      { do: "click", on: { role: /checkbox/, name: /Call Ana/ }, sees: /1 of 1 done/ },
    ],
  },
  {
    name: "delete, and confirm in a dialog",
    path: "/people",
    steps: [
      { do: "click", on: button(/Delete/, /Bob/) },
      { do: "click", on: button(/Yes, delete/), sees: /Bob was deleted/ },
    ],
  },
  {
    name: "archive by a menu",
    path: "/mail",
    steps: [
      { do: "click", on: button(/Actions/) },
      { do: "click", on: button(/Archive/), sees: /Archived/ },
      { do: "click", on: button(/Undo/), sees: /Back in the inbox/ },
    ],
  },
  {
    name: "a wizard in a frame",
    path: "/framed",
    steps: [
      { do: "fill", on: field(/Postcode/), value: "1200" },
      { do: "click", on: button(/Next/) },
      { do: "fill", on: field(/Street/), value: "Rua 1" },
      { do: "click", on: button(/Next/) },
      { do: "click", on: button(/Finish/), sees: /We will come on Monday/ },
    ],
  },
  {
    name: "star what is further down a list that grows",
    path: "/grows",
    steps: [
      { do: "click", on: button(/Load more/), sees: /Item 40/ },
      { do: "click", on: button(/Star/, /Item 40/), sees: /Starred Item 40/ },
    ],
  },
  {
    name: "move a card",
    path: "/board.html",
    steps: [{ do: "drag", on: part(/Write docs/), to: part(/In progress/), sees: /In progress|Write docs/ }],
  },
  {
    name: "save, which fails",
    path: "/save",
    steps: [
      { do: "fill", on: field(/Title/), value: "Spring" },
      { do: "click", on: button(/Save/), sees: /500|[Cc]ould not save|failed/ },
      { do: "click", on: button(/Try again/), sees: /Saved as Spring/ },
    ],
  },
  {
    name: "past a consent wall",
    path: "/consent",
    steps: [
      { do: "click", on: button(/Accept all/) },
      { do: "fill", on: field(/Email/), value: "ada@shop.example" },
      { do: "click", on: button(/Subscribe/), sees: /Thank you/ },
    ],
  },
  {
    name: "files that are no buttons",
    path: "/files",
    steps: [
      { do: "click", on: button(/report\.pdf/), sees: /1 selected/ },
      { do: "click", on: button(/Remove/), sees: /report\.pdf was removed/ },
    ],
  },
];
