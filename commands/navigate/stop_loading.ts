import * as v from "valibot";
import { type StoppedRequest, stopLoading } from "../../browser/tabs/stop_loading.ts";
import { cutUrl } from "../../security/secrets/redact.ts";
import { counted } from "../../wording.ts";
import { defineCommand } from "../command.ts";
import { goesOnText } from "../effect_text.ts";

const RequestSchema = v.strictObject({ method: v.string(), url: v.string() });

export default defineCommand({
  name: "stop-loading",
  category: "navigate",
  summary: "Break off what the tab is loading",
  description:
    "The tab stays on the page that it shows, which can be read again. Tabs that this page has asked for and whose " +
    "servers have not answered are closed. Requests of the page's scripts are broken off as well, which the answer names. " +
    "Downloads go on.",
  scope: "write",
  effect: "navigation",
  namesBrokenOff: true,
  needs: "tab",
  reach: "own",
  remote: true,
  output: "plain",
  fromPage: "parts",
  locksTab: false,
  timeoutMs: 5_000,
  params: v.strictObject({}),
  result: v.strictObject({
    url: v.pipe(v.string(), v.description("Where the tab stays")),
    stopped: v.exactOptional(
      v.pipe(
        RequestSchema,
        v.description(
          "The load that was given up; at the tab's own address where parts of its page were still loading",
        ),
      ),
    ),
    requests: v.exactOptional(
      v.pipe(
        v.array(RequestSchema),
        v.description("Others that were broken off with it, the page's own too; 10 at most"),
      ),
    ),
    moreRequests: v.exactOptional(v.number()),
    downloads: v.exactOptional(
      v.pipe(
        v.array(v.strictObject({ name: v.string(), url: v.string() })),
        v.description("Files that are not complete: they go on"),
      ),
    ),
    downloading: v.exactOptional(
      v.pipe(
        v.array(v.string()),
        v.description("Addresses of files that were asked for and of which nothing has come: they are not stopped"),
      ),
    ),
    closed: v.exactOptional(
      v.pipe(v.array(v.string()), v.description("Addresses of tabs that were closed before they were there")),
    ),
  }),
  examples: ["browse stop-loading"],
  async run({ tab, mayKnow }) {
    const stopped = await stopLoading(tab, mayKnow);
    const downloads = tab.downloads.running.filter(({ url }) => mayKnow(url));
    const downloading = tab.downloads.asked.filter(mayKnow).map(cutUrl);
    return {
      ...stopped,
      ...(downloads.length > 0 && { downloads: downloads.map(({ name, url }) => ({ name, url })) }),
      ...(downloading.length > 0 && { downloading }),
    };
  },
  render({ url, stopped, requests = [], moreRequests, closed, downloads = [], downloading = [] }) {
    const more = moreRequests === undefined ? [] : [counted(moreRequests, "more request")];
    const lines = [
      stopped &&
        (stopped.url === url
          ? `Stopped loading the rest of ${url}`
          : `Stopped loading ${sentText(stopped)}: the tab stays on ${url}`),
      requests.length + more.length > 0 && `Broke off ${[...requests.map(sentText), ...more].join(", ")}`,
      closed && `Closed ${counted(closed.length, "tab")} that had not come: ${closed.join(", ")}`,
    ].filter((line) => typeof line === "string");
    const stoppedText = lines.join("\n") || `Nothing was loading: the tab is on ${url}`;
    const asked = downloading.map((of) => `The download of ${of}, which has not begun, is not stopped`);
    return [stoppedText, ...downloads.map(goesOnText), ...asked].join("\n");
  },
});

function sentText({ method, url }: StoppedRequest): string {
  return method === "GET" ? url : `${method} ${url} (it may have been carried out)`;
}
