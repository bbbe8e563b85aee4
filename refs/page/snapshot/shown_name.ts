/** Names and values are shown up to here; code points. */
export const MAX_NAME = 120;
