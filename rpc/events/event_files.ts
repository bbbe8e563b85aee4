/** The topics that are also written down, in the state folder, for whoever comes after a crash. */
import { join } from "node:path";
import { JsonLinesFile } from "./json_lines_file.ts";
import type { PublishedEvent } from "./published_event.ts";

const TOPICS = ["console", "network", "dialog"] as const;

export class EventFiles {
  readonly #files: ReadonlyMap<string, JsonLinesFile>;

  constructor(stateDir: string, onTrouble: (message: string, cause?: unknown) => void) {
    this.#files = new Map(
      TOPICS.map((topic) => [topic, new JsonLinesFile(join(stateDir, `${topic}.jsonl`), { onTrouble })]),
    );
  }

  keep(published: PublishedEvent): void {
    this.#files.get(published.event.topic)?.appendLine(published.json);
  }

  async flush(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file.flush()));
  }
}
