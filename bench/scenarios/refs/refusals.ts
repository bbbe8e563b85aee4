import type { OpenConnection } from "../../connection.ts";
import { Samples, timed } from "../../samples.ts";
import type { Scenario } from "../../scenario.ts";

interface Change {
  what: string;
  /** Run in the page between the snapshot and the click; `button` is what will be clicked. */
  script: string;
  /** What the refusal must say. */
  says: RegExp;
}

const COVER = `document.body.insertAdjacentHTML("beforeend", "<div style='position: fixed; inset: 0'>Wait</div>")`;

const CHANGES: readonly Change[] = [
  { what: "removed", script: "button.remove()", says: /is gone: it was removed/ },
  {
    what: "replaced by its like",
    script: "button.replaceWith(button.cloneNode(true))",
    says: /is gone: it was removed/,
  },
  { what: "renamed", script: `button.textContent = "Delete"`, says: /is now \[button\] "Delete"/ },
  { what: "hidden", script: "button.hidden = true", says: /is not visible/ },
  { what: "disabled", script: "button.disabled = true", says: /is disabled/ },
  { what: "covered", script: COVER, says: /is covered by/ },
];
const MAX_MS = 100;

export const refsRefusals: Scenario = {
  group: "refs",
  name: "Open connection: `click` by the ref of an element that is not what it was",
  target: `refused within ${MAX_MS} ms`,
  async run(context) {
    using connection = await (await context.project()).connect();
    const url = context.pages.url("form");
    const figures = [];
    for (const change of [...CHANGES, undefined]) {
      const times: number[] = [];
      for (let run = 0; run < context.runs; run++) times.push(await refusal(connection, url, change));
      const samples = new Samples(times);
      const what = change?.what ?? "of a page that was left";
      figures.push(samples.figure(what), {
        name: `${what}, longest`,
        unit: "ms" as const,
        value: samples.max,
        limit: { atMost: MAX_MS },
      });
    }
    return figures;
  },
};

/** Milliseconds until the click is refused; without a change the page is loaded anew. */
async function refusal(connection: OpenConnection, url: string, change: Change | undefined): Promise<number> {
  await connection.call("goto", { url, wait: "load" });
  const { nodes } = await connection.call("snapshot", { interactive: true });
  const target = (nodes as { ref?: string; name: string }[]).find(({ name }) => name === "Count")?.ref;
  if (change)
    await connection.call("js", { code: `{ const button = document.querySelector("#count"); ${change.script} }` });
  else await connection.call("goto", { url, wait: "load" });
  let message = "it was not refused";
  const ms = await timed(async () => {
    message = await connection.call("click", { target }).then(
      () => message,
      (error: Error) => error.message,
    );
  });
  if (!(change?.says ?? /is gone: the page navigated/).test(message)) throw new Error(`Cannot measure: ${message}`);
  return ms;
}
