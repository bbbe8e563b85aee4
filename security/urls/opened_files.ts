/** Which files the pages of a tab may load: those around what callers have opened in it by name. */
import { dirname, parse, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { BrowseError } from "../../errors.ts";
import { type FilePolicy, isWithin, realLocation, tempRoots } from "../files/file_location.ts";
import { checkUrl } from "./url_policy.ts";

export interface FileLoads extends Pick<FilePolicy, "stateDir" | "homeStateDir"> {
  projectDir: string;
}

/** What begins with a dot is not meant for pages: `.env`, `.git`, `.ssh`. */
const HIDDEN = /(?:^|[\\/])\./;

export class OpenedFiles {
  readonly #loads: FileLoads;
  /** Folders that are open with all below. */
  readonly #trees = new Set<string>();
  /** Folders of which only the files are open that lie in them. */
  readonly #shallow = new Set<string>();
  /** What a caller opened last: it stays open when the tab is lent to one who may not open it. */
  #named: string | undefined;

  constructor(loads: FileLoads) {
    this.#loads = loads;
  }

  /** Has none been opened? Then the tab's pages cannot ask for any either: Chromium lets only files load files. */
  get isEmpty(): boolean {
    return this.#trees.size === 0 && this.#shallow.size === 0;
  }

  /** A caller has named this file, and may open it. */
  open(url: string): void {
    const location = realLocation(fileURLToPath(url));
    if ("refused" in location) return;
    this.#named = location.path;
    const folder = dirname(location.path);
    // What lies in the temporary folder itself lies beside everything that anyone has there.
    if (folders(tempRoots()).includes(folder) && folder !== this.#loads.projectDir) {
      this.#shallow.add(folder);
      return;
    }
    this.#trees.add(folder);
    this.#trees.add(this.#treeOf(folder));
  }

  /** The files among these addresses that the user could open here. */
  openAllowed(urls: readonly string[]): void {
    const { projectDir: cwd, ...own } = this.#loads;
    for (const url of urls.filter((each) => /^file:/i.test(each))) {
      try {
        this.open(checkUrl(url, { ...own, cwd, caller: "local" }));
      } catch (error) {
        if (!(error instanceof BrowseError)) throw error;
      }
    }
  }

  /** What another tab's pages may load, this one's may too. */
  include(others: OpenedFiles): void {
    for (const tree of others.#trees) this.#trees.add(tree);
    for (const folder of others.#shallow) this.#shallow.add(folder);
  }

  /** May a page load it? `limits` are the folders of each token that is held to some. Throws `blocked_url`. */
  check(url: string, limits: readonly (readonly string[])[]): void {
    const { stateDir, homeStateDir } = this.#loads;
    const own = { stateDir, ...(homeStateDir !== undefined && { homeStateDir }) };
    const path = fileURLToPath(checkUrl(url, { ...own, caller: "local", roots: [parse(stateDir).root] }));
    if (path !== this.#named) for (const roots of limits) this.#checkLent(path, url, roots);
    if (this.#isAround(path)) return;
    throw new BrowseError("blocked_url", `Cannot open "${url}": it is outside the folder of the file that was opened`, {
      hint: "A page reaches what is in its own project or folder, and no hidden files; open the other file by its name",
    });
  }

  #checkLent(path: string, url: string, roots: readonly string[]): void {
    if (folders(roots).some((root) => isWithin(root, path))) return;
    throw new BrowseError(
      "blocked_url",
      `Cannot open "${url}": an agent works in this tab that was not given its folder`,
      {
        hint: "Open it in a tab that no agent has worked in, or give the agent the folder with `browse pair NAME --files FOLDER`",
      },
    );
  }

  #isAround(path: string): boolean {
    if (this.#shallow.has(dirname(path))) return true;
    return [...this.#trees].some((tree) => isWithin(tree, path) && !HIDDEN.test(relative(tree, path)));
  }

  /** The project, a folder right below a temporary one, or else the file's own folder. */
  #treeOf(folder: string): string {
    const [project = this.#loads.projectDir] = folders([this.#loads.projectDir]);
    if (isWithin(project, folder)) return project;
    const temp = folders(tempRoots()).find((root) => isWithin(root, folder));
    return temp === undefined ? folder : `${temp}${sep}${relative(temp, folder).split(sep)[0]}`;
  }
}

function folders(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const location = realLocation(path);
    return "path" in location ? [location.path] : [];
  });
}
