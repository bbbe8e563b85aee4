/**
 * The user's policy and the project's, as they are now. The project's can only make it stricter: what it allows the
 * user's may still refuse. A file that cannot be used refuses everything, until it is corrected.
 */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { type BrowseError, toBrowseError } from "../../errors.ts";
import { TranscriptCheckSchema } from "../content/transcript_check.ts";
import { TunnelConfigSchema } from "../tunnel/config.ts";
import { readConfigFile } from "./config_file.ts";
import {
  type Decision,
  decide,
  deniesHost,
  deniesLoad,
  type Judged,
  policySchema,
  type Rule,
  strictest,
  type Vocabulary,
} from "./rules.ts";

interface PolicyFilesOptions {
  /** The user's state folder, and the project's. */
  home: string;
  stateDir: string;
  vocabulary: Vocabulary;
  /** Told of each change of a file, and what is wrong with it, if anything is. */
  onChange: (path: string, problem: BrowseError | undefined) => void;
  onError: (error: unknown) => void;
}

interface PolicyFile {
  path: string;
  schema: v.GenericSchema<unknown, { policy?: Rule[] }>;
  rules: readonly Rule[];
  problem?: BrowseError | undefined;
}

const FILE = "config.json";
/** The watcher hears only one of two changes that come within 5 ms: a file is read when it has been left alone for longer. */
const SETTLED_MS = 50;

export class PolicyFiles {
  readonly #options: PolicyFilesOptions;
  readonly #files: readonly PolicyFile[];
  #watcher: { close(): Promise<void> } | undefined;

  constructor(options: PolicyFilesOptions) {
    this.#options = options;
    const policy = v.exactOptional(policySchema(options.vocabulary));
    const tunnel = v.exactOptional(TunnelConfigSchema);
    const persist = v.exactOptional(v.boolean());
    const transcriptCheck = v.exactOptional(TranscriptCheckSchema);
    const users: PolicyFile = {
      path: join(options.home, FILE),
      schema: v.strictObject({ policy, tunnel, persist, transcriptCheck }),
      rules: [],
    };
    const projects: PolicyFile = { path: join(options.stateDir, FILE), schema: v.strictObject({ policy }), rules: [] };
    // Who works in the home folder has one file, which is the user's.
    this.#files = users.path === projects.path ? [users] : [users, projects];
    for (const file of this.#files) {
      this.#read(file);
      if (file.problem) options.onChange(file.path, file.problem);
    }
  }

  /** What the policy says of a call. Throws what is wrong with a file that cannot be used. */
  decide(call: Judged): Decision {
    const broken = this.#files.find(({ problem }) => problem !== undefined);
    if (broken?.problem) throw broken.problem;
    return strictest(this.#files.map(({ rules }) => decide(rules, call)));
  }

  /** Is there a host that is closed to everyone? */
  get hasDeniedHosts(): boolean {
    return this.#files.some(({ rules }) => rules.some(deniesHost));
  }

  /** May nobody load a document from there? Of a file that cannot be used, what it last said holds. */
  deniesLoad(url: string): boolean {
    return this.#files.some(({ rules }) => deniesLoad(rules, url));
  }

  /** From now on changes are noticed. Resolves when they are, or when it has told why they cannot be. */
  async watch(): Promise<void> {
    try {
      await this.#watch();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  async #watch(): Promise<void> {
    // A daemon that starts has better things to load first.
    const { watch } = await import("chokidar");
    // Their folders: a file that is not there yet is noticed only in one that is.
    const folders = this.#files.map(({ path }) => dirname(path));
    for (const folder of folders) mkdirSync(folder, { recursive: true, mode: 0o700 });
    const isOther = (path: string) => !folders.includes(path) && !this.#files.some((file) => file.path === path);
    const watcher = watch(folders, {
      ignoreInitial: true,
      depth: 0,
      ignored: isOther,
      awaitWriteFinish: { stabilityThreshold: SETTLED_MS, pollInterval: 10 },
    });
    this.#watcher = watcher;
    watcher.on("error", (error) => this.#options.onError(error));
    watcher.on("all", (_event, path) => {
      const file = this.#files.find((known) => known.path === path);
      if (!file) return;
      this.#read(file);
      this.#options.onChange(file.path, file.problem);
    });
    await new Promise<void>((resolve) => watcher.once("ready", resolve));
    // What was changed before it listened.
    for (const file of this.#files) this.#read(file);
  }

  async close(): Promise<void> {
    await this.#watcher?.close();
  }

  #read(file: PolicyFile): void {
    try {
      file.rules = readConfigFile(file.path, file.schema)?.policy ?? [];
      file.problem = undefined;
    } catch (error) {
      file.problem = toBrowseError(error);
    }
  }
}
