/** Which calls of the journal a skill is made of: those of one tab that led to the last read, and why the others did not. */
import { BrowseError } from "../../errors.ts";
import type { JournalEntry } from "../../rpc/events/journal.ts";

/** A call that the journal can be asked for again. */
export interface RecordedCall extends JournalEntry {
  id: string;
  params: Record<string, unknown>;
}

/** The calls that led to `read`, in order, and it. */
export interface Recording {
  calls: RecordedCall[];
  read: RecordedCall;
  /** Where it reads: without its port. */
  host: string;
  /** What was done in other tabs meanwhile. */
  elsewhere: RecordedCall[];
  /** Nobody gave its beginning: what was done before, for something else, may be in it. */
  isOpen: boolean;
}

export interface RecordingRequest {
  /** `last`, or the ids of the first and the last call: `7f3a-12..7f3a-31`. */
  from: string;
  session: string;
  /** Its tabs that are open: what was in others is not there to be looked at. */
  tabs: ReadonlySet<string>;
  /** Calls on other hosts are left out. */
  host?: string;
}

/** Reads that a skill can answer with. */
export const RESULTS: ReadonlySet<string> = new Set([
  "attrs",
  "count",
  "data",
  "find",
  "forms",
  "html",
  "is",
  "links",
  "markdown",
  "media",
  "table",
  "text",
  "title",
  "url",
  "value",
]);

/** Of commands that only hold others, these count. */
const HOLDERS: ReadonlySet<string> = new Set(["batch", "chain", "tab-each"]);

/** Shapes of answers that say nothing, whatever their members are. */
const EMPTY = /^\{(?:\w+: (?:\[\]|string\(0\)|null|\{\})(?:, )?)*\}$/;

/** Throws `invalid_params`, and `not_found` where there is nothing clearly bounded to make a skill of. */
export function recordingOf(entries: readonly JournalEntry[], request: RecordingRequest): Recording {
  const all = between(inOrder(entries), request);
  const calls = all.filter(({ tab }) => tab === undefined || request.tabs.has(tab));
  const read = calls.findLast((call) => isAnswer(call));
  if (!read) throw nothing(calls);
  const led = calls.slice(0, calls.indexOf(read) + 1).filter(({ tab }) => tab === read.tab);
  const readHost = hostOf(read.page);
  const host = request.host ?? readHost;
  if (host === undefined) throw refusal("the last read was of no web page", "Read a page of a site, then codify");
  if (request.host !== undefined && readHost !== request.host) {
    throw refusal(
      `the last read was on ${readHost ?? "no host"}, not on ${request.host}`,
      "Name its host, or no --host",
    );
  }
  return {
    calls: request.host === undefined ? led : led.filter(({ page }) => hostOf(page) === host),
    read,
    host,
    elsewhere: all
      .slice(0, all.indexOf(read))
      // Also what changed nothing there: it may have been for the page that opened it.
      .filter(({ tab, outcome, effect }) => tab !== undefined && tab !== read.tab && outcome === "ok" && effect),
    isOpen: request.from === "last",
  };
}

/** Without its port, as the domains of a token have it; undefined for what is no web page. */
export function hostOf(url: string | undefined): string | undefined {
  if (url === undefined || !/^https?:/.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname;
}

/** Answers with something: a read of a page, and not that there is nothing. */
export function isAnswer({ command, outcome, result }: RecordedCall): boolean {
  return outcome === "ok" && RESULTS.has(command) && result !== undefined && !EMPTY.test(result.shape);
}

/** By when they began; a call that holds others ends after them. */
function inOrder(entries: readonly JournalEntry[]): RecordedCall[] {
  const codifying = new Set(entries.filter(({ command }) => command.startsWith("skill.")).map(({ id }) => id));
  const calls = entries
    .filter(isRecorded)
    .filter(({ command, by, parent }) => !HOLDERS.has(command) && !isOfSkill(by) && !codifying.has(parent));
  const last = calls.at(-1);
  if (!last) return [];
  // Another daemon's pages are gone.
  return calls.filter(({ id }) => runOf(id) === runOf(last.id)).toSorted((a, b) => numberOf(a.id) - numberOf(b.id));
}

/** By whose token it was: what a client calls itself is nobody's word but its own. */
function isOfSkill(by: string): boolean {
  return by === "skill" || by.startsWith("skill ");
}

function isRecorded(entry: JournalEntry): entry is RecordedCall {
  return entry.id !== undefined && typeof entry.params === "object" && entry.params !== null;
}

function between(calls: readonly RecordedCall[], { from, session }: RecordingRequest): RecordedCall[] {
  if (from === "last") return sinceCodified(calls.filter((call) => call.session === session));
  const [first, last, ...more] = from.split("..");
  if (!first || !last || more.length > 0) {
    throw new BrowseError(
      "invalid_params",
      `--from takes last, or two ids such as 7f3a-12..7f3a-31, not ${JSON.stringify(from)}`,
      {
        hint: "`browse journal` shows the ids",
      },
    );
  }
  const [begin, end] = [first, last].map((id) => calls.findIndex((call) => call.id === id));
  if (begin === undefined || end === undefined || begin < 0 || end < begin) {
    throw new BrowseError("not_found", `The journal of this daemon has no calls from ${first} to ${last}`, {
      hint: "`browse journal` shows the ids",
    });
  }
  const chosen = calls.slice(begin, end + 1);
  const other = chosen.find((call) => call.session !== undefined && call.session !== session);
  if (!other) return chosen;
  throw refusal(
    `between them are calls of another session, "${other.session}"`,
    "Give a shorter range, or name the session with --session",
  );
}

/** What has been made a skill of belongs to that one. */
function sinceCodified(calls: readonly RecordedCall[]): RecordedCall[] {
  const before = calls.findLastIndex(({ command, outcome }) => command === "skill.codify" && outcome === "ok");
  return calls.slice(before + 1);
}

function nothing(calls: readonly RecordedCall[]): BrowseError {
  const isAllFailed = calls.length > 0 && calls.every(({ outcome }) => outcome !== "ok");
  if (isAllFailed) return refusal("all of its calls failed", "Do it once so that it works, then codify");
  return refusal(
    "no read has answered anything",
    "Read what the skill is to answer with (`browse text`, `browse table` …), then codify",
  );
}

function refusal(why: string, hint: string): BrowseError {
  return new BrowseError("not_found", `There is nothing to make a skill of: ${why}`, { hint });
}

export { refusal as cannotCodify };

function runOf(id: string): string {
  return id.slice(0, id.indexOf("-"));
}

export function numberOf(id: string): number {
  return Number.parseInt(id.slice(id.indexOf("-") + 1), 10);
}
