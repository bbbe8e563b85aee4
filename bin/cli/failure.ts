/** Exit codes by kind of error, 1 for all others. See the table in errors.ts. */
export const EXIT_CODES: Record<string, number> = {
  invalid_params: 2,
  no_daemon: 3,
  unauthorized: 4,
  forbidden: 4,
  timeout: 124,
};

/** What to do about input that cannot travel. */
export const USE_A_FILE = "Put the data into a file and name that";

/** Why the client itself gives up, before or beside whatever the daemon says. */
export class Failure extends Error {
  readonly kind: string;
  readonly hint: string;

  /** `message` says what went wrong, `hint` what to run next. Most of what happens here is that there is no daemon. */
  constructor(message: string, hint: string, kind = "no_daemon") {
    super(message);
    this.kind = kind;
    this.hint = hint;
  }
}
