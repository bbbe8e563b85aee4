/** Advice about hosts, from one agent to the next. */
import { randomInt } from "node:crypto";
import { BrowseError } from "../../errors.ts";
import { redactText } from "../../security/secrets/redact.ts";
import { counted } from "../../wording.ts";
import { isUnflagged, type Judged, judge, type Layers } from "./judge.ts";
import {
  counts,
  currentOf,
  type Entry,
  type Note,
  type NoteState,
  stateOf,
  type Tier,
  USES_TO_ACTIVE,
} from "./note.ts";
import { NotesFolder } from "./notes_folder.ts";

/** Of one host, in one tier. */
const MAX_NOTES = 50;
const ID_LENGTH = 6;

export interface NotesOptions {
  /** The project's state folder, and the user's. */
  stateDir: string;
  home: string;
  /** The secret of this device; undefined when it cannot be had. */
  key: () => Uint8Array | undefined;
  layers: Layers;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** A note as it is told. */
export interface ShownNote {
  id: string;
  tier: Tier;
  text: string;
  state: NoteState;
  version: number;
  /** Those that counted, of this version. */
  uses: number;
  /** ISO 8601. */
  savedAt: string;
  /** Name of the token that wrote it. */
  by: string;
}

/** A note with what was found in it just now. */
export interface ServedNote extends ShownNote {
  judged: Judged;
}

/** Who asks, by the name of the token. */
export interface Asking {
  by: string;
  signal: AbortSignal;
}

/** What is kept about a host. */
export interface HostNotes {
  notes: ShownNote[];
  /** Lines in its files that were not written on this device, or are damaged. */
  foreignLines: number;
}

interface Found {
  note: Note;
  folder: NotesFolder;
}

export class Notes {
  readonly #folders: readonly [project: NotesFolder, user: NotesFolder];
  readonly #layers: Layers;
  readonly #now: () => number;
  /** Counted, but not on disk yet. */
  readonly #counting = new Set<string>();

  constructor({ stateDir, home, key, layers, now = Date.now }: NotesOptions) {
    this.#folders = [
      new NotesFolder({ tier: "project", parent: stateDir, key }),
      new NotesFolder({ tier: "user", parent: home, key }),
    ];
    this.#layers = layers;
    this.#now = now;
  }

