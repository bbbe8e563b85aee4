/**
 * What people of other tools type, and what it is here. Read by the command line where browse's own words do not fit, by
 * the docs and, line by line, by the tests.
 *
 * A line begins with the command's name. `<name>` stands for any word, `<n>` for a whole number; further words are kept.
 * Two lines that agree up to their first flag say what becomes of that flag, wherever it stands.
 */

export type Tool = "Playwright" | "playwright-cli" | "agent-browser" | "gstack browse";

export interface Habit {
  typed: string;
  own: string;
  from: readonly Tool[];
  /** Why it is answered with our spelling and does not run: the two are not quite the same. */
  because?: string;
  /** Read so although browse's own words allow for another reading, which nobody means: an element called "down". */
  overrides?: true;
}

const PLAYWRIGHT = ["Playwright", "playwright-cli"] as const;
const CLI = ["playwright-cli"] as const;
const AGENT = ["agent-browser"] as const;
const GSTACK = ["gstack browse"] as const;
const CLIS = ["playwright-cli", "agent-browser"] as const;

function habit(from: readonly Tool[], typed: string, own: string, because?: string): Habit {
  return { typed, own, from, ...(because !== undefined && { because }) };
}

function always(from: readonly Tool[], typed: string, own: string, because?: string): Habit {
  return { ...habit(from, typed, own, because), overrides: true };
}

