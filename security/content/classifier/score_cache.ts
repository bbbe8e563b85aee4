/** Scores of texts that were scored before, the newest of them. */
import { createHash } from "node:crypto";

export class ScoreCache<Score> {
  readonly #capacity: number;
  readonly #scores = new Map<string, Score>();

  /** `capacity`: how many scores are kept. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): Score | undefined {
    const score = this.#scores.get(key);
    if (score === undefined) return undefined;
    // Used last, forgotten last.
    this.#scores.delete(key);
    this.#scores.set(key, score);
    return score;
  }

  set(key: string, score: Score): void {
    this.#scores.delete(key);
    this.#scores.set(key, score);
    const [oldest] = this.#scores.keys();
    if (this.#scores.size > this.#capacity && oldest !== undefined) this.#scores.delete(oldest);
  }

  clear(): void {
    this.#scores.clear();
  }
}

/** Of what the parts say; no text is kept. */
export function contentKey(parts: readonly string[]): string {
  const hash = createHash("sha256");
  // The length keeps apart what differs only in where one part ends.
  for (const part of parts) hash.update(`${part.length} `).update(part);
  return hash.digest("base64");
}
