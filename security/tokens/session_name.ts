/** What a session may be called, wherever one is named: in a call, a flag, the environment, a command. */
import * as v from "valibot";

/** As errors and the reference say it. */
export const SESSION_NAME_WORDS =
  '1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit, after "AGENT/" for one of an agent\'s';

export const SessionName = v.pipe(
  v.string(),
  v.regex(
    /^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,63}\/)?[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u,
    `must be ${SESSION_NAME_WORDS}`,
  ),
);
