/** What sessions want to know of their pages, by asking the reader. */
import type { PageProbe } from "../browser/sessions/session_options.ts";
import { ask } from "./reader.ts";

export const pageProbe: PageProbe = {
  stored: (frame) => ask(frame, "stored", { area: "session" }),
  scrolled: (frame) => ask(frame, "scrolled", {}),
};
