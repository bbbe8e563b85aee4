/**
 * The one table of error kinds. Everything a caller can be told went wrong is here: the JSON-RPC code it travels
 * under, the exit code the CLI ends with, and what to do next when the thrower has nothing better to say.
 *
 * This file is a leaf that every folder may import; it imports nothing.
 */

interface ErrorKindDefinition {
  /** JSON-RPC error code. −32768…−32000 are reserved; ours are −32000…−32099 but where the standard names one. */
  code: number;
  /** Exit code of the CLI: 1 the command failed, 2 usage, 3 no daemon, 4 not allowed, 124 timeout. */
  exitCode: number;
  /** What happened, for the generated documentation. */
  summary: string;
  /** The default way forward. */
  hint: string;
}

export const ERROR_KINDS = {
  invalid_params: {
    code: -32602,
    exitCode: 2,
    summary: "A parameter or flag is missing, unknown, or has a value that is not accepted",
    hint: "Run `browse help <command>` for what it accepts",
  },
  unknown_command: {
    code: -32601,
    exitCode: 2,
    summary: "There is no command or method of that name",
    hint: "Run `browse help` for the list",
  },
  unauthorized: {
    code: -32001,
    exitCode: 4,
    summary: "The caller showed no valid token",
    hint: "Use the token in the project's daemon.json, or pair again",
  },
  forbidden: {
    code: -32002,
    exitCode: 4,
    summary: "The caller's token does not allow this command",
    hint: "Ask the person who gave the token for a wider scope",
  },
  rate_limited: {
    code: -32003,
    exitCode: 1,
    summary: "The caller sent more calls than its token allows",
    hint: "Wait a second and send fewer calls",
  },
  stale_ref: {
    code: -32010,
    exitCode: 1,
    summary: "The ref's element, frame or document is gone",
    hint: "Run `browse snapshot -i` and use the new ref",
  },
  unknown_ref: {
    code: -32011,
    exitCode: 1,
    summary: "No snapshot of this tab has shown that ref",
    hint: "Run `browse snapshot -i` to get refs",
  },
  ambiguous: {
    code: -32012,
    exitCode: 1,
    summary: "The selector matches several elements",
    hint: "Use one of the refs listed, or a narrower selector",
  },
  not_found: {
    code: -32013,
    exitCode: 1,
    summary: "Nothing matches",
    hint: "Run `browse snapshot` to see what is on the page",
  },
  not_visible: {
    code: -32014,
    exitCode: 1,
    summary: "The element is there but a person could not see it",
    hint: "Scroll, open what contains it, or `browse wait` for it",
  },
  disabled: {
    code: -32015,
    exitCode: 1,
    summary: "The element is disabled or read-only",
    hint: "Fill in what it depends on first, or `browse wait` for its selector with :enabled behind it",
  },
  covered: {
    code: -32016,
    exitCode: 1,
    summary: "Another element lies over the point that would be pressed",
    hint: "Close or move the covering element, then try again",
  },
  detached: {
    code: -32017,
    exitCode: 1,
    summary: "The element left the document while the command was acting on it",
    hint: "Run `browse snapshot -i` and try again with the new ref",
  },
  not_kept: {
    code: -32018,
    exitCode: 1,
    summary: "The page refused what was done to the element, or has undone it",
    hint: "Run `browse snapshot -i` to see what it holds now, and whether the page says why",
  },
  timeout: {
    code: -32020,
    exitCode: 124,
    summary: "The deadline of the call passed",
    hint: "Give more time with `--timeout <ms>`; close a page that hangs with `browse closetab`",
  },
  navigation_failed: {
    code: -32021,
    exitCode: 1,
    summary: "The browser could not load the page",
    hint: "Check the address and that the server answers",
  },
  dialog_open: {
    code: -32022,
    exitCode: 1,
    summary: "A dialog is open and blocks the page",
    hint: "Run `browse dialog-accept` or `browse dialog-dismiss`, or close the tab with `browse closetab`",
  },
  script_error: {
    code: -32023,
    exitCode: 1,
    summary: "A script given to `js`, `eval` or `wait --fn` does not parse, or threw",
    hint: "Check the expression; `browse console --errors` shows what the page's own scripts threw",
  },
  blocked_url: {
    code: -32030,
    exitCode: 4,
    summary: "The URL policy does not allow this address",
    hint: "Use a public http or https address, or ask the person whose browser this is",
  },
  blocked_path: {
    code: -32031,
    exitCode: 4,
    summary: "The path policy does not allow this file",
    hint: "Use a path under the current folder, the temporary folder, or .browse/artifacts",
  },
  blocked_content: {
    code: -32032,
    exitCode: 4,
    summary: "The page's content was withheld by the content guard",
    hint: "A person can read it with `--unsafe`",
  },
  not_owner: {
    code: -32033,
    exitCode: 4,
    summary: "The tab belongs to another client",
    hint: "Open your own with `browse newtab`",
  },
  confirmation_required: {
    code: -32034,
    exitCode: 4,
    summary: "The user's policy requires a person to approve this call first",
    hint: "Ask a person to run `browse confirm <id>`, then make the same call again",
  },
  no_daemon: {
    // Of the client's own making: where there is no daemon, nobody else could say so.
    code: -32039,
    exitCode: 3,
    summary: "No daemon is running, and none could or should be started",
    hint: "Run `browse start`; .browse/daemon.log says why a daemon ended",
  },
  no_browser: {
    code: -32040,
    exitCode: 1,
    summary: "No Chromium could be found or started",
    hint: "Run `browse doctor`",
  },
  browser_gone: {
    code: -32041,
    exitCode: 1,
    summary: "Chromium died while the call was running",
    hint: "The next command starts a fresh browser, with none of the old state; .browse/daemon.log says how this one died",
  },
  tab_gone: {
    code: -32042,
    exitCode: 1,
    summary: "The tab is closed or has crashed",
    hint: "Run `browse tabs` for the open ones; `browse reload` brings back one that has crashed",
  },
  frame_gone: {
    code: -32043,
    exitCode: 1,
    summary: "The frame left the page",
    hint: "Run `browse snapshot -i` and use the new refs",
  },
  too_large: {
    code: -32050,
    exitCode: 1,
    summary: "The input or the result is over its limit",
    hint: "Narrow it down with a selector, or write it to a file",
  },
  cancelled: {
    code: -32051,
    exitCode: 1,
    summary: "The caller cancelled the call",
    hint: "Make the call again if it is still wanted",
  },
  outcome_unknown: {
    code: -32052,
    exitCode: 1,
    summary:
      "An action had begun when its call was ended, by a timeout, a crash or a shutdown; it may or may not have happened",
    hint: "Look at the page before you repeat it",
  },
  unsupported: {
    code: -32053,
    exitCode: 1,
    summary: "This cannot be done here",
    hint: "Run `browse doctor` to see what this machine supports",
  },
  skill_failed: {
    code: -32060,
    exitCode: 1,
    summary: "A skill ended with an error",
    hint: "Run `browse skill show <name>`",
  },
  state_unreadable: {
    code: -32062,
    exitCode: 1,
    summary: "A saved state could not be read: it is damaged, or was saved with another key",
    hint: "Save it again with `browse state save <name>`",
  },
  internal: {
    code: -32603,
    exitCode: 1,
    summary: "A fault in browse itself",
    hint: "See .browse/daemon.log, and report it",
  },
} as const satisfies Record<string, ErrorKindDefinition>;