export const HABITS: readonly Habit[] = [
  // Loading and waiting
  habit(AGENT, "navigate <url>", "goto <url>"),
  habit(CLI, "go-back", "back"),
  habit(CLI, "go-forward", "forward"),
  habit([...PLAYWRIGHT, ...GSTACK], "goto <url> --wait networkidle", "goto <url> --wait idle"),
  habit(PLAYWRIGHT, "goto <url> --wait domcontentloaded", "goto <url> --wait dom"),
  habit(PLAYWRIGHT, "goto <url> --wait-until networkidle", "goto <url> --wait idle"),
  habit(PLAYWRIGHT, "goto <url> --wait-until domcontentloaded", "goto <url> --wait dom"),
  habit(PLAYWRIGHT, "goto <url> --wait-until <state>", "goto <url> --wait <state>"),
  habit(PLAYWRIGHT, "reload --wait-until networkidle", "reload --wait idle"),
  habit(PLAYWRIGHT, "reload --wait networkidle", "reload --wait idle"),
  habit(PLAYWRIGHT, "reload --wait domcontentloaded", "reload --wait dom"),
  habit(GSTACK, "wait --networkidle", "wait --idle"),
  habit(GSTACK, "wait --domcontentloaded", "wait --load", "`wait` knows the load event and idle, not the parsed page"),
  habit(AGENT, "wait --load networkidle", "wait --idle"),
  habit(AGENT, "wait --load load", "wait --load"),
  habit(AGENT, "wait <target> --state hidden", "wait --gone <target>", "what to wait for is a flag here"),
  habit(GSTACK, "load-html --from-file <file>", "load-html <file>", "the file holds the page itself, not JSON"),

  // Reading and looking
  habit(AGENT, "get text <target>", "text <target>"),
  habit(AGENT, "get html <target>", "html <target>"),
  habit(AGENT, "get value <target>", "value <target>"),
  habit(AGENT, "get attr <target>", "attrs <target>", "`attrs` shows every attribute"),
  habit(AGENT, "get count <selector>", "count <selector>"),
  habit(AGENT, "get box <target>", "box <target>"),
  habit(AGENT, "get styles <target>", "css <target>"),
  habit(AGENT, "get title", "title"),
  habit(AGENT, "get url", "url"),
  always(CLIS, "eval <script>", "js <script>", "`eval` takes a file, `js` an expression"),
  habit(CLI, "run-code <script>", "js <script>", "the code runs in the page, not in Playwright"),
  habit([...PLAYWRIGHT, ...GSTACK], "screenshot --full-page", "screenshot"),
  habit(AGENT, "screenshot --full", "screenshot"),
  habit(AGENT, "screenshot -f", "screenshot"),
  habit(AGENT, "screenshot --annotate", "snapshot --annotate", "the marked image goes with the refs it shows"),
  habit(CLI, "screenshot --filename <path>", "screenshot --path <path>"),
  habit(CLI, "pdf --filename <path>", "pdf --path <path>"),
  habit(GSTACK, "prettyscreenshot --cleanup", "prettyscreenshot"),
  habit(
    GSTACK,
    "prettyscreenshot --scroll-to <target>",
    "chain 'scroll <target> | screenshot --viewport'",
    "`prettyscreenshot` takes the whole page",
  ),
  habit(GSTACK, "pdf --margins <length>", "pdf --margin <length>"),
  habit([...PLAYWRIGHT, ...GSTACK], "pdf --print-background", "pdf --background"),
  habit(GSTACK, "pdf --header-template <html>", "pdf --header <html>"),
  habit(GSTACK, "pdf --footer-template <html>", "pdf --footer <html>"),
  habit(GSTACK, "pdf --tab-id <n>", "pdf --tab t<n>"),
  habit(
    GSTACK,
    "pdf --prefer-css-page-size",
    "pdf --width <length> --height <length>",
    "the paper's size is always given, not taken from the page's CSS",
  ),
  habit(CLI, "video-start", "record start"),
  habit(CLI, "video-stop", "record stop"),
  habit(CLI, "tracing-start", "trace start"),
  habit(CLI, "tracing-stop", "trace stop"),
  habit(AGENT, "diff url <url> <url2>", "diff <url> <url2>"),
  habit(GSTACK, "download <url> --base64", "download <url>", "a download is always written to a file"),
  habit(AGENT, "errors", "console --errors"),
  habit([...CLI, ...GSTACK], "console --level error", "console --errors"),
  habit(AGENT, "network requests", "network"),
  habit(CLI, "cookie-list", "cookies"),
  habit(AGENT, "storage local", "storage --local"),
  habit(AGENT, "storage session", "storage --session"),
  habit(CLI, "localstorage-list", "storage --local"),
  habit(CLI, "localstorage-set <key> <value>", "storage set <key> <value>"),
  habit(CLI, "sessionstorage-list", "storage --session"),
  habit(CLI, "sessionstorage-set <key> <value>", "storage set --session <key> <value>"),

  // Acting
  habit(CLIS, "dblclick <target>", "click --double <target>"),
  habit(PLAYWRIGHT, "click <target> --button right", "click <target> --right"),
  habit(PLAYWRIGHT, "click <target> --button left", "click <target>"),
  habit(AGENT, "key <key>", "press <key>"),
  habit(AGENT, "keyboard type <text>", "type <text>"),
  always(AGENT, "scroll down <n>", "scroll --by <n>"),
  always(AGENT, "scroll up <n>", "scroll --by -<n>"),
  always(AGENT, "scroll down", "scroll --by 300"),
  always(AGENT, "scroll up", "scroll --by -300"),
  always(GSTACK, "scroll bottom", "scroll --to bottom"),
  always(GSTACK, "scroll top", "scroll --to top"),
  habit(AGENT, "scrollintoview <target>", "scroll <target>"),
  habit(CLI, "mousemove <n> <n2>", "mouse move <n> <n2>"),
  habit(CLI, "mousedown", "mouse down"),
  habit(CLI, "mouseup", "mouse up"),
  habit(CLI, "mousewheel <n> <n2>", "mouse wheel <n> <n2>"),
  habit(AGENT, "dialog accept", "dialog-accept"),
  habit(AGENT, "dialog dismiss", "dialog-dismiss"),
  habit(GSTACK, "cleanup --all", "cleanup"),

  // The session
  habit(CLI, "resize <n> <n2>", "viewport <n>x<n2>"),
  habit(AGENT, "set viewport <n> <n2>", "viewport <n>x<n2>"),
  habit(AGENT, "viewport <n> <n2>", "viewport <n>x<n2>"),
  habit(AGENT, "set device <name>", "viewport --device <name>"),
  habit(AGENT, "set media <scheme>", "emulate --color-scheme <scheme>"),
  habit(AGENT, "set offline on", "emulate --offline"),
  habit(AGENT, "set offline off", "emulate --no-offline"),
  habit(AGENT, "set geo <latitude> <longitude>", "emulate --geolocation <latitude>,<longitude>"),
  habit(GSTACK, "tab <n>", "tab t<n>"),
  habit(CLI, "tab-select <n>", "tab t<n>", "tabs have ids here, which `browse tabs` lists, not places in a row"),
  habit([...GSTACK, ...AGENT], "closetab <n>", "closetab t<n>"),
  habit(CLI, "tab-list", "tabs"),
  habit(CLI, "tab-new", "newtab"),
  habit(CLI, "tab-close", "closetab", "without an id it closes the current tab; `browse tabs` lists the ids"),
  habit(AGENT, "tab new", "newtab"),
  habit(AGENT, "tab list", "tabs"),
  habit(AGENT, "tab close", "closetab"),
  habit(AGENT, "session list", "sessions"),
  habit(CLI, "state-save <name>", "state save <name>"),
  habit(CLI, "state-load <name>", "state load <name>"),
  habit(AGENT, "state clear <name>", "state rm <name>"),
  habit(CLI, "close-all", "stop", "it ends the browser with all of its tabs"),
  habit(AGENT, "quit", "stop", "it ends the browser with all of its tabs"),
  habit(CLI, "install-browser", "setup"),
  habit(AGENT, "install", "setup"),
];
