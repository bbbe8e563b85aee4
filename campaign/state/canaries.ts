/** What lies outside the state folder: read, written or changed in mode by nobody. */
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Broken } from "../arena.ts";

/** Long ago, so that even a disk that notes few reads notes one. */
const LONG_AGO = new Date("2020-01-02T03:04:05Z");

export class Canaries {
  readonly file: string;
  readonly folder: string;
  readonly #before: Map<string, string>;

  constructor(root: string) {
    this.folder = join(root, "outside");
    this.file = join(this.folder, "canary.txt");
    mkdirSync(join(this.folder, "inner"), { recursive: true });
    writeFileSync(this.file, "canary\n");
    writeFileSync(join(this.folder, "inner/other.txt"), "other\n");
    for (const path of this.#paths()) {
      chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644);
      utimesSync(path, LONG_AGO, LONG_AGO);
    }
    this.#before = this.#look();
  }

  broken(): Broken[] {
    const after = this.#look();
    const paths = new Set([...this.#before.keys(), ...after.keys()]);
    return [...paths].flatMap((path) => {
      const [was, is] = [this.#before.get(path), after.get(path)];
      if (was === is) return [];
      return [
        { promise: "nothing outside the state folder is touched", seen: `${path}: ${was ?? "-"} → ${is ?? "gone"}` },
      ];
    });
  }

  /** Looking at a folder counts as reading it, so its time is not compared. */
  #look(): Map<string, string> {
    return new Map(
      this.#paths().map((path) => {
        const { mode, atimeMs, mtimeMs, size } = lstatSync(path);
        const rights = (mode & 0o7777).toString(8);
        if (lstatSync(path).isDirectory()) return [path, `mode ${rights}`];
        const content = readFileSync(path, "latin1");
        utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
        return [path, `mode ${rights}, ${size} bytes, read ${atimeMs}, written ${mtimeMs}: ${content.slice(0, 200)}`];
      }),
    );
  }

  #paths(): string[] {
    const names = readdirSync(this.folder, { recursive: true, encoding: "utf8" });
    return [this.folder, ...names.map((name) => join(this.folder, name))];
  }
}
