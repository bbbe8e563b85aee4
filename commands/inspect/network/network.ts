import * as v from "valibot";
import type { NetworkEntry } from "../../../browser/capture/network_capture.ts";
import { BrowseError } from "../../../errors.ts";
import { defineCommand } from "../../command.ts";
import type { TabContext } from "../../context.ts";
import { Before, beforeLines, Last, newestOf } from "../../newest.ts";
import { Force, writesFile } from "../../params.ts";
import { harText } from "./_har.ts";
import { type Body, requestBody, responseBody } from "./_network_body.ts";
import { type BodyPart, briefEntry, type Entry, EntrySchema, entryText, hasFailed } from "./_network_shape.ts";

/** Characters of a body in one answer: some pages of text. */
const PART_LENGTH = 20_000;

const ParamsSchema = v.strictObject({
  id: v.exactOptional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.description("One request, with its headers and bodies")),
  ),
  bodyOffset: v.exactOptional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.description("Characters of the bodies to leave out before it")),
  ),
  filter: v.exactOptional(v.pipe(v.string(), v.description("Part of the address"))),
  failed: v.exactOptional(v.pipe(v.boolean(), v.description("Failures and statuses from 400 only"))),
  type: v.exactOptional(v.pipe(v.string(), v.description("Of these types: fetch,xhr,document,script,image,…"))),
  method: v.exactOptional(v.pipe(v.string(), v.description("GET, POST, …"))),
  status: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^[1-5](?:\d\d|xx)$/i, "must be a status such as 404, or 4xx"),
      v.description("404, or 4xx"),
    ),
  ),
  all: v.exactOptional(
    v.pipe(v.boolean(), v.description("Of the pages before this one as well, scripts, styles, images and fonts too")),
  ),
  last: Last,
  clear: v.exactOptional(v.pipe(v.boolean(), v.description("Forget them after showing"))),
  har: v.exactOptional(
    v.pipe(
      v.string(),
      v.description("Write them to this file as an HTTP Archive 1.2"),
      writesFile({ extensions: [".har"], holdsSecrets: true }),
    ),
  ),
  force: Force,
});

type Params = v.InferOutput<typeof ParamsSchema>;

export default defineCommand({
  name: "network",
  category: "inspect",
  summary: "Show the requests the page made, or one of them with its headers and bodies",
  description:
    "Of the page that is shown; archives have those of all pages. Ids stay. Bodies are asked of the browser only for the request that is shown; it has those of the current page. Secrets are redacted, in archives too.",
  aliases: ["requests"],
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "secret",
  fromPage: "whole",
  locksTab: false,
  worksInDialog: true,
  isLog: true,
  params: ParamsSchema,
  cli: { positional: ["id"] },
  raises: [{ param: "har", scope: "write", effect: "disk" }],
  result: v.strictObject({
    entries: v.array(EntrySchema),
    total: v.pipe(v.number(), v.description("Requests since the tab was opened")),
    before: Before,
    static: v.exactOptional(
      v.pipe(
        v.record(v.string(), v.number()),
        v.description("How many there are, by type, that are listed only with `all` or a filter"),
      ),
    ),
    earlier: v.exactOptional(v.pipe(v.number(), v.description("How many there are of the pages before this one"))),
    file: v.exactOptional(v.pipe(v.string(), v.description("Where --har wrote them"))),
    bytes: v.exactOptional(v.number()),
  }),
  examples: [
    "browse network",
    "browse network 1",
    "browse network --filter api --failed",
    "browse network --har shop.har",
  ],
  async run(context, params) {
    const ring = context.capture.network;
    checkTogether(params);
    if (params.id !== undefined) {
      return { entries: [await oneEntry(context, params.id, params.bodyOffset ?? 0)], total: ring.total };
    }
    const chosen = ring.since(0).filter(({ value }) => isChosen(value, params));
    const { earlier: ofEarlier } = context.capture;
    if (params.har !== undefined) {
      const written = await writeHar(context, params.har, chosen);
      if (params.clear) ring.clear();
      return { entries: [], total: ring.total, ...written };
    }
    const ofPage = params.all ? chosen : chosen.filter(({ seq }) => seq > ofEarlier.network);
    if (params.clear) ring.clear();
    const earlier = chosen.length - ofPage.length;
    const [left, listed] = isNamed(params) ? [[], ofPage] : apart(ofPage);
    const { shown, ...before } = newestOf(listed, params.last);
    return {
      entries: shown.map(({ seq, value }) => briefEntry(seq, value)),
      total: ring.total,
      ...before,
      ...(left.length > 0 && { static: countsByType(left) }),
      ...(earlier > 0 && { earlier }),
    };
  },
  render({ entries, before, static: counts = {}, earlier, file, bytes }) {
    if (file !== undefined) return `Wrote ${bytes} bytes to ${file}`;
    const kinds = Object.entries(counts).map(([type, count]) => `${count} ${type}`);
    const rest = [...(kinds.length > 0 ? [kinds.join(", ")] : []), ...(earlier ? [`${earlier} of earlier pages`] : [])];
    const none = kinds.length > 0 ? [] : ["No requests"];
    return [
      ...beforeLines(before, "browse network", entries.length),
      ...(entries.length === 0 ? none : entries.map((entry) => entryText(entry))),
      ...(rest.length > 0 ? [`… and ${rest.join("; ")}: browse network --all`] : []),
    ].join("\n");
  },
});

