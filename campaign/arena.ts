/** What a campaign is made of: an arena that is set up once, and cases played in it one after the other. */

/** A promise of the product that did not hold. */
export interface Broken {
  /** In a few words, the same ones each time: failures are counted by it. */
  promise: string;
  /** What was seen instead. */
  seen: string;
}

/** One case, drawn and not yet played. */
export interface Round {
  /** What it does, in a line. */
  name: string;
  play(): Promise<Broken[]>;
}

export interface Arena extends AsyncDisposable {
  /** The case of that number: the same for the same seed, whatever was played before it. */
  draw(number: number): Round;
  /** What only all cases together can tell. */
  judge?(): Promise<Broken[]> | Broken[];
  /** Figures of the run, as lines of a table. */
  figures?(): string[];
}

export interface ArenaOptions {
  seed: number;
  /** A small run within the tests: short stops, no large payloads. */
  isSlice?: boolean;
  /** File with the figures of an earlier run. */
  baseline?: string;
  /** File that takes the figures of this one. */
  save?: string;
}

export interface Campaign {
  name: string;
  /** How many cases a run has that names no number. */
  cases: number;
  open(options: ArenaOptions): Promise<Arena>;
}
