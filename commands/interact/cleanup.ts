import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { counted } from "../../wording.ts";
import { defineCommand } from "../command.ts";
import { clearPage, restorePage } from "./_cleanup.ts";

const KINDS = ["ads", "cookies", "overlays", "sticky", "social"] as const;
const flag = (description: string) => v.exactOptional(v.pipe(v.boolean(), v.description(description)));

export default defineCommand({
  name: "cleanup",
  category: "interact",
  summary: "Hide clutter on the page: ads, cookie banners, overlays, sticky bars, share buttons",
  description:
    "All of them without a flag. What holds the page's main content, most of its text, or a password field is left alone. " +
    "Bars with navigation stay on the page, no longer over it. Nothing is clicked or accepted; --undo gives everything back.",
  scope: "admin",
  effect: "page",
  needs: "tab",
  output: "page",
  fromPage: "parts",
  params: v.strictObject({
    ads: flag("Advertisements"),
    cookies: flag("Cookie and consent banners"),
    overlays: flag("Overlays that cover much of the page; it can be scrolled again then"),
    sticky: flag("Bars that stay in the window when the page is scrolled"),
    social: flag("Share buttons"),
    undo: flag("Undo everything cleanup did to the page"),
  }),
  result: v.strictObject({
    cleared: v.array(
      v.strictObject({
        kind: v.picklist(KINDS),
        how: v.pipe(
          v.picklist(["hidden", "unpinned", "unlocked"]),
          v.description("unpinned: stays on the page, no longer over it; unlocked: scrolls again"),
        ),
        ref: v.string(),
        role: v.string(),
        name: v.string(),
      }),
    ),
    kept: v.pipe(v.number(), v.description("What was left alone because it holds main content")),
    restored: v.exactOptional(v.pipe(v.number(), v.description("Changes undone"))),
  }),
  examples: ["browse cleanup", "browse cleanup --cookies --overlays", "browse cleanup --undo"],
  async run({ tab, signal }, { undo, ...flags }) {
    const wanted = KINDS.filter((kind) => flags[kind]);
    if (undo && wanted.length > 0)
      throw new BrowseError("invalid_params", "--undo cannot be combined with other flags");
    if (undo) return { cleared: [], kept: 0, restored: await restorePage(tab, { signal }) };
    return await clearPage(tab, wanted.length > 0 ? wanted : KINDS, { signal });
  },
  render({ cleared, kept, restored }) {
    if (restored !== undefined) return restored === 0 ? "Nothing was hidden" : `Undid ${counted(restored, "change")}`;
    const lines = cleared.map(
      ({ kind, how, ref, role, name }) => `${how} ${kind}: ${ref} [${role}] ${JSON.stringify(short(name))}`,
    );
    if (lines.length === 0) lines.push("Nothing is in the way");
    if (kept > 0) lines.push(`Left alone because they hold main content: ${kept}`);
    return lines.join("\n");
  },
});

function short(name: string): string {
  return name.length > 80 ? `${name.slice(0, 79)}…` : name;
}
