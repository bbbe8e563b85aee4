/** A place where a browser may be. */
export interface FoundChromium {
  path: string;
  /** Who put it there. */
  source: "BROWSE_CHROMIUM" | "playwright" | "system";
}

export interface FindChromiumOptions {
  /** Default `process.env`. */
  env?: NodeJS.ProcessEnv;
  /** Default this machine's. */
  platform?: NodeJS.Platform;
  /** What Playwright's `chromium.executablePath()` gives. */
  playwrightPath?: string | undefined;
  /** One that can show a window. Default false: then a headless shell comes first. */
  headed?: boolean;
}

/** The first browser that exists, in the order of `candidates`; undefined when there is none. */
export function findChromium(options?: FindChromiumOptions): FoundChromium | undefined;

/** Every place that is looked at, in order. `BROWSE_CHROMIUM` is the only one when it is set. */
export function candidates(options?: FindChromiumOptions): FoundChromium[];
