/** A command line of another tool in browse's own words. */
import { HABITS, type Habit } from "./other_tools.ts";

/** A line's place in what was typed, and the words that stand for it. */
interface Fit {
  habit: Habit;
  words: string[];
  /** What was typed for its placeholders. */
  values: ReadonlyMap<string, string>;
}

/** `<n2>` is a number as well, and a `<script>` no file of one. */
const PLACEHOLDER = /<([a-z]+\d?)>/g;
const NUMBER = /^\d+$/;
const SCRIPT_FILE = /\.[cm]?[jt]s$/;

const OVERRIDING = HABITS.filter(({ overrides }) => overrides);

/** More than any line needs to be rewritten; no habit leads back to itself. */
const MAX_REWRITES = 8;

/** The words to read instead, or the habit that is only answered, and our spelling of what was typed, as a shell takes it. */
export type OwnWords = { words: string[] } | { habit: Habit; spelled: string };

/** Habits are asked where browse cannot read a line, but for the few that look like something else in its own words. */
type Asked = "instead of ours" | "where ours do not fit";

/** The command's name and what follows it as browse itself would have them; undefined when none of it is known from elsewhere. */
export function inOwnWords(typed: readonly string[], asked: Asked): OwnWords | undefined {
  const habits = asked === "instead of ours" ? OVERRIDING : HABITS;
  let words = [...typed];
  for (let times = 0; times < MAX_REWRITES; times++) {
    const fit = fitting(words, habits);
    if (!fit) return times === 0 ? undefined : { words };
    if (fit.habit.because !== undefined) return { habit: fit.habit, spelled: spelledOut(fit) };
    words = fit.words;
  }
  return { words };
}

/** The habit of that command name, should it be another tool's; one that takes more than the name to tell is none. */
export function habitNamed(name: string): Habit | undefined {
  return HABITS.find(({ typed }) => {
    const [first, second = "<"] = typed.split(" ");
    return first === name && /^[<-]/.test(second);
  });
}

/** What a shell takes for one word as it stands. */
const PLAIN = /^[\w@%+=:,./-]+$/;
/** Of what was typed; what is longer stays a placeholder. */
const MAX_SPELLED = 200;

function spelledOut({ habit: { own }, values }: Fit): string {
  return own.replace(PLACEHOLDER, (whole, name: string) => {
    const value = values.get(name);
    if (value === undefined || value.length > MAX_SPELLED) return whole;
    if (PLAIN.test(value)) return value;
    // Quotes in quotes are more than a hint should have.
    return own.includes("'") ? whole : `'${value.replaceAll("'", "'\\''")}'`;
  });
}

function fitting(words: readonly string[], habits: readonly Habit[]): Fit | undefined {
  for (const habit of habits) {
    const rewritten = isOfFlag(habit) ? withFlag(words, habit) : withBeginning(words, habit);
    if (rewritten) return { habit, ...rewritten };
  }
  return undefined;
}

function isOfFlag({ typed, own }: Habit): boolean {
  const [before = ""] = partsOf(typed);
  return before !== typed && partsOf(own)[0] === before;
}

/** A line up to its first flag, and from there. */
function partsOf(line: string): [string, string] {
  const at = line.search(/ --?[a-z]/);
  return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1)];
}

/** The flag may stand anywhere after the name, also as `--flag=value`. */
function withFlag(words: readonly string[], { typed, own }: Habit): Omit<Fit, "habit"> | undefined {
  const [head, flag] = partsOf(typed);
  if (words[0] !== head.split(" ", 1)[0]) return undefined;
  const end = words.indexOf("--");
  const flags = words.slice(0, end < 0 ? undefined : end).flatMap(apart);
  const pattern = flag.split(" ");
  for (let at = 1; at + pattern.length <= flags.length; at++) {
    const values = matched(flags.slice(at, at + pattern.length), pattern);
    if (!values) continue;
    const filled = filledIn(partsOf(own)[1], values);
    const rest = end < 0 ? [] : words.slice(end);
    const before = head.split(" ");
    const beside = matched(words.slice(0, before.length), before) ?? [];
    return {
      words: [...flags.slice(0, at), ...filled, ...flags.slice(at + pattern.length), ...rest],
      values: new Map([...beside, ...values]),
    };
  }
  return undefined;
}

function apart(word: string): string[] {
  const at = word.startsWith("--") ? word.indexOf("=") : -1;
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

function withBeginning(words: readonly string[], { typed, own }: Habit): Omit<Fit, "habit"> | undefined {
  const pattern = typed.split(" ");
  const values = matched(words.slice(0, pattern.length), pattern);
  return values && { words: [...filledIn(own, values), ...words.slice(pattern.length)], values };
}

/** What each placeholder stands for; undefined when the words are others. */
function matched(words: readonly string[], pattern: readonly string[]): Map<string, string> | undefined {
  if (words.length < pattern.length) return undefined;
  const values = new Map<string, string>();
  for (const [index, part] of pattern.entries()) {
    const word = words[index] ?? "";
    const name = /^<([a-z]+\d?)>$/.exec(part)?.[1];
    if (name === undefined ? word !== part : !stands(word, name)) return undefined;
    if (name !== undefined) values.set(name, word);
  }
  return values;
}

function stands(word: string, name: string): boolean {
  if (name === "script" && SCRIPT_FILE.test(word)) return false;
  return name === "n" || name === "n2" ? NUMBER.test(word) : !/^-(?!\.?\d)/.test(word);
}

function filledIn(line: string, values: ReadonlyMap<string, string>): string[] {
  if (line === "") return [];
  return line.split(" ").map((part) => part.replace(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole));
}