  /** Hosts that something is kept about, by name. */
  hosts(): string[] {
    return [...new Set(this.#folders.flatMap((folder) => folder.hosts()))].sort();
  }

  /** Those of the project first. What is in both is told once. */
  of(host: string): HostNotes {
    const files = this.#folders.map((folder) => ({ folder, ...folder.read(host) }));
    const notes = files.flatMap(({ folder, notes: found }) =>
      found.filter(({ isRemoved }) => !isRemoved).map((note) => shown({ note, folder })),
    );
    const foreignLines = files.reduce((sum, file) => sum + file.foreignLines, 0);
    const isFirst = ({ text }: ShownNote, index: number) => notes.findIndex((note) => note.text === text) === index;
    return { notes: notes.filter(isFirst), foreignLines };
  }

  /** The notes as they are given to whoever asks: judged anew, and what is withheld left out. A use of each is counted. */
  async serve(host: string, states: readonly NoteState[], asking: Asking): Promise<ServedNote[]> {
    const wanted = this.of(host).notes.filter(({ state }) => states.includes(state));
    const served = await Promise.all(
      wanted.map(async (note) => ({ ...note, judged: await judge(note.text, this.#layers, asking.signal) })),
    );
    for (const note of served) await this.#count(host, note, asking.by);
    return served.filter(({ judged }) => judged.verdict !== "block");
  }

  /** A note that is there already is given as it is. Throws `too_large`, `unsupported`. */
  async save(host: string, given: string, by: string): Promise<ShownNote> {
    const text = redactText(given);
    const known = this.of(host).notes.find((note) => note.text === text);
    if (known) return known;
    const [project] = this.#folders;
    return await this.#write(project, host, { id: newId(project.tier), text, by });
  }

  /** A new version, which has to earn its uses by itself. Throws `not_found`, `invalid_params`, `too_large`. */
  async edit(host: string, id: string | undefined, given: { text: string; by: string }): Promise<ShownNote> {
    const { note, folder } = this.#find(host, id);
    return await this.#write(folder, host, { id: note.id, ...given, text: redactText(given.text) });
  }

  /** A new version with the text, and the uses, of an older one: the one before when none is named. Brings back what was removed. */
  async rollback(
    host: string,
    id: string | undefined,
    { to, by }: { to?: number | undefined; by: string },
  ): Promise<ShownNote> {
    const { note, folder } = this.#find(host, id, { withRemoved: id !== undefined });
    const number = to ?? Math.max(1, note.versions.length - (note.isRemoved ? 0 : 1));
    const version = note.versions[number - 1];
    if (!version || version.text === "" || (!note.isRemoved && number === note.versions.length)) {
      throw new BrowseError(
        "not_found",
        `The note ${note.id} has no older version${to === undefined ? "" : ` ${to}`}`,
        {
          hint: `It has ${counted(note.versions.length, "version")}`,
        },
      );
    }
    const { text, uses } = version;
    return await this.#write(folder, host, { id: note.id, text, by, uses });
  }

  /** From the project to everything that the user does. Throws `invalid_params` for one that is not active. */
  async promote(host: string, id: string | undefined, by: string): Promise<ShownNote> {
    const found = this.#find(host, id);
    const [project, user] = this.#folders;
    const { state, text, uses } = shown(found);
    if (found.folder !== project) {
      throw new BrowseError("invalid_params", `The note ${found.note.id} is in the user tier already`);
    }
    if (state !== "active") {
      throw new BrowseError(
        "invalid_params",
        `The note ${found.note.id} is in quarantine: it has ${uses} of ${USES_TO_ACTIVE} uses`,
        {
          hint: `It becomes active by being read: browse note show ${host}`,
        },
      );
    }
    const known = shownIn(user, host).find((note) => note.text === text);
    const promoted = known ?? (await this.#write(user, host, { id: newId(user.tier), text, by, uses }));
    await project.append(host, this.#removal(found.note.id, by));
    return promoted;
  }

  /** It stays in the file, for `rollback`. Throws `not_found`, `invalid_params`. */
  async remove(host: string, id: string | undefined, by: string): Promise<ShownNote> {
    const found = this.#find(host, id);
    await found.folder.append(host, this.#removal(found.note.id, by));
    return shown(found);
  }

  async #write(
    folder: NotesFolder,
    host: string,
    written: { id: string; text: string; by: string; uses?: number },
  ): Promise<ShownNote> {
    const others = folder.read(host).notes.filter(({ id, isRemoved }) => !isRemoved && id !== written.id);
    if (others.length >= MAX_NOTES) {
      throw new BrowseError("too_large", `There are ${MAX_NOTES} notes about ${host}, and may be no more`, {
        hint: `Ask a person to remove some: browse note rm ${host} <id>`,
      });
    }
    await folder.append(host, { op: "write", at: this.#time(), ...written });
    const note = folder.read(host).notes.find(({ id }) => id === written.id);
    if (!note) throw new BrowseError("internal", "The note was written, and is not in its file");
    return shown({ note, folder });
  }

  /** A use counts where the classifier has looked; what it flags starts again. Full disks keep nobody from reading. */
  async #count(host: string, { id, tier, judged, version, uses }: ServedNote, by: string): Promise<void> {
    const folder = this.#folders.find((one) => one.tier === tier);
    const note = folder?.read(host).notes.find((one) => one.id === id);
    if (!folder || !note || this.#counting.has(id)) return;
    const now = this.#now();
    const isFlag = !isUnflagged(judged);
    if (isFlag ? uses === 0 : !judged.isWhole || !counts(note, { at: now, by })) return;
    this.#counting.add(id);
    try {
      await folder.append(host, { op: isFlag ? "flag" : "use", id, at: this.#time(), version });
    } catch (error) {
      if (!(error instanceof BrowseError)) throw error;
    } finally {
      this.#counting.delete(id);
    }
  }

  #find(host: string, id: string | undefined, { withRemoved = false } = {}): Found {
    const all = this.#folders.flatMap((folder) => folder.read(host).notes.map((note) => ({ note, folder })));
    const known = withRemoved ? all : all.filter(({ note }) => !note.isRemoved);
    const [found, ...more] = id === undefined ? known : known.filter(({ note }) => note.id === id);
    if (found && more.length === 0) return found;
    const ids = known.map(({ note }) => note.id).join(", ");
    if (found) {
      throw new BrowseError("invalid_params", `There are ${counted(known.length, "note")} about ${host}: name one`, {
        hint: `Add \`--id <id>\` with one of ${ids}`,
        details: { param: "id" },
      });
    }
    throw new BrowseError("not_found", `There is no note ${id === undefined ? "" : `"${id}" `}about ${host}`, {
      hint: ids === "" ? `Save one: browse note save ${host} <text>` : `Notes: ${ids}`,
    });
  }

  #removal(id: string, by: string): Entry {
    return { op: "remove", id, at: this.#time(), by };
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }
}

function shownIn(folder: NotesFolder, host: string): ShownNote[] {
  const live = folder.read(host).notes.filter(({ isRemoved }) => !isRemoved);
  return live.map((note) => shown({ note, folder }));
}

function shown({ note, folder: { tier } }: Found): ShownNote {
  const { text, uses, at, by } = currentOf(note);
  return { id: note.id, tier, text, state: stateOf(note), version: note.versions.length, uses, savedAt: at, by };
}

/** Two daemons that write at once draw two: nothing has to be agreed on. */
function newId(tier: Tier): string {
  const number = randomInt(36 ** ID_LENGTH);
  return `${tier === "user" ? "u" : "p"}${number.toString(36).padStart(ID_LENGTH, "0")}`;
}
