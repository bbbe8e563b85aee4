/** The newest moment that was asked for, and how it is written. */
let lastMs = 0;
let lastText = "";

/** The time, ISO 8601. What happens in one millisecond shares one string: in a storm that is hundreds of lines. */
export function timeNow(): string {
  const ms = Date.now();
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}
