/** What the daemon and the classifier's thread tell each other. */

export interface WorkerSettings {
  /** The folder of the model that is shipped. */
  shipped: string;
  /** `BROWSE_MODEL_DIR`. */
  added: readonly string[];
}

export type ToWorker =
  /** Score these pieces of one text. */
  | { id: number; pieces: readonly string[] }
  /** Nobody waits for that score any more. */
  | { cancel: number }
  /** End as soon as nothing runs: to be ended from outside in the middle of native code is the end of the process. */
  | { close: true };

export interface WorstPiece {
  score: number;
  /** Which of the pieces. */
  piece: number;
  /** The worst window in that piece, in UTF-16 units. */
  span: [start: number, end: number];
}

export type FromWorker =
  | { ready: readonly ModelState[] }
  | { id: number; worst: WorstPiece }
  /** That text could not be scored. */
  | { id: number; error: string };

export interface ModelState {
  name: string;
  folder: string;
  isLoaded: boolean;
  /** Why it is not, with what to do about it. */
  problem?: string;
}
