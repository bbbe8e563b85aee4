/** Why a folder is no skill that can be used. It is told in lists; nothing fails of it. */
export class Unusable extends Error {}
