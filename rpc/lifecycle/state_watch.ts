/**
 * Keeps the daemon findable: what was removed from its folder or damaged there is put back, and a daemon whose place was
 * taken, or removed, learns of it.
 */
import { chmodSync, type FSWatcher, lstatSync, watch } from "node:fs";
import type { LifeLock } from "../../security/process/life_lock.ts";
import { prepareArtifacts } from "../../security/tokens/artifacts.ts";
import type { StateFile } from "./state_file.ts";

/** Where changes are not reported, they are found this soon. */
const LOOK_EVERY_MS = 1_000;
/** Whoever removes the whole folder is not to find something new in it meanwhile. */
const SETTLED_MS = 100;
/** A change of one of these is worth a look. */
const WATCHED = new Set<string | null>(["daemon.json", "daemon.lock", "artifacts", null]);

export interface StateWatchOptions {
  stateDir: string;
  lock: LifeLock;
  stateFile: StateFile;
  /** Told what was put back, for the log. */
  onRestored: (message: string) => void;
  /** Told once, in a sentence, why this daemon is not the folder's any more. */
  onLost: (reason: string) => void;
  onTrouble: (message: string, cause: unknown) => void;
}

export class StateWatch {
  readonly #options: StateWatchOptions;
  readonly #folder: string;
  readonly #timer: NodeJS.Timeout;
  readonly #watcher: FSWatcher | undefined;
  #soon: NodeJS.Timeout | undefined;
  #isTroubled = false;
  #isOver = false;

  constructor(options: StateWatchOptions) {
    this.#options = options;
    this.#folder = identityOf(options.stateDir) ?? "";
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
    this.#watcher = this.#watch();
  }

  close(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    this.#watcher?.close();
  }

  #watch(): FSWatcher | undefined {
    try {
      const onChange = (_event: string, name: string | null) => {
        if (!WATCHED.has(name)) return;
        this.#soon ??= setTimeout(() => {
          this.#soon = undefined;
          void this.#look();
        }, SETTLED_MS).unref();
      };
      const watcher = watch(this.#options.stateDir, { persistent: false }, onChange);
      return watcher.on("error", () => watcher.close());
    } catch {
      // No watches left on this machine: the timer is enough.
      return undefined;
    }
  }

  async #look(): Promise<void> {
    try {
      await this.#restore();
      this.#isTroubled = false;
    } catch (error) {
      if (!this.#isTroubled) this.#options.onTrouble("Cannot keep the files of the state folder", error);
      this.#isTroubled = true;
    }
  }

  async #restore(): Promise<void> {
    const { stateDir, lock, stateFile, onRestored } = this.#options;
    if (this.#isOver) return;
    if (identityOf(stateDir) !== this.#folder) return this.#lose("Its state folder was removed");
    const held = lock.look();
    if (typeof held === "object") return this.#lose(`Another daemon (process ${held.pid}) has taken its place`);
    // One of them may go by mistake; both go when somebody clears the folder.
    if (held === "missing" && stateFile.isMissing) return this.#lose("Its state folder was cleared");
    if (held === "missing") lock.restore();
    if (held !== "held") onRestored("daemon.lock was missing or damaged; it is back");
    if (await stateFile.restore()) onRestored("daemon.json was missing or damaged; it is back");
    if (process.platform !== "win32" && lstatSync(stateDir).mode & 0o077) chmodSync(stateDir, 0o700);
    prepareArtifacts(stateDir);
  }

  #lose(reason: string): void {
    this.close();
    this.#options.onLost(reason);
  }
}

/** Undefined for what is no folder. */
function identityOf(dir: string): string | undefined {
  const stats = lstatSync(dir, { throwIfNoEntry: false });
  return stats?.isDirectory() ? `${stats.dev}:${stats.ino}` : undefined;
}
