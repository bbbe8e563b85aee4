/** What an agent does most, each as a command of its own in a warm daemon. */
import { peerRow } from "../../peer_row.ts";
import type { Scenario } from "../../scenario.ts";

const BUTTON = 'button "Count"';
const FIELD = 'textbox "Email"';
const TEXT = "ada@lovelace.example";
const FILE = "picture.png";

export const PEER_ROWS: readonly Scenario[] = [
  peerRow({ name: "`url`", page: "form", argv: ({ url }) => url, share: 1, besideNode: true }),
  peerRow({ name: "`text h1`", page: "form", argv: ({ text }) => text("h1"), share: 1, besideNode: true }),
  peerRow({ name: "`js 1+1`", page: "form", argv: ({ js }) => js("1+1"), share: 1, besideNode: true }),
  peerRow({ name: "`fill`", page: "form", element: FIELD, argv: ({ fill }, { ref }) => fill(ref, TEXT), share: 1 }),
  peerRow({
    name: "`click` by ref, which tells what it changed",
    page: "form",
    element: BUTTON,
    argv: ({ click }, { ref }) => click(ref),
    share: 1.5,
  }),
  peerRow({
    name: "`click --no-settle` by ref",
    page: "form",
    element: BUTTON,
    argv: ({ click, clickOnly = click }, { ref }) => clickOnly(ref),
    share: 1,
  }),
  peerRow({ name: "`snapshot -i`, 200 links", page: "links", argv: ({ snapshot }) => snapshot, share: 0.6 }),
  peerRow({
    name: "`snapshot -i`, 44,000 elements",
    page: "large",
    argv: ({ snapshot }) => snapshot,
    share: 0.1,
    portion: 0.25,
  }),
  peerRow({ name: "`goto` a local page", page: "form", argv: ({ goto }, { url }) => goto(url), share: 1 }),
  peerRow({
    name: "`screenshot --viewport`",
    page: "form",
    argv: ({ screenshot }) => screenshot(FILE),
    share: 1,
  }),
];
