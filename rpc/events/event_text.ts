/** Events as a person reads them, and as a program does: one line each. */
import { indented } from "../../security/content/invisible.ts";
import { printable, printableJson } from "../line/terminal.ts";
import type { EventGap, EventRecord } from "../protocol.ts";

/** One line, without its end. */
export type RenderEvent = (told: EventRecord | EventGap) => string;

/** ANSI codes (ECMA-48, 8.3.117). */
const RESET = "\x1b[0m";
const DIM = "\x1b[2m";
const RED = "\x1b[31m";
const YELLOW = "\x1b[33m";
const COLORS: Readonly<Record<string, string>> = {
  console: "\x1b[36m",
  network: "\x1b[34m",
  page: "\x1b[32m",
  activity: "\x1b[35m",
};
/** Room for the longest of the usual names. */
const TAB_WIDTH = 4;
const TOPIC_WIDTH = 8;
/** A stream is to be watched; one line of a console can have 20,000 characters. */
const MAX_TEXT = 2_000;

export function eventJson(told: EventRecord | EventGap): string {
  return printableJson("seq" in told ? told : { gap: told });
}

/** `12:03:04.123 t1   console  error Uncaught TypeError: …`, in local time. */
export function eventLine(told: EventRecord | EventGap, { color }: { color: boolean }): string {
  const paint = (code: string | undefined, text: string) => (color && code ? `${code}${text}${RESET}` : text);
  if (!("seq" in told)) return paint(YELLOW, gapText(told));
  const { topic, time, data } = told;
  const place = paint(DIM, `${clock(time)} ${String(data.tab ?? data.session ?? "-").padEnd(TAB_WIDTH)}`);
  const body = indented(printable(cut(textOf(topic, data))));
  return `${place} ${paint(COLORS[topic], topic.padEnd(TOPIC_WIDTH))} ${paint(urgency(data), body)}`;
}

function gapText({ topic, dropped, from, to }: EventGap): string {
  return `--- ${dropped} ${topic} ${dropped === 1 ? "event is" : "events are"} lost (${from} to ${to})`;
}

function clock(time: string): string {
  const at = new Date(time);
  const parts = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, "0"));
  return `${parts.join(":")}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT)}… (${text.length} characters: --json has them all)`;
}

type Data = Record<string, unknown>;

function urgency({ level, failure, outcome, status, event }: Data): string | undefined {
  if (level === "error" || failure !== undefined || event === "crashed") return RED;
  if (typeof status === "number" && status >= 400) return RED;
  if (level === "warning" || event === "denied" || event === "found") return YELLOW;
  return outcome !== undefined && outcome !== "ok" && outcome !== "accepted" ? YELLOW : undefined;
}

function textOf(topic: string, data: Data): string {
  switch (topic) {
    case "console":
      return words(data.level, data.text, data.location && `(${data.location})`);
    case "network":
      return networkText(data);
    case "dialog":
      return words(data.type, JSON.stringify(data.message), data.outcome);
    case "activity":
      return activityText(data);
    default:
      return generalText(data);
  }
}

function networkText({ event, id, method, url, type, status, failure, bytes, durationMs, frames }: Data): string {
  const state = failure ?? (event === "request" ? "→" : (status ?? event));
  const size = bytes === undefined ? "" : `${bytes} B`;
  const took = durationMs === undefined ? "" : `${durationMs} ms`;
  return words(`#${id}`, state, method, url, type, size, took, frames && JSON.stringify(frames));
}

function activityText({ phase, command, client, params, outcome, ms }: Data): string {
  if (phase === "started") {
    const given = JSON.stringify(params);
    return words(command, given === "{}" ? "" : given, `by ${client}`);
  }
  return words(command, outcome, `${ms} ms`);
}

/** `navigated url=http://… frame=main`. */
function generalText({ event, tab: _, session: __, ...rest }: Data): string {
  const members = Object.entries(rest).map(([name, value]) => {
    return `${name}=${typeof value === "object" ? JSON.stringify(value) : value}`;
  });
  return words(event, ...members);
}

function words(...parts: readonly unknown[]): string {
  return parts.filter((part) => part !== undefined && part !== "" && part !== false).join(" ");
}
