/** A note as its file tells it: what was written, used, flagged and removed, line by line. */
import * as v from "valibot";

export const TIERS = ["project", "user"] as const;
export type Tier = (typeof TIERS)[number];

/** Uses without a flag after which a note is given unasked. */
export const USES_TO_ACTIVE = 3;
/** Uses that come sooner after one another count as one: a loop makes nothing trusted. Milliseconds. */
const USE_SPACING_MS = 10 * 60_000;
/** Characters. */
export const MAX_TEXT = 1_000;

const Id = v.pipe(v.string(), v.regex(/^[pu][0-9a-z]{6}$/));
const Time = v.pipe(v.string(), v.isoTimestamp());
const By = v.pipe(v.string(), v.maxLength(100));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** One line of a file. Versions count the writes of a note, from 1. */
export const EntrySchema = v.variant("op", [
  v.strictObject({
    op: v.literal("write"),
    id: Id,
    at: Time,
    by: By,
    text: v.pipe(v.string(), v.maxLength(MAX_TEXT * 2)),
    /** That it has before it is used as this version: of a text that had them already. */
    uses: v.exactOptional(Count),
  }),
  v.strictObject({ op: v.literal("use"), id: Id, at: Time, version: Count }),
  v.strictObject({ op: v.literal("flag"), id: Id, at: Time, version: Count }),
  v.strictObject({ op: v.literal("remove"), id: Id, at: Time, by: By }),
]);
export type Entry = v.InferOutput<typeof EntrySchema>;

export interface Version {
  text: string;
  at: string;
  /** Name of the token that wrote it. */
  by: string;
  uses: number;
  /** Of the last use that counted. */
  usedAt?: string;
}

export interface Note {
  id: string;
  /** The oldest first; the last one is the note. */
  versions: [Version, ...Version[]];
  isRemoved: boolean;
}

/** `active` notes are given unasked; `quarantined` ones to those who ask for them. */
export type NoteState = "quarantined" | "active";

export function currentOf({ versions }: Note): Version {
  return versions.at(-1) ?? versions[0];
}

export function stateOf(note: Note): NoteState {
  return currentOf(note).uses >= USES_TO_ACTIVE ? "active" : "quarantined";
}

/** The notes that the lines tell of, in the order in which they were first written. Lines that fit nothing mean nothing. */
export function notesIn(entries: readonly Entry[]): Note[] {
  const notes = new Map<string, Note>();
  for (const entry of entries) {
    const note = notes.get(entry.id);
    if (entry.op === "write") write(notes, entry);
    else if (entry.op === "remove") notes.set(entry.id, { ...(note ?? unwritten(entry)), isRemoved: true });
    else {
      const version = note?.versions[entry.version - 1];
      if (version) Object.assign(version, entry.op === "use" ? used(version, entry.at) : { uses: 0 });
    }
  }
  return [...notes.values()];
}

/** Does a use at that time count? Those who wrote it are no witnesses, but for the user, for whom every local agent acts. */
export function counts(note: Note, { at, by }: { at: number; by: string }): boolean {
  const { uses, usedAt, at: writtenAt, by: writer } = currentOf(note);
  const isOwn = by === writer && by !== "root";
  return uses < USES_TO_ACTIVE && !isOwn && at - Date.parse(usedAt ?? writtenAt) >= USE_SPACING_MS;
}

function write(notes: Map<string, Note>, { id, text, at, by, uses = 0 }: Entry & { op: "write" }): void {
  const version = { text, at, by, uses };
  const versions = notes.get(id)?.versions;
  notes.set(id, { id, versions: versions ? [...versions, version] : [version], isRemoved: false });
}

function used({ uses }: Version, at: string): Partial<Version> {
  return { uses: uses + 1, usedAt: at };
}

function unwritten({ id, at, by }: Entry & { op: "remove" }): Note {
  return { id, versions: [{ text: "", at, by, uses: 0 }], isRemoved: true };
}
