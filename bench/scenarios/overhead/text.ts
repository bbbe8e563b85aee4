import { overheadScenario } from "../../overhead.ts";
import { shownText } from "../../shown_text.ts";

export const overheadText = overheadScenario(
  { page: "links", command: "text", driver: async (page) => await shownText(page) },
  "page.innerText()",
);
