/** The function that the guard calls with what it sees; in our world only, given to it by the daemon's debugger. */
export const HIT_REPORT = "browseWitness";

/** Set in a document that takes presses, though it came while one was on its way elsewhere. In our world only. */
export const OPENED = "browseOpened";