export type ErrorKind = keyof typeof ERROR_KINDS;

/** The `data` member of a JSON-RPC error of ours. */
export interface ErrorData {
  kind: ErrorKind;
  /** One sentence on what to run next. */
  hint: string;
  /** More about it that a program may want: candidates, the covering element, the exit status. */
  [detail: string]: unknown;
}

export interface BrowseErrorOptions {
  /** Replaces the kind's default way forward. */
  hint?: string;
  /** Joins `data` on the wire. */
  details?: Record<string, unknown>;
  /** Logged, never sent. */
  cause?: unknown;
}

/** Of a message, which quotes what pages and callers say. Characters. */
const MAX_MESSAGE = 10_000;

function cut(message: string): string {
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE).toWellFormed()}…` : message;
}

/** An error a caller is told about. Text: capital first, no final period, values quoted. */
export class BrowseError extends Error {
  override readonly name = "BrowseError";
  readonly kind: ErrorKind;
  readonly hint: string;
  readonly details: Record<string, unknown>;

  constructor(kind: ErrorKind, message: string, options: BrowseErrorOptions = {}) {
    super(cut(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.hint = options.hint ?? ERROR_KINDS[kind].hint;
    this.details = options.details ?? {};
  }

  get code(): number {
    return ERROR_KINDS[this.kind].code;
  }

  get exitCode(): number {
    return ERROR_KINDS[this.kind].exitCode;
  }

  get data(): ErrorData {
    return { ...this.details, kind: this.kind, hint: this.hint };
  }
}

/** The error with the command's name in its way forward, where that speaks of any. */
export function forCommand(error: BrowseError, command: string): BrowseError {
  const hint = error.hint.replace("<command>", command);
  if (hint === error.hint) return error;
  return new BrowseError(error.kind, error.message, { hint, details: error.details, cause: error.cause });
}

/** Any thrown value as an error we may send: what we do not know becomes `internal` with its text kept as the cause. */
export function toBrowseError(error: unknown): BrowseError {
  if (error instanceof BrowseError) return error;
  return new BrowseError("internal", "Something went wrong inside browse", { cause: error });
}
