import type { Frame } from "playwright";
import * as v from "valibot";
import { ask } from "../../../refs/reader.ts";
import { defineCommand } from "../../command.ts";

type Area = "local" | "session";

const ItemsSchema = v.record(v.string(), v.string());

export default defineCommand({
  name: "storage",
  category: "inspect",
  summary: "List the page's local and session storage",
  scope: "admin",
  effect: "none",
  needs: "tab",
  output: "secret",
  fromPage: "whole",
  params: v.strictObject({
    localStorage: v.exactOptional(v.pipe(v.boolean(), v.description("Local storage only"))),
    sessionStorage: v.exactOptional(v.pipe(v.boolean(), v.description("Session storage only"))),
  }),
  cli: { flags: { localStorage: "local", sessionStorage: "session" } },
  result: v.strictObject({ local: v.exactOptional(ItemsSchema), session: v.exactOptional(ItemsSchema) }),
  examples: ["browse storage", "browse storage --session"],
  async run({ frame, signal }, { localStorage: local, sessionStorage: session }) {
    const both = local === session;
    return {
      ...(both || local ? { local: await itemsOf(frame, "local", signal) } : {}),
      ...(both || session ? { session: await itemsOf(frame, "session", signal) } : {}),
    };
  },
  render({ local, session }) {
    const lines = [...itemLines("local", local), ...itemLines("session", session)];
    return lines.length === 0 ? "Nothing is stored" : lines.join("\n");
  },
});

async function itemsOf(frame: Frame, area: Area, signal: AbortSignal): Promise<Record<string, string>> {
  return Object.fromEntries((await ask(frame, "stored", { area }, { signal })).items);
}

function itemLines(area: string, items: Record<string, string> | undefined): string[] {
  return Object.entries(items ?? {}).map(([key, value]) => `${area} ${inLine(key)}=${inLine(value)}`);
}

/** A line break in one item would begin what reads as another. */
function inLine(text: string): string {
  return /[\r\n]/.test(text) ? JSON.stringify(text) : text;
}
