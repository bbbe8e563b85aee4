/** Requests that a page holds open by habit (long polls): what was like that before is not waited for again. */
import type { NetworkEntry } from "../../browser/capture/network_capture.ts";
import type { Ring } from "../../browser/capture/ring.ts";

/** Nobody waits so long for what a page shows. */
const HELD_MS = 5_000;
/** Requests that are looked through for one like it. */
const LOOKED_THROUGH = 500;

type Asked = Pick<NetworkEntry, "method" | "url">;

/** The last one with that method and place, as far as it tells, took longer than anybody waits, or is held still. */
export function isHeldOpen({ method, url }: Asked, entries: Ring<NetworkEntry>, now = Date.now()): boolean {
  const place = placeOf(url);
  const like = entries
    .last(LOOKED_THROUGH)
    .map(({ value }) => value)
    .filter((entry) => entry.method === method && placeOf(entry.url) === place);
  const telling = like.findLast((entry) => isOver(entry) || ageOf(entry, now) > HELD_MS);
  return telling !== undefined && (telling.durationMs ?? ageOf(telling, now)) > HELD_MS;
}

/** Without what differs from one poll to the next. */
function placeOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? url;
}

function isOver({ durationMs, failure }: NetworkEntry): boolean {
  return durationMs !== undefined || failure !== undefined;
}

function ageOf({ time }: NetworkEntry, now: number): number {
  return now - Date.parse(time);
}
