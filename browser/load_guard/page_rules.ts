/** The rules by which one tab loads: of each token it was opened for or lent to, and those that hold for everyone. */
import type { Canary, Outgoing } from "../../security/content/canary.ts";
import { canaryBlocked } from "../../security/content/canary_leak.ts";
import { checkHop } from "../../security/urls/hop.ts";
import { assertDomain, type LoadRules, limitsLoads } from "../../security/urls/load_rules.ts";
import { type FileLoads, OpenedFiles } from "../../security/urls/opened_files.ts";
import { isLoadedUrl } from "../loaded_url.ts";

/** What holds for one token. */
export interface TokenRules extends LoadRules {
  /** What nothing may send, if it has asked for one. */
  canary?: Canary;
}

/** What requests are paused: CDP's `Fetch.RequestPattern`. */
export interface Pattern {
  urlPattern: string;
  resourceType?: "Document";
}

interface PageRulesOptions {
  files: FileLoads;
  /** Where the page shows what a caller gave as a document. */
  loadedUrl: () => string | undefined;
  /** Names are looked up at a proxy: what they are called here, and where answers come from, says nothing. */
  resolvedElsewhere: () => boolean;
}

export class PageRules {
  /** Opened in the tab by name. */
  readonly files: OpenedFiles;
  readonly #byToken = new Map<string, TokenRules>();
  readonly #options: PageRulesOptions;

  constructor(options: PageRulesOptions) {
    this.#options = options;
    this.files = new OpenedFiles(options.files);
  }

  get isPrivateAllowed(): boolean {
    return this.#all.every(({ privateAllowed }) => privateAllowed);
  }

  get areFilesKept(): boolean {
    return this.#all.every(({ filesKept }) => filesKept);
  }

  /** Do they keep documents, or parts of them, of servers from being loaded? */
  get isLimited(): boolean {
    return this.watchesSent || this.#all.some(limitsLoads);
  }

  /** Is what requests say to be looked through? */
  get watchesSent(): boolean {
    return this.#all.some(({ canary }) => canary !== undefined);
  }

  /** The requests that they have to be asked about. */
  get patterns(): Pattern[] {
    if (!this.isPrivateAllowed || this.watchesSent) return [{ urlPattern: "*" }];
    return [...(this.isLimited ? [DOCUMENTS] : []), ...(this.files.isEmpty ? [] : [{ urlPattern: "file://*" }])];
  }

  /** One who comes in by both doors is held to what holds for either. Answers whether that changes anything. */
  add(id: string, rules: TokenRules): boolean {
    const known = this.#byToken.get(id);
    const privateAllowed = rules.privateAllowed && (known?.privateAllowed ?? true);
    const filesKept = rules.filesKept && (known?.filesKept ?? true);
    const fileRoots = known?.fileRoots?.length === 0 ? known.fileRoots : rules.fileRoots;
    this.#byToken.set(id, { ...rules, privateAllowed, filesKept, ...(fileRoots && { fileRoots }) });
    const isSame = known?.privateAllowed === privateAllowed && known.filesKept === filesKept;
    return !isSame || known.canary !== rules.canary;
  }

  /** What holds for another tab holds here too. */
  include(others: PageRules): void {
    for (const [id, rules] of others.#byToken) this.add(id, rules);
    this.files.include(others.files);
  }

  remove(id: string): void {
    this.#byToken.delete(id);
  }

  /** Throws `blocked_url`. Domains limit documents; where parts of them may come from is limited by address alone. */
  async check(url: string, isDocument: boolean): Promise<void> {
    if (this.#isOwnDocument(url)) return;
    if (/^file:/i.test(url) && !this.files.isEmpty) return this.#checkFile(url);
    const resolvedElsewhere = this.#options.resolvedElsewhere();
    for (const { domains, privateAllowed } of this.#all) {
      await checkHop(url, { privateAllowed, resolvedElsewhere, ...(isDocument && domains && { domains }) });
    }
  }

  /** Throws `blocked_content` when a canary is in it. */
  checkSent(texts: readonly Outgoing[]): void {
    for (const { canary } of this.#all) {
      const leak = canary?.leakIn(texts);
      if (leak) throw canaryBlocked(leak);
    }
  }

  /** Why the tab may not be where it has arrived, for what asks no server: the history, what was under way before. */
  refusalOfArrival(url: string): Error | undefined {
    if (this.#isOwnDocument(url)) return undefined;
    try {
      if (/^file:/i.test(url)) this.#checkFile(url);
      else for (const { domains } of this.#all) assertDomain(url, domains);
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  get #all(): TokenRules[] {
    return [...this.#byToken.values()];
  }

  #checkFile(url: string): void {
    for (const { domains } of this.#all) assertDomain(url, domains);
    this.files.check(
      url,
      this.#all.flatMap(({ fileRoots }) => (fileRoots ? [fileRoots] : [])),
    );
  }

  /** What a caller gave as a document is of no site. */
  #isOwnDocument(url: string): boolean {
    return isLoadedUrl(url) && url === this.#options.loadedUrl();
  }
}

export const DOCUMENTS: Pattern = { urlPattern: "*", resourceType: "Document" };

/** Each once, and none beside the one that all others are part of. */
export function distinct(patterns: readonly Pattern[]): Pattern[] {
  if (patterns.some(({ urlPattern, resourceType }) => urlPattern === "*" && !resourceType))
    return [{ urlPattern: "*" }];
  return [...new Map(patterns.map((pattern) => [JSON.stringify(pattern), pattern])).values()];
}
