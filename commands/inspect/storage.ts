import type { Frame } from "playwright";
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { ask } from "../../refs/reader.ts";
import { defineCommand } from "../command.ts";
import { isSecret } from "../params.ts";

const ALL = "`browse storage` lists all that is stored";

type Area = "local" | "session";

const ItemsSchema = v.record(v.string(), v.string());

export default defineCommand({
  name: "storage",
  category: "inspect",
  summary: "List the page's local and session storage, or set one item",
  description:
    "`storage set <key> <value>` writes to local storage, with --session to session storage. What is set is not echoed.",
  scope: "admin",
  effect: "none",
  needs: "tab",
  output: "secret",
  params: v.strictObject({
    action: v.exactOptional(v.picklist(["set"])),
    key: v.exactOptional(v.pipe(v.string(), v.maxLength(10_000), v.description("Of the item to set"))),
    value: v.exactOptional(
      v.pipe(v.string(), v.maxLength(5_000_000), v.description("To store; never echoed"), isSecret()),
    ),
    localStorage: v.exactOptional(v.pipe(v.boolean(), v.description("Local storage only"))),
    sessionStorage: v.exactOptional(v.pipe(v.boolean(), v.description("Session storage only"))),
  }),
  cli: {
    positional: ["action", "key", "value"],
    flags: { localStorage: "local", sessionStorage: "session" },
  },
  raises: [{ param: "action", scope: "admin", effect: "browser" }],
  result: v.strictObject({
    local: v.exactOptional(ItemsSchema),
    session: v.exactOptional(ItemsSchema),
    set: v.exactOptional(v.pipe(v.string(), v.description("The key that was set"))),
  }),
  examples: ["browse storage", "browse storage set theme dark", "browse storage --session"],
  async run({ frame, signal }, { action, localStorage: local, sessionStorage: session, ...item }) {
    if (action === "set") return { set: await setItem(frame, session ? "session" : "local", item, signal) };
    if (item.key !== undefined) throw new BrowseError("invalid_params", "A key is for `storage set`", { hint: ALL });
    const both = local === session;
    return {
      ...(both || local ? { local: await itemsOf(frame, "local", signal) } : {}),
      ...(both || session ? { session: await itemsOf(frame, "session", signal) } : {}),
    };
  },
  render(result) {
    if (result.set !== undefined) return `Set ${JSON.stringify(result.set)}`;
    const lines = [...itemLines("local", result.local), ...itemLines("session", result.session)];
    return lines.length === 0 ? "Nothing is stored" : lines.join("\n");
  },
});

async function itemsOf(frame: Frame, area: Area, signal: AbortSignal): Promise<Record<string, string>> {
  return Object.fromEntries((await ask(frame, "stored", { area }, { signal })).items);
}

async function setItem(frame: Frame, area: Area, item: { key?: string; value?: string }, signal: AbortSignal) {
  const { key, value } = item;
  if (key === undefined || value === undefined) {
    throw new BrowseError("invalid_params", "`storage set` takes a key and a value", {
      hint: "browse storage set <key> <value>",
    });
  }
  const { refused } = await ask(frame, "store", { area, key, value }, { signal });
  if (refused === undefined) return key;
  throw new BrowseError("unsupported", `The page's ${area} storage refused the item: ${refused}`, {
    hint: "Storage needs an http or https page, and has a quota of about 5 MB",
  });
}

function itemLines(area: string, items: Record<string, string> | undefined): string[] {
  return Object.entries(items ?? {}).map(([key, value]) => `${area} ${inLine(key)}=${inLine(value)}`);
}

/** A line break in one item would begin what reads as another. */
function inLine(text: string): string {
  return /[\r\n]/.test(text) ? JSON.stringify(text) : text;
}
