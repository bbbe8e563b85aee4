/**
 * Property tests make the same cases in every run, so that a failure is the work of a change and not of luck.
 * `BROWSE_SEED` gives other cases: a number, or `random`, which each failure then names.
 */
import fc from "fast-check";

const { BROWSE_SEED = "1" } = process.env;

if (BROWSE_SEED !== "random") fc.configureGlobal({ seed: Number(BROWSE_SEED) });
