/** Names of keys, as KeyboardEvent.key and .code have them (UI Events), and what people call them otherwise. */

import { BrowseError } from "../../errors.ts";
import { slipsBetween } from "../../wording.ts";

const NAMED_KEYS = [
  "Alt",
  "AltGraph",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "Backspace",
  "CapsLock",
  "ContextMenu",
  "Control",
  "ControlOrMeta",
  "Delete",
  "End",
  "Enter",
  "Escape",
  "Home",
  "Insert",
  "Meta",
  "NumLock",
  "PageDown",
  "PageUp",
  "Pause",
  "PrintScreen",
  "ScrollLock",
  "Shift",
  "Space",
  "Tab",
  ...Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
  ...Array.from({ length: 10 }, (_, index) => `Digit${index}`),
  ...Array.from({ length: 10 }, (_, index) => `Numpad${index}`),
  ...Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ", (letter) => `Key${letter}`),
] as const;

const MODIFIER_KEYS = new Set(["Alt", "AltGraph", "Control", "ControlOrMeta", "Meta", "Shift"]);

/** What people type instead; keys are in small letters. */
const ALIASES: Readonly<Record<string, string>> = {
  ctrl: "Control",
  cmd: "Meta",
  command: "Meta",
  win: "Meta",
  windows: "Meta",
  super: "Meta",
  option: "Alt",
  opt: "Alt",
  return: "Enter",
  esc: "Escape",
  del: "Delete",
  ins: "Insert",
  bksp: "Backspace",
  up: "ArrowUp",
  down: "ArrowDown",
  left: "ArrowLeft",
  right: "ArrowRight",
  pgup: "PageUp",
  pgdn: "PageDown",
  pgdown: "PageDown",
  spacebar: "Space",
  mod: "ControlOrMeta",
  menu: "ContextMenu",
};

/**
 * A chord such as `Shift+Enter`, `Control+A` or `+`, checked and in the driver's spelling. Throws `invalid_params`
 * with the nearest right name.
 */
export function parseChord(chord: string): string {
  // A plus of its own at the end is the key itself: `Control++`.
  const parts = chord === "+" || chord.endsWith("++") ? [...chord.slice(0, -2).split("+"), "+"] : chord.split("+");
  const keys = parts
    .filter((part, index) => part !== "" || index === parts.length - 1)
    .map((part) => keyOf(part.trim(), chord));
  const wrong = keys.slice(0, -1).find((key) => !MODIFIER_KEYS.has(key));
  if (wrong) {
    throw new BrowseError("invalid_params", `"${wrong}" in "${chord}" is not a modifier key`, {
      hint: "Hold Alt, Control, Meta or Shift and press one key, like `Control+A`",
    });
  }
  const key = keys.at(-1) ?? "";
  // With a modifier held a letter is a key, not a character: a keyboard without Shift sends it small.
  const isShortcut = keys.length > 1 && !keys.includes("Shift") && /^[A-Z]$/.test(key);
  return [...keys.slice(0, -1), isShortcut ? key.toLowerCase() : key].join("+");
}

/** May the chord type a character? What is no chord may be a text that was to be typed. */
export function mayType(chord: string): boolean {
  try {
    const [key = ""] = /[^+]+$|\+$/.exec(parseChord(chord)) ?? [];
    const isShortcut = /(?:^|\+)(?:Alt|Control|ControlOrMeta|Meta)\+/.test(parseChord(chord));
    return !isShortcut && ([...key].length === 1 || /^(?:Key[A-Z]|Digit\d|Numpad\d)$/.test(key));
  } catch {
    return true;
  }
}

/** What the chord types, as far as its name tells it; nothing of one that types nothing. */
export function characterOf(chord: string): string {
  const key = /[^+]+$|\+$/.exec(chord)?.[0] ?? "";
  const letter = /^(?:Key([A-Z])|(?:Digit|Numpad)(\d))$/.exec(key);
  if (letter)
    return /(?:^|\+)Shift\+/.test(chord)
      ? (letter[1] ?? letter[2] ?? "")
      : (letter[1]?.toLowerCase() ?? letter[2] ?? "");
  return [...key].length === 1 ? key : "";
}

function keyOf(name: string, chord: string): string {
  if ([...name].length === 1) return name;
  const known = NAMED_KEYS.find((key) => key === name);
  if (known) return known;
  const suggestion = nearestKey(name);
  throw new BrowseError("invalid_params", name === "" ? `"${chord}" names no key` : `There is no key "${name}"`, {
    details: suggestion ? { suggestion } : {},
    hint: suggestion
      ? `Use "${suggestion}"`
      : "Use names like Enter, Tab, Escape, ArrowDown, PageDown, F5, or one character",
  });
}

function nearestKey(name: string): string | undefined {
  const wanted = name.toLowerCase();
  const exact = ALIASES[wanted] ?? NAMED_KEYS.find((key) => key.toLowerCase() === wanted);
  if (exact) return exact;
  const candidates = [...NAMED_KEYS.map((key) => [key.toLowerCase(), key] as const), ...Object.entries(ALIASES)];
  let best: { key: string; distance: number } | undefined;
  for (const [spelling, key] of candidates) {
    const distance = slipsBetween(wanted, spelling);
    if (distance <= Math.max(1, Math.floor(wanted.length / 3)) && (!best || distance < best.distance))
      best = { key, distance };
  }
  return best?.key;
}