type Seen = { seq: number; value: NetworkEntry };

/** What pages are made of. A list of all of it hides what they ask for. */
const STATIC_TYPES = new Set(["script", "stylesheet", "image", "font", "media", "manifest", "texttrack"]);

/** Does the caller name which it wants? */
function isNamed({ all, filter, type, method, status, failed }: Params): boolean {
  return [all, filter, type, method, status, failed].some((each) => each !== undefined);
}

/** What is only counted, and what is listed: of what a page is made of, that which failed. */
function apart(seen: readonly Seen[]): [counted: Seen[], listed: Seen[]] {
  const isCounted = ({ value }: Seen) => STATIC_TYPES.has(value.resourceType) && !hasFailed(value);
  return [seen.filter(isCounted), seen.filter((each) => !isCounted(each))];
}

function countsByType(seen: readonly Seen[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(seen, ({ value }) => value.resourceType)).map(([type, all]) => [
      type,
      all?.length ?? 0,
    ]),
  );
}

function checkTogether({ id, bodyOffset, ...others }: Params): void {
  if (id === undefined && bodyOffset !== undefined) {
    throw new BrowseError("invalid_params", "--body-offset is for one request: name its id", {
      hint: "browse network <id> --body-offset <characters>",
    });
  }
  const [other] = (["filter", "failed", "type", "method", "status", "all", "last", "clear", "har"] as const).filter(
    (name) => others[name] !== undefined,
  );
  if (id === undefined || other === undefined) return;
  throw new BrowseError("invalid_params", `--${other} is for the list: leave out the id ${id}`, {
    hint: "browse network <id>, or browse network with flags",
  });
}

function isChosen(entry: NetworkEntry, { filter, failed, type, method, status }: Params): boolean {
  if (failed && !hasFailed(entry)) return false;
  if (filter !== undefined && !entry.url.includes(filter)) return false;
  if (type !== undefined && !type.toLowerCase().split(",").includes(entry.resourceType)) return false;
  if (method !== undefined && entry.method !== method.toUpperCase()) return false;
  return status === undefined || hasStatus(entry, status);
}

/** `404`, or `4xx` for all that begin so. */
function hasStatus({ status }: NetworkEntry, wanted: string): boolean {
  if (status === undefined) return false;
  return /xx$/i.test(wanted) ? String(status).startsWith(wanted.charAt(0)) : String(status) === wanted;
}

async function oneEntry({ capture, session, signal }: TabContext, id: number, offset: number): Promise<Entry> {
  const entry = capture.network.at(id);
  if (!entry) {
    throw new BrowseError("not_found", `There is no request ${id}`, { hint: "Run `browse network` for the ids" });
  }
  const request = capture.requestOf(id);
  if (!request) return { id, ...entry };
  const options = { ownHeaders: session.emulation.headers };
  const sent = partOf(requestBody(request, options), offset);
  const received = partOf(await responseBody(request, options, signal), offset);
  return { id, ...entry, ...(sent && { requestBody: sent }), ...(received && { responseBody: received }) };
}

function partOf(body: Body | undefined, offset: number): BodyPart | undefined {
  if (!body || "missing" in body) return body;
  const { text } = body;
  const end = offset + PART_LENGTH;
  // Not between the halves of a character.
  const part = text.slice(offset, /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end);
  return { text: part, offset: Math.min(offset, text.length), characters: text.length };
}

async function writeHar(
  context: TabContext,
  path: string,
  chosen: readonly Seen[],
): Promise<{ file: string; bytes: number }> {
  const { tab, capture, session, daemon } = context;
  const { version, browserVersion = "" } = daemon.status();
  const text = harText({
    entries: chosen.map(({ seq, value }) => ({ id: seq, entry: value, request: capture.requestOf(seq) })),
    pageUrl: tab.page.url(),
    version,
    browserVersion,
    ownHeaders: session.emulation.headers,
  });
  return { file: path, bytes: await context.save(path, text) };
}
