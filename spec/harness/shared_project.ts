/**
 * A project whose daemon and browser stay for the next test file of the same worker, which spares each of them a start.
 * For files that neither end nor set up their daemon; the others make a `Project`. What a file has made is removed after
 * it, and a file that leaves the daemon otherwise than it found it fails.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { runFolder } from "../run_folder.ts";
import { Project } from "./project.ts";

/** What stays in the project's folder: the daemon's state, and its user's. */
const KEPT = [".browse", "home"];
/** What a daemon writes by itself, and never reads for a call. */
const RECORDS = /^(\.browse\/(artifacts|run|states|browser\.json)|home\/(compiled|kept|security))(\/|$)|\.jsonl(\.1)?$/;

interface Found {
  pid: number | undefined;
  agents: unknown;
  files: string[];
}

export class SharedProject extends Project {
  #found: Found | undefined;

  private constructor() {
    super({}, { at: join(runFolder(), `shared-${process.pid}`) });
  }

  /** With its daemon running, and nothing in it. */
  static async open(): Promise<SharedProject> {
    const project = new SharedProject();
    await project.beginJournal();
    project.#found = await project.#look();
    return project;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#leave();
    } catch (error) {
      // The next file is to have one that is as it should be.
      await this.end();
      throw error;
    } finally {
      this.disconnect();
    }
  }

  /** Removes what can be removed, and looks whether that was all. */
  async #leave(): Promise<void> {
    const { sessions } = (await this.json("sessions")) as { sessions: { name: string }[] };
    for (const { name } of sessions) await this.run("session", "close", name);
    this.#remove(this.dir, KEPT);
    for (const folder of ["artifacts", "states"]) this.#remove(join(this.stateDir, folder), [".gitignore"]);
    // A connection that a test has closed is closed there a moment later.
    await vi.waitFor(async () => expect(await this.#calls()).toEqual({ running: 1, subscriptions: 0 }));
    expect(await this.#look(), "what this file leaves in the daemon").toEqual(this.#found);
  }

  #remove(folder: string, kept: readonly string[]): void {
    if (!existsSync(folder)) return;
    const names = readdirSync(folder).filter((name) => !kept.includes(name));
    for (const name of names) rmSync(join(folder, name), { recursive: true });
  }

  /** One of them runs while it tells. */
  async #calls(): Promise<{ running: unknown; subscriptions: unknown }> {
    const { runningCalls, events } = (await this.json("status")) as {
      runningCalls: number;
      events: { subscriptions: number };
    };
    return { running: runningCalls, subscriptions: events.subscriptions };
  }

  async #look(): Promise<Found> {
    const agents = await this.json("agents");
    const files = KEPT.flatMap((folder) =>
      readdirSync(join(this.dir, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
    );
    return { pid: this.daemon()?.pid, agents, files: files.filter((path) => !RECORDS.test(path)).toSorted() };
  }
}
